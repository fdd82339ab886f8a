import { type TronClient, count } from './client.ts';
import { type Head, blockAt } from './chain.ts';

/**
 * Finds a transaction's block, and proves that a transaction can never be mined. TRON has neither inputs nor nonces: a signed
 * transaction becomes invalid once the chain's time is past its expiration.
 */

/** Returns the node's report of a mined transaction; undefined if no block of the view has it. Throws `Unreachable`. */
export async function infoOf(
  client: TronClient,
  view: 'wallet' | 'walletsolidity',
  txid: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const info = await client.ask(`${view}/gettransactioninfobyid`, { value: txid });
  return info['id'] === txid && info['blockNumber'] !== undefined ? info : undefined;
}

/** Returns true if a mined transaction is solid: the solid view has it too, at the same height. Throws `Unreachable`. */
export async function isSolid(client: TronClient, head: Pick<Head, 'solid'>, txid: string, height: number): Promise<boolean> {
  if (height > head.solid.height) return false;
  const info = await infoOf(client, 'walletsolidity', txid);
  return info !== undefined && count(info['blockNumber']) === height;
}

/**
 * Returns true if a transaction can never be mined: the solid block `blocksAfterEnd` below the newest solid one is at or past
 * its expiration, and neither view has the transaction. Throws `Unreachable`.
 */
export async function isOver(
  client: TronClient,
  { txid, expiration }: { readonly txid: string; readonly expiration: bigint },
  blocksAfterEnd: number,
): Promise<boolean> {
  const solid = await blockAt(client, 'walletsolidity');
  if (!solid || solid.height < blocksAfterEnd || BigInt(solid.time) <= expiration) return false;
  const past = await blockAt(client, 'walletsolidity', solid.height - blocksAfterEnd);
  if (!past || BigInt(past.time) < expiration) return false;
  const [now, then] = await Promise.all([infoOf(client, 'wallet', txid), infoOf(client, 'walletsolidity', txid)]);
  return now === undefined && then === undefined;
}
