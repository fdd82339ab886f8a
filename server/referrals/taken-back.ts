// Orders that count no more, as long as a room that counted them is not told yet.

import { type Statements, outbox } from '../platform/index.ts';

/** The events by which the exchange tells that an order counts no more; of the second kind only some endings do. */
const [REVERSED, ENDED] = ['order.reversed', 'order.ended'] as const;
/** Endings of orders that had not been exchanged, and so never counted. */
const NEVER_COUNTED: ReadonlySet<unknown> = new Set(['cancelled', 'expired']);

/**
 * True while an order that may have earned an affiliate something counts no more, and somebody is not told of that: what they have of
 * rewards is not theirs to move until it is taken back.
 */
export async function isTakeBackPending(db: Statements, holderId: string): Promise<boolean> {
  for (const sentBy of [{ affiliate: holderId }, { second: holderId }]) {
    const untold = await outbox.undeliveredHolding(db, { [REVERSED]: { sentBy }, [ENDED]: { sentBy } });
    const ended = untold(ENDED) as readonly { readonly ended: unknown }[];
    if (untold(REVERSED).length > 0 || ended.some((one) => !NEVER_COUNTED.has(one.ended))) return true;
  }
  return false;
}
