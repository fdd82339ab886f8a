import type { Statements } from '../../platform/index.ts';
import { ORDER_STATES, type OrderState, WORDS } from '../order/order.ts';
import { type Owner, ofOwner, owned } from '../order/store/owner.ts';

/** Status words that customers get notices of: the order needs their decision, is being checked, or is over. */
const REPORTED = ['choose', 'checking', 'done', 'refunded', 'rejected', 'expired'] as const;
type NoticeWord = (typeof REPORTED)[number];

/** A notice that an order reached its current status. */
export interface OrderNotice {
  /** The order's number. */
  readonly id: string;
  readonly kind: `order_${NoticeWord}`;
  readonly at: Date;
}

/**
 * Number of an owner's newest orders whose last change is searched for notices. An older order that is still open appears in the
 * list of open orders.
 */
const POLLED = 200;
const isReported = (word: string): word is NoticeWord => (REPORTED as readonly string[]).includes(word);
const STATES: readonly OrderState[] = ORDER_STATES.filter((state) => isReported(WORDS[state]));

/** Returns an owner's newest notices, newest first: for each order its current status, and since when. */
export async function orderNotices(db: Statements, owner: Owner, limit: number): Promise<OrderNotice[]> {
  const rows = await db.rows<{ number: string; state: OrderState; at: Date }>(
    `select number, state, came.at from (
       select id, number, state from (${ofOwner('id, number, state, created_at', 'state = any($3)', `order by created_at desc, id desc limit ${POLLED}`)}) as own
       order by created_at desc, id desc limit ${POLLED}
     ) as newest cross join lateral (
       select at from order_event where order_id = newest.id and to_state = newest.state and from_state <> to_state
       order by seq desc limit 1
     ) as came order by came.at desc, number limit $4`,
    [...owned(owner), STATES, limit],
    { name: 'exchange.notices' },
  );
  return rows.map(({ number, state, at }) => ({ id: number, kind: `order_${WORDS[state] as NoticeWord}`, at }));
}
