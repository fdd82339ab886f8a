import type { PayoutBody } from '../../rails/event-bodies.ts';

/** A returned send: the amount that came back, and the missing part that the desk bears. The owner gets both. */
export interface Returned {
  readonly came: bigint;
  readonly lost: bigint;
}

/**
 * Returns how much of a payout came back. The desk bears what the rail retained. If the receiver is the cause, the owner bears
 * it.
 */
export function returnedOf({ back, isBorneByReceiver }: Pick<PayoutBody, 'back' | 'isBorneByReceiver'>, sent: bigint): Returned {
  const said = back === undefined ? sent : BigInt(back);
  const came = said < sent ? said : sent;
  return { came, lost: isBorneByReceiver ? 0n : sent - came };
}

/** Returns the event's fields for a rail's report of a returned amount. */
export const shortOf = ({
  parts,
  isBorneByReceiver,
}: {
  readonly parts: bigint;
  readonly isBorneByReceiver?: true;
}): Partial<PayoutBody> => ({
  back: parts.toString(),
  ...(isBorneByReceiver && { isBorneByReceiver }),
});

/** Returns the amount owed for a transfer that was found late, in parts, by its event. */
export const owedForFind = ({ owed = '0' }: Pick<PayoutBody, 'owed'>): bigint => BigInt(owed);
