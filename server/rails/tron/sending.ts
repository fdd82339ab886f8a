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

/** Returns a refusal to prepare an attempt, with its reason. */
export function notPrepared(reason: NotPrepared['reason'], detail: string): NotPrepared {
  return { ok: false, reason, detail };
}

/** Runs `work`. Returns `unavailable` if the node can't be reached, and `refused` for a call that would revert. */
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
 * Adds a reference block, an expiration and a unique timestamp to a transfer. The reference block is solid, so that no reorg
 * makes the transfer invalid. The chain ignores the timestamp; it gives two equal transfers different ids.
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

/** Returns the bandwidth of a transfer, in bytes, to estimate its cost. The final transfer has nearly the same length. */
export function weightOf(
  chain: Chain,
  head: Head,
  what: Pick<Transfer, 'owner' | 'contract' | 'to' | 'value' | 'feeLimit'>,
): bigint {
  return bandwidthOf(encodeTransfer(grounded(chain, head, what)));
}

/** Lets the signer sign a transfer and returns the attempt, or the refusal. `fee`: the highest cost in sun. */
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
    return { ...notPrepared('signer_refused', 'The signer answered with another transaction'), mayBeSigned: true };
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

/** Transactions that the node accepted lately, which may not be mined yet: the chain's height then, by txid. */
export type Taken = Map<string, number>;

/** Number of blocks for which an accepted transaction counts as pending although no block has it. */
const TAKEN_BLOCKS = 5;
const TAKEN_REMEMBERED = 5_000;

async function take(chain: Chain, taken: Taken, txid: string): Promise<Sent> {
  const head = await chain.head().catch(() => undefined);
  taken.delete(txid);
  if (head) taken.set(txid, head.height);
  if (taken.size > TAKEN_REMEMBERED) taken.delete(taken.keys().next().value as string);
  return { outcome: 'accepted', txid };
}

/**
 * Broadcasts the stored bytes. `refused` only if the chain proves that they can't be mined, for any objection of the node;
 * `unknown` without an answer.
 */
export async function send(chain: Chain, taken: Taken, attempt: Attempt): Promise<Sent> {
  const txid = attempt.reference;
  try {
    const reply = await chain.client.ask('wallet/broadcasthex', { transaction: attempt.raw });
    if (reply['result'] === true) return await take(chain, taken, txid);
    const found = await find(chain, taken, attempt);
    if (found.outcome !== 'absent') return { outcome: 'accepted', txid };
    // A duplicate is in the node's pool, though in no block. After other errors the bytes may still be mined until they expire.
    if (reply['code'] === 'DUP_TRANSACTION_ERROR' && !found.isConclusive) return await take(chain, taken, txid);
    const reason = `${String(reply['code'])}: ${said(reply['message'])}`;
    return { outcome: found.isConclusive ? 'refused' : 'unknown', reason };
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return { outcome: 'unknown', reason: error.message };
  }
}

/**
 * Finds an attempt on the chain. Its absence is conclusive only if it has expired on the solid chain, which doesn't have it.
 * Throws `Unreachable`.
 */
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
      isFinalised: await isSolid(client, head, txid, height),
      ok: happened(chain, info, attempt),
      fee: integer(info['fee']),
    };
  }
  const { expiration } = readSpend(attempt.spends[0] ?? '');
  const isFresh = head.height <= (taken.get(txid) ?? -Infinity) + TAKEN_BLOCKS;
  if (isFresh && BigInt(head.time) < expiration) return { outcome: 'pending', txid };
  const waiting = await client.ask('wallet/gettransactionfrompending', { value: txid });
  if (waiting['txID'] === txid) return { outcome: 'pending', txid };
  return { outcome: 'absent', isConclusive: await isOver(client, { txid, expiration }, config.blocksAfterEnd) };
}

/** Returns true if the transaction succeeded; for a token, its report must also have the event of the transfer. */
function happened({ config }: Chain, info: Reply, attempt: Attempt): boolean {
  const transfer = decodeTransfer(decodeSigned(attempt.raw).raw);
  const token = config.tokens.find(({ contract }) => contract === transfer.contract);
  if (!token) return info['result'] !== 'FAILED';
  return part(info, 'receipt')['result'] === 'SUCCESS' && isReportOf(info, token, transfer);
}

/** Time that each call reads again, since the index may lag behind the chain. */
const OVERLAP_MS = 15 * 60_000;

/**
 * Reads the sends of our hot wallet from TronGrid's list of its transactions, from the moment `readTo` on. Leaves out rows
 * whose bytes don't hash to their id. Throws `Unreachable`.
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

/** Decodes a transfer of ours; undefined for any other kind of transaction. */
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
