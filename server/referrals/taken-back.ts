// Orders that no longer count, while a room that counted them has not handled that event yet.

import { type Statements, outbox } from '../platform/index.ts';

/** Events of the exchange about orders that no longer count; of the second kind only some endings mean that. */
const [REVERSED, ENDED] = ['order.reversed', 'order.ended'] as const;
/** Endings of orders without an exchange, which never counted. */
const NEVER_COUNTED: ReadonlySet<unknown> = new Set(['cancelled', 'expired']);

/**
 * True while an order with rewards no longer counts and a subscriber has not handled that event: its affiliates may not move
 * their rewards until they are taken back.
 */
export async function isTakeBackPending(db: Statements, holderId: string): Promise<boolean> {
  for (const sentBy of [{ affiliate: holderId }, { second: holderId }]) {
    const undelivered = await outbox.undeliveredHolding(db, { [REVERSED]: { sentBy }, [ENDED]: { sentBy } });
    const ended = undelivered(ENDED) as readonly { readonly ended: unknown }[];
    if (undelivered(REVERSED).length > 0 || ended.some((one) => !NEVER_COUNTED.has(one.ended))) return true;
  }
  return false;
}
