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

/** Returns the answer that nothing was prepared, with the reason. */
export function notPrepared(reason: NotPrepared['reason'], detail: string): NotPrepared {
  return { ok: false, reason, detail };
}

/** The hot wallet has sent something that our rows don't know. */
class Ahead extends Error {}

/**
 * Runs `work`, and turns its errors into reasons. `unrecorded`: our rows lack a send. `refused`: a call would revert.
 * `unavailable`: the node gives no usable answer.
 */
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

/** True if a call would revert. Code 3 is EIP-1474's "execution error"; older nodes report it only in the message. */
function isRevert(error: RpcError): boolean {
  return error.code === 3 || /revert/i.test(error.message);
}

/** Values for a new transaction of an account: the next nonce, and the prices of gas in wei. */
export interface Market {
  readonly nonce: number;
  readonly baseFee: bigint;
  readonly tip: bigint;
}

/**
 * Reads the market for an account. By our rows, `spent` are its used nonces and `atLeast` is its next one. Throws `Ahead` if the hot
 * wallet has used nonces that our rows don't know. Then another process signs with its key, or our rows are an older copy.
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

/** Returns the gas that a call would use now. Throws `RpcError` if the call would revert. */
export async function estimateGas(
  chain: Chain,
  call: { from: Address; to: Address; data?: string; value?: bigint },
): Promise<bigint> {
  const { value, ...rest } = call;
  return quantity(await chain.client.call('eth_estimateGas', value === undefined ? rest : { ...rest, value: hex(value) }));
}

/** Returns an account's certain balance: the smaller of its balances now and after the transactions in the mempool. */
export async function atHand(chain: Chain, call: (block: string) => { method: string; params: unknown[] }): Promise<bigint> {
  const [now, next] = (await chain.client.batch([call('latest'), call('pending')])).map((result) => quantity(expect(result)));
  return (now as bigint) < (next as bigint) ? (now as bigint) : (next as bigint);
}

/** Lets the signer sign a transfer. Returns its attempt, or the reason if it isn't signed. */
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
    return { ...notPrepared('signer_refused', 'The signer answered with another transaction'), mayBeSigned: true };
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

/** Returns the account and nonce that an attempt spends. Throws an Error if it spends none. */
export function spender(attempt: Attempt): { readonly from: Address; readonly nonce: number } {
  const [, from, nonce] = (attempt.spends[0] ?? '').split(':');
  if (!from || !nonce) throw new Error(`The attempt ${attempt.reference} spends no nonce`);
  return { from: from as Address, nonce: Number.parseInt(nonce, 10) };
}

/** Returns the transfer in an attempt's bytes. Throws an Error for bytes that no transfer of ours has. */
export function carried(chain: Chain, attempt: Attempt): Transfer {
  return decodeTransfer(
    attempt.raw,
    chain.config.tokens.map((token) => token.contract),
  );
}

/** Broadcasts the stored bytes. If the node refuses them, the attempt counts as refused only if the chain rules it out. */
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
    // The bytes stay valid while their nonce is free, even if this node refuses them now (no coin for gas, fee too low).
    const over = found?.outcome === 'absent' && found.isConclusive;
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
 * Looks an attempt up. It is absent for good only if another transaction with the same nonce is in a finalised block. Throws
 * `RpcError` or `Unreachable`.
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
      isFinalised: height <= head.finalised,
      ok: happened(mined, carried(chain, attempt), from),
      fee: quantity(mined.gasUsed) * quantity(mined.effectiveGasPrice),
    };
  }
  if (expect<object | null>(transaction)) return { outcome: 'pending', txid };
  // A used nonce doesn't prove that another transaction used it: this node may have lost our own. A node that no longer has the
  // state of the finalised block can't tell at all.
  if (finalCount instanceof Error || count(finalCount) <= nonce) return { outcome: 'absent', isConclusive: false };
  const by = await usedBy(chain.client, from, nonce, head.finalised);
  return { outcome: 'absent', isConclusive: by !== undefined && by.toLowerCase() !== txid.toLowerCase() };
}

/** Returns the transaction in a finalised block that used an attempt's nonce; undefined if the node can't tell. */
export async function ruledOutBy(chain: Chain, attempt: Attempt): Promise<string | undefined> {
  const { from, nonce } = spender(attempt);
  const { finalised } = await chain.head();
  const by = await usedBy(chain.client, from, nonce, finalised);
  return by?.toLowerCase();
}

/** True if a receipt shows success and, for a token, the event of the transfer. */
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

/** Returns the maximum cost of a transfer at a price, in wei. */
export function maxOf(gas: bigint, price: GasPrice): bigint {
  return gas * price.maxFeePerGas;
}
