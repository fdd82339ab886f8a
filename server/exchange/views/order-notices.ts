import type { Statements } from '../../platform/index.ts';
import { ORDER_STATES, type OrderState, WORDS } from '../order/order.ts';
import { type Owner, ofOwner, owned } from '../order/store/owner.ts';

/** Where an order came to that its customer wants to hear of: their word is asked for, or it is over. */
const TOLD = ['choose', 'checking', 'done', 'refunded', 'rejected', 'expired'] as const;
type Told = (typeof TOLD)[number];

/** That an order came to where it stands. */
export interface OrderNotice {
  /** The order's number. */
  readonly id: string;
  readonly kind: `order_${Told}`;
  readonly at: Date;
}

/** How many newest orders are searched for the last change: an older one that still moves is among the open ones. */
const LOOKED = 200;
const isTold = (word: string): word is Told => (TOLD as readonly string[]).includes(word);
const STATES: readonly OrderState[] = ORDER_STATES.filter((state) => isTold(WORDS[state]));

/** The newest of an owner, newest first: each order by how it stands now, and since when. */
export async function orderNotices(db: Statements, owner: Owner, limit: number): Promise<OrderNotice[]> {
  const rows = await db.rows<{ number: string; state: OrderState; at: Date }>(
    `select number, state, came.at from (
       select id, number, state from (${ofOwner('id, number, state, created_at', 'state = any($3)', `order by created_at desc, id desc limit ${LOOKED}`)}) as own
       order by created_at desc, id desc limit ${LOOKED}
     ) as newest cross join lateral (
       select at from order_event where order_id = newest.id and to_state = newest.state and from_state <> to_state
       order by seq desc limit 1
     ) as came order by came.at desc, number limit $4`,
    [...owned(owner), STATES, limit],
    { name: 'exchange.notices' },
  );
  return rows.map(({ number, state, at }) => ({ id: number, kind: `order_${WORDS[state] as Told}`, at }));
}
