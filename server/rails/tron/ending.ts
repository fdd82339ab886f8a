import { type TronClient, count } from './client.ts';
import { type Head, blockAt } from './chain.ts';

/**
 * Where a transaction lies, and when it can't any more. TRON knows neither inputs nor nonces: a signed transaction ends
 * by itself, once a block's time is past its expiration.
 */

/** A mined transaction's own report; undefined where it is in no block of that view. */
export async function infoOf(
  client: TronClient,
  view: 'wallet' | 'walletsolidity',
  txid: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const info = await client.ask(`${view}/gettransactioninfobyid`, { value: txid });
  return info['id'] === txid && info['blockNumber'] !== undefined ? info : undefined;
}

/** Is a mined transaction solid? Asked of the solid view itself, not only by its height. */
export async function isSolid(client: TronClient, head: Pick<Head, 'solid'>, txid: string, height: number): Promise<boolean> {
  if (height > head.solid.height) return false;
  const info = await infoOf(client, 'walletsolidity', txid);
  return info !== undefined && count(info['blockNumber']) === height;
}

/**
 * Whether a transaction can never be mined any more: a solid block with at least so many solid blocks
 * behind it is past its expiration, and neither view knows it. Throws Unreachable.
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
