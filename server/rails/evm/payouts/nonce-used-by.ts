import type { Address } from 'viem';
import { sameAddress } from '../address.ts';
import { type RpcClient, RpcError, count, hex } from '../client.ts';

interface FullBlock {
  readonly transactions: readonly { readonly hash: string; readonly from: string; readonly nonce: string }[];
}

/**
 * The transaction that used a nonce of an address, in a block not above `top` (one that is finalised, at which it is used):
 * proof that whatever else has this nonce can never happen. Undefined where the node can't say, since it has lost the states
 * of then. Throws Unreachable.
 */
export async function usedBy(client: RpcClient, from: Address, nonce: number, top: number): Promise<string | undefined> {
  try {
    const height = await heightOfUse(client, from, nonce, top);
    const block = await client.call<FullBlock | null>('eth_getBlockByNumber', hex(height), true);
    return block?.transactions.find((one) => sameAddress(one.from as Address, from) && count(one.nonce) === nonce)?.hash;
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
