import type { Address } from 'viem';
import type { Attempt, Found, Prepared, Sent, Signer } from '../../rail.ts';
import { type SignRequest, askSigner } from '../../signer.ts';
import { sameAddress, topicOf } from '../address.ts';
import { type Chain, baseFeeOf, suggestedTip } from '../chain.ts';
import { RpcError, Unreachable, count, expect, hex, quantity } from '../client.ts';
import type { GasPrice } from './fees.ts';
import { type Transfer, TRANSFER_TOPIC, decodeTransfer, encodeTransfer, hashOf, lastNonce, nonceSpend } from './transaction.ts';
import { usedBy } from './nonce-used-by.ts';

type NotPrepared = Extract<Prepared, { ok: false }>;

/** Nothing was made, and why. */
export function notPrepared(reason: NotPrepared['reason'], detail: string): NotPrepared {
  return { ok: false, reason, detail };
}

/** The hot wallet has sent something that our own rows don't know. */
class Ahead extends Error {}

/** Runs `work`; a node that can't be asked means `unavailable`, a call that must revert means `refused`. */
export async function prepared<P extends Prepared>(work: () => Promise<P>): Promise<P | NotPrepared> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Ahead) return notPrepared('unrecorded', error.message);
    if (error instanceof RpcError && isRevert(error)) return notPrepared('refused', error.message);
    if (error instanceof RpcError || error instanceof Unreachable) return notPrepared('unavailable', error.message);
    throw error;
  }
}

/** Code 3 is EIP-1474's "execution error"; older nodes say it in words only. */
function isRevert(error: RpcError): boolean {
  return error.code === 3 || /revert/i.test(error.message);
}

/** What a new transaction of an account must know: the next nonce, and what gas costs. */
export interface Market {
  readonly nonce: number;
  readonly baseFee: bigint;
  readonly tip: bigint;
}

/**
 * Reads the market for an account. `spent` and `atLeast` are what our own rows know of its nonces. Throws Ahead where the hot
 * wallet has used nonces that our rows don't know: another process signs with its key, or our rows are an older copy.
 */
export async function market(chain: Chain, from: Address, spent: readonly string[], atLeast = 0): Promise<Market> {
  const [head, tip, pending] = await Promise.all([
    chain.head(),
    suggestedTip(chain.client),
    chain.client.call('eth_getTransactionCount', from, 'pending'),
  ]);
  const last = lastNonce(spent, chain.config.chainId, from) ?? -1;
  const [next, used] = [Math.max(atLeast, last + 1), count(pending)];
  if (sameAddress(from, chain.hot) && used > next) throw new Ahead(`The chain has used ${used} nonces, our rows know ${next}`);
  return { nonce: Math.max(used, next), baseFee: baseFeeOf(head), tip };
}

/** Gas that a call would use now. Throws RpcError when it would revert. */
export async function estimateGas(
  chain: Chain,
  call: { from: Address; to: Address; data?: string; value?: bigint },
): Promise<bigint> {
  const { value, ...rest } = call;
  return quantity(await chain.client.call('eth_estimateGas', value === undefined ? rest : { ...rest, value: hex(value) }));
}

/** What an account surely has: the least of now and of now with what waits in the mempool. */
export async function atHand(chain: Chain, call: (block: string) => { method: string; params: unknown[] }): Promise<bigint> {
  const [now, next] = (await chain.client.batch([call('latest'), call('pending')])).map((result) => quantity(expect(result)));
  return (now as bigint) < (next as bigint) ? (now as bigint) : (next as bigint);
}

/** Has a transfer of ours signed and makes the attempt of it. */
export async function signed(
  chain: Chain,
  signer: Signer,
  from: Address,
  transfer: Transfer,
  ask: Pick<SignRequest, 'payouts' | 'purpose' | 'index'>,
): Promise<Prepared> {
  const answer = await askSigner(signer, { rail: chain.config.id, unsigned: encodeTransfer(transfer), ...ask });
  if (!answer.ok) return answer;
  const txid = hashOf(answer.raw);
  if (txid !== answer.txid) {
    return { ...notPrepared('signer_refused', 'The signer answered with another transaction'), maybeSigned: true };
  }
  const attempt: Attempt = {
    reference: txid,
    items: ask.payouts,
    raw: answer.raw,
    spends: [nonceSpend(chain.config.chainId, from, transfer.nonce)],
    nonce: transfer.nonce,
    fee: { currency: chain.config.native, parts: transfer.gas * transfer.maxFeePerGas },
  };
  return { ok: true, attempt };
}

/** The account and nonce that an attempt spends. */
export function spender(attempt: Attempt): { readonly from: Address; readonly nonce: number } {
  const [, from, nonce] = (attempt.spends[0] ?? '').split(':');
  if (!from || !nonce) throw new Error(`The attempt ${attempt.reference} spends no nonce`);
  return { from: from as Address, nonce: Number.parseInt(nonce, 10) };
}

/** The transfer that an attempt carries. */
export function carried(chain: Chain, attempt: Attempt): Transfer {
  return decodeTransfer(
    attempt.raw,
    chain.config.tokens.map((token) => token.contract),
  );
}

/** Broadcasts the stored bytes. Whatever the node objects, the chain is asked before anything is called refused. */
export async function send(chain: Chain, attempt: Attempt): Promise<Sent> {
  const txid = attempt.reference;
  try {
    await chain.client.call('eth_sendRawTransaction', attempt.raw);
    return { outcome: 'accepted', txid };
  } catch (error) {
    if (!(error instanceof RpcError)) return { outcome: 'unknown', reason: error instanceof Error ? error.message : 'no answer' };
    if (/already (known|imported)/i.test(error.message)) return { outcome: 'accepted', txid };
    const found = await find(chain, attempt).catch(() => undefined);
    if (found?.outcome === 'pending' || found?.outcome === 'mined') return { outcome: 'accepted', txid };
    // The bytes stay valid as long as their nonce is free, whatever this node says today (no gas money, fee too low).
    const over = found?.outcome === 'absent' && found.conclusive;
    return { outcome: over ? 'refused' : 'unknown', reason: error.message };
  }
}

interface Receipt {
  readonly status: string;
  readonly blockNumber: string;
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
  readonly logs: readonly { readonly address: string; readonly topics: readonly string[]; readonly data: string }[];
}

/**
 * Where an attempt stands. Absent for good is only what another transaction with the same nonce, in a finalised block, has
 * ruled out.
 */
export async function find(chain: Chain, attempt: Attempt): Promise<Found> {
  const { from, nonce } = spender(attempt);
  const txid = attempt.reference;
  const head = await chain.head();
  const [receipt, transaction, finalCount] = await chain.client.batch([
    { method: 'eth_getTransactionReceipt', params: [txid] },
    { method: 'eth_getTransactionByHash', params: [txid] },
    { method: 'eth_getTransactionCount', params: [from, 'finalized'] },
  ]);
  const mined = expect<Receipt | null>(receipt);
  if (mined) {
    const height = count(mined.blockNumber);
    return {
      outcome: 'mined',
      txid,
      height,
      confirmations: Math.max(1, head.height - height + 1),
      finalised: height <= head.finalised,
      ok: happened(mined, carried(chain, attempt), from),
      fee: quantity(mined.gasUsed) * quantity(mined.effectiveGasPrice),
    };
  }
  if (expect<object | null>(transaction)) return { outcome: 'pending', txid };
  // That the nonce is used says nothing of by what: a node that has lost our own transaction would say so, too. And one that
  // no longer has the state of the finalised block can't tell at all.
  if (finalCount instanceof Error || count(finalCount) <= nonce) return { outcome: 'absent', conclusive: false };
  const by = await usedBy(chain.client, from, nonce, head.finalised);
  return { outcome: 'absent', conclusive: by !== undefined && by.toLowerCase() !== txid.toLowerCase() };
}

/** The transaction in a finalised block that used an attempt's nonce. Undefined where the node can't say. */
export async function ruledOutBy(chain: Chain, attempt: Attempt): Promise<string | undefined> {
  const { from, nonce } = spender(attempt);
  const { finalised } = await chain.head();
  const by = await usedBy(chain.client, from, nonce, finalised);
  return by?.toLowerCase();
}

/** Success of the receipt, and for a token the very event of the transfer. */
function happened(receipt: Receipt, transfer: Transfer, from: Address): boolean {
  if (receipt.status !== '0x1') return false;
  const { contract, to } = transfer;
  if (!contract) return true;
  return receipt.logs.some(
    (log) =>
      sameAddress(log.address, contract) &&
      log.topics[0] === TRANSFER_TOPIC &&
      log.topics[1] === topicOf(from) &&
      log.topics[2] === topicOf(to) &&
      quantity(log.data) > 0n,
  );
}

/** What a transfer costs at most under a price. */
export function maxOf(gas: bigint, price: GasPrice): bigint {
  return gas * price.maxFeePerGas;
}
