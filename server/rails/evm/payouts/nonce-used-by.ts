import type { Address } from 'viem';
import { sameAddress } from '../address.ts';
import { type RpcClient, RpcError, count, hex } from '../client.ts';

/** A transaction as a node shows it in a block. */
export interface RawTransaction {
  readonly hash: string;
  readonly from: string;
  readonly nonce: string;
  readonly to?: string | null;
  readonly value?: string;
  readonly input?: string;
}

interface FullBlock {
  readonly timestamp?: string;
  readonly transactions: readonly RawTransaction[];
}

/**
 * The transaction that used a nonce of an address, in a block not above `top` (one that is finalised, at which it is used):
 * proof that whatever else has this nonce can never happen. Undefined where the node can't say, since it has lost the states
 * of then. Throws Unreachable.
 */
export async function usedBy(client: RpcClient, from: Address, nonce: number, top: number): Promise<string | undefined> {
  return (await useOf(client, from, nonce, top))?.transaction.hash;
}

/** The same transaction as its block shows it, with that block's time in seconds. */
export async function useOf(
  client: RpcClient,
  from: Address,
  nonce: number,
  top: number,
): Promise<{ readonly transaction: RawTransaction; readonly time: number | undefined } | undefined> {
  try {
    const height = await heightOfUse(client, from, nonce, top);
    const block = await client.call<FullBlock | null>('eth_getBlockByNumber', hex(height), true);
    const transaction = block?.transactions.find((one) => sameAddress(one.from as Address, from) && count(one.nonce) === nonce);
    return transaction && { transaction, time: block?.timestamp === undefined ? undefined : count(block.timestamp) };
  } catch (error) {
    if (error instanceof RpcError) return undefined;
    throw error;
  }
}

/** The block in which a nonce was used: backwards in doubling steps to one before it, then in halves. */
async function heightOfUse(client: RpcClient, from: Address, nonce: number, top: number): Promise<number> {
  const isUsed = async (height: number): Promise<boolean> =>
    count(await client.call<string>('eth_getTransactionCount', from, hex(height))) > nonce;
  let used = top;
  let free = top - 1;
  for (let step = 1; free >= 0 && (await isUsed(free)); step *= 2) [used, free] = [free, free - step];
  if (free < 0) free = -1;
  while (used - free > 1) {
    const middle = Math.floor((used + free) / 2);
    if (await isUsed(middle)) used = middle;
    else free = middle;
  }
  return used;
}
