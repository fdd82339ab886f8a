import type { PayoutBody } from '../../rails/event-bodies.ts';

/** Amounts of a returned send. The owner gets both amounts, since the desk bears the lost one. */
export interface Returned {
  /** Amount that came back, in parts. */
  readonly came: bigint;
  /** Amount that did not come back and that the desk bears, in parts. */
  readonly lost: bigint;
}

/**
 * Returns the amounts of a payout that came back. The desk bears the amount that the rail retained. If the receiver retained it,
 * the owner bears it instead, and the lost amount is 0.
 */
export function returnedOf({ back, isBorneByReceiver }: Pick<PayoutBody, 'back' | 'isBorneByReceiver'>, sent: bigint): Returned {
  const said = back === undefined ? sent : BigInt(back);
  const came = said < sent ? said : sent;
  return { came, lost: isBorneByReceiver ? 0n : sent - came };
}

/** Returns the event's fields for an amount that the rail reports as returned. */
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

/** Returns the amount that an event reports as owed for a payout found late, in parts. */
export const owedForFind = ({ owed = '0' }: Pick<PayoutBody, 'owed'>): bigint => BigInt(owed);
