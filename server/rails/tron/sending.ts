import { monotonicMs } from '../../platform/index.ts';
import type { Attempt, Found, OwnPayment, OwnSend, OwnSends, OwnSendsRequest, Prepared, Sent, Signer } from '../rail.ts';
import { type SignRequest, askSigner } from '../signer.ts';
import { type Chain, type Head, Reverts } from './chain.ts';
import { type Reply, Unreachable, count, integer, momentOf, part, said } from './client.ts';
import { infoOf, isOver, isSolid } from './ending.ts';
import { isReportOf } from './observed-payments.ts';
import {
  type Transfer,
  bandwidthOf,
  decodeSigned,
  decodeTransfer,
  encodeTransfer,
  idOf,
  readSpend,
  spendOf,
} from './transaction.ts';

type NotPrepared = Extract<Prepared, { ok: false }>;

/** Nothing was made, and why. */
export function notPrepared(reason: NotPrepared['reason'], detail: string): NotPrepared {
  return { ok: false, reason, detail };
}

/** Runs `work`; a node that can't be asked means `unavailable`, a call that must revert means `refused`. */
export async function prepared<P extends Prepared>(work: () => Promise<P>): Promise<P | NotPrepared> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Reverts) return notPrepared('refused', error.message);
    if (error instanceof Unreachable) return notPrepared('unavailable', error.message);
    throw error;
  }
}

let lastTimestamp = 0n;

/**
 * Puts a transfer upon a solid block, so that no reorg takes its ground away, and gives it an end. The time stamp, which
 * the chain doesn't look at, makes two equal transfers two transactions.
 */
export function grounded(
  chain: Chain,
  head: Head,
  what: Pick<Transfer, 'owner' | 'contract' | 'to' | 'value' | 'feeLimit'>,
): Transfer {
  const now = BigInt(head.time);
  lastTimestamp = now > lastTimestamp ? now : lastTimestamp + 1n;
  return {
    ...what,
    refBytes: head.solid.id.slice(12, 16),
    refHash: head.solid.id.slice(16, 32),
    expiration: now + chain.config.lifeMs,
    timestamp: lastTimestamp,
  };
}

/** Bytes of bandwidth that a transfer of this form takes, for what it will cost: its fields never differ much in length. */
export function weightOf(
  chain: Chain,
  head: Head,
  what: Pick<Transfer, 'owner' | 'contract' | 'to' | 'value' | 'feeLimit'>,
): bigint {
  return bandwidthOf(encodeTransfer(grounded(chain, head, what)));
}

/** Has a transfer of ours signed and makes the attempt of it. `fee`: the most sun that it may cost. */
export async function signed(
  chain: Chain,
  signer: Signer,
  transfer: Transfer,
  fee: bigint,
  ask: Pick<SignRequest, 'payouts' | 'purpose' | 'index'>,
): Promise<Prepared> {
  const { config } = chain;
  const unsigned = encodeTransfer(transfer);
  const txid = idOf(unsigned);
  const answer = await askSigner(signer, { rail: config.id, unsigned, ...ask });
  if (!answer.ok) return answer;
  if (answer.txid !== txid || rawOf(answer.raw) !== unsigned)
    return { ...notPrepared('signer_refused', 'The signer answered with another transaction'), maybeSigned: true };
  const attempt: Attempt = {
    reference: txid,
    items: ask.payouts,
    raw: answer.raw,
    spends: [spendOf(transfer, txid)],
    fee: { currency: config.coin.code, parts: fee, isMaximum: true },
    expiresAt: new Date(Number.parseInt(transfer.expiration.toString(), 10)),
  };
  return { ok: true, attempt };
}

function rawOf(bytes: string): string | undefined {
  try {
    return decodeSigned(bytes).raw;
  } catch {
    return undefined;
  }
}

/** What a node took up lately, by txid, with the height then: it may not be in a block yet. */
export type Taken = Map<string, number>;

/** For so many blocks what was taken up needn't be in one. */
const TAKEN_BLOCKS = 5;
const TAKEN_REMEMBERED = 5_000;

async function take(chain: Chain, taken: Taken, txid: string): Promise<Sent> {
  const head = await chain.head().catch(() => undefined);
  taken.delete(txid);
  if (head) taken.set(txid, head.height);
  if (taken.size > TAKEN_REMEMBERED) taken.delete(taken.keys().next().value as string);
  return { outcome: 'accepted', txid };
}

/** Broadcasts the stored bytes. Whatever the node objects, the chain is asked before anything is called refused. */
export async function send(chain: Chain, taken: Taken, attempt: Attempt): Promise<Sent> {
  const txid = attempt.reference;
  try {
    const reply = await chain.client.ask('wallet/broadcasthex', { transaction: attempt.raw });
    if (reply['result'] === true) return await take(chain, taken, txid);
    const found = await find(chain, taken, attempt);
    if (found.outcome !== 'absent') return { outcome: 'accepted', txid };
    // The node has it, though no block has. Else the bytes may still be mined until they end, whatever it says today.
    if (reply['code'] === 'DUP_TRANSACTION_ERROR' && !found.conclusive) return await take(chain, taken, txid);
    const reason = `${String(reply['code'])}: ${said(reply['message'])}`;
    return { outcome: found.conclusive ? 'refused' : 'unknown', reason };
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return { outcome: 'unknown', reason: error.message };
  }
}

/** Where an attempt stands. Absent for good is only what has ended on the solid chain, and isn't there. */
export async function find(chain: Chain, taken: Taken, attempt: Attempt): Promise<Found> {
  const { client, config } = chain;
  const txid = attempt.reference;
  const head = await chain.head();
  const info = await infoOf(client, 'wallet', txid);
  if (info) {
    taken.delete(txid);
    const height = count(info['blockNumber']);
    return {
      outcome: 'mined',
      txid,
      height,
      confirmations: Math.max(1, head.height - height + 1),
      finalised: await isSolid(client, head, txid, height),
      ok: happened(chain, info, attempt),
      fee: integer(info['fee']),
    };
  }
  const { expiration } = readSpend(attempt.spends[0] ?? '');
  const isFresh = head.height <= (taken.get(txid) ?? -Infinity) + TAKEN_BLOCKS;
  if (isFresh && BigInt(head.time) < expiration) return { outcome: 'pending', txid };
  const waiting = await client.ask('wallet/gettransactionfrompending', { value: txid });
  if (waiting['txID'] === txid) return { outcome: 'pending', txid };
  return { outcome: 'absent', conclusive: await isOver(client, { txid, expiration }, config.blocksAfterEnd) };
}

/** Success of the receipt, and for a token the very event of the transfer. */
function happened({ config }: Chain, info: Reply, attempt: Attempt): boolean {
  const transfer = decodeTransfer(decodeSigned(attempt.raw).raw);
  const token = config.tokens.find(({ contract }) => contract === transfer.contract);
  if (!token) return info['result'] !== 'FAILED';
  return part(info, 'receipt')['result'] === 'SUCCESS' && isReportOf(info, token, transfer);
}

/** The index may lag behind the chain: so much is read again each time. */
const OVERLAP_MS = 15 * 60_000;

/**
 * Reads what our hot wallet has sent, by TronGrid's list of its own transactions, on from the moment that was read to. Only a row
 * whose bytes make its id counts.
 */
export async function ownSends(chain: Chain, { readTo = '0' }: OwnSendsRequest): Promise<OwnSends> {
  const { client, config, hot } = chain;
  const begun = monotonicMs();
  const isTime = (): boolean => monotonicMs() < begun + config.pollMs;
  const { solid } = await chain.head();
  const from = /^\d{1,15}$/.test(readTo) ? Number.parseInt(readTo, 10) : 0;
  const { rows, until } = await client.list(`v1/accounts/${hot}/transactions`, { only_from: 'true' }, from, isTime);
  const sends = new Map(rows.flatMap((row) => sendOf(chain, row)).map((send) => [send.reference, send]));
  if (until !== undefined) return { sends: [...sends.values()], readTo: `${until}`, isUnfinished: true };
  return { sends: [...sends.values()], readTo: `${Math.max(from, solid.time - OVERLAP_MS)}` };
}

function sendOf(chain: Chain, row: Reply): OwnSend[] {
  const [reference, raw, at] = [row['txID'], row['raw_data_hex'], momentOf(row)];
  if (typeof reference !== 'string' || typeof raw !== 'string' || idOf(raw) !== reference) return [];
  const transfer = transferIn(raw);
  if (transfer && transfer.owner !== chain.hot) return [];
  return [{ reference, pays: transfer ? paysOf(chain, transfer) : [], ...(at !== undefined && { at: new Date(at) }) }];
}

/** What the bytes carry; undefined for another kind of transaction than ours. */
function transferIn(raw: string): Transfer | undefined {
  try {
    return decodeTransfer(raw);
  } catch {
    return undefined;
  }
}

function paysOf({ config }: Chain, { contract, to, value }: Transfer): OwnPayment[] {
  if (contract === undefined) return [{ currency: config.coin.code, parts: value, to }];
  const token = config.tokens.find((one) => one.contract === contract);
  return token ? [{ currency: token.code, parts: value, to }] : [];
}
