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
 * Returns the hash of the transaction that used a nonce of an address. It proves that no other transaction with this nonce can ever
 * happen. `top`: a finalised height at which the nonce is used. Returns undefined if the node can't tell, because it lacks the old
 * states. Throws `Unreachable`.
 */
export async function usedBy(client: RpcClient, from: Address, nonce: number, top: number): Promise<string | undefined> {
  return (await useOf(client, from, nonce, top))?.transaction.hash;
}

/** Returns the same transaction as its block shows it, with the block's time in seconds since 1970. Throws `Unreachable`. */
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

/** Returns the height at which a nonce was used: goes back in doubling steps until the nonce is free, then halves the range. */
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
