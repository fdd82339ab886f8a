import type { PayoutBody } from '../../rails/event-bodies.ts';

/** For a returned send: how much came back, and the missing part that the desk bears. Together they are the owner's again. */
export interface Returned {
  readonly came: bigint;
  readonly lost: bigint;
}

/**
 * What came back of a payout of so many parts. What its rail kept on the way is the desk's to bear, unless the receiver is the
 * cause: then its owner has so much less.
 */
export function returnedOf({ back, byReceiver }: Pick<PayoutBody, 'back' | 'byReceiver'>, sent: bigint): Returned {
  const said = back === undefined ? sent : BigInt(back);
  const came = said < sent ? said : sent;
  return { came, lost: byReceiver ? 0n : sent - came };
}

/** How a rail's word of what came back is told. */
export const shortOf = ({ parts, byReceiver }: { readonly parts: bigint; readonly byReceiver?: true }): Partial<PayoutBody> => ({
  back: parts.toString(),
  ...(byReceiver && { byReceiver }),
});

/** What is owed for a transfer that was found late, in parts, by its event. */
export const owedForFind = ({ owed = '0' }: Pick<PayoutBody, 'owed'>): bigint => BigInt(owed);
