// Whose order it is: the one place that decides it, for lists, single orders, figures and exports.

import { emailKey } from '../../../auth/index.ts';
import { type Context, type Statements, alsoAbout, holderBehind } from '../../../platform/index.ts';
import { requireAsKept } from './order-mac.ts';
import { type StoredOrder, readOrders } from './order-store.ts';

/** An account holder as their orders know them. */
export interface Owner {
  readonly id: string;
  /** What their verified address is known by; undefined while they have not shown to read it. */
  readonly mailbox: string | undefined;
}

/** The account holder who asks. Throws `unauthorised`. */
export function ownerOf(context: Pick<Context, 'user' | 'key'>): Owner {
  const holder = holderBehind(context);
  return { id: holder.id, mailbox: holder.emailVerified ? emailKey(holder.email) : undefined };
}

/**
 * Whether an order was placed by who asks now: in the same browser, known by our cookie in it, or by the account holder whose
 * it is. Somebody who shares the network and the kind of browser is nobody here.
 */
export function isPlacedBy(order: StoredOrder, { browser, user }: Pick<Context, 'browser' | 'user'>): boolean {
  if (browser !== undefined && browser === order.device) return true;
  if (!user) return false;
  const { id, mailbox } = ownerOf({ user });
  return order.holderId === undefined ? mailbox !== undefined && order.email.toLowerCase() === mailbox : order.holderId === id;
}

/**
 * The rows of `customer_order` that are an owner's, for a statement whose first two parameters are `owned(owner)`: placed
 * with their session, or without anybody's and with their verified address. An address in another spelling is another mailbox
 * here, though limits count it as the same.
 */
export const OWNED = '(holder_id = $1 or (holder_id is null and lower(email) = $2))';

/**
 * The same rows by the two indexes in which they lie, each in its order and up to its limit (`tail`), for a statement that
 * reads many of them. `OWNED` is for one.
 */
export const ofOwner = (columns: string, filter = 'true', tail = ''): string =>
  ['holder_id = $1', 'holder_id is null and lower(email) = $2']
    .map((own) => `(select ${columns} from customer_order where ${own} and ${filter} ${tail})`)
    .join(' union all ');

/** The parameters of `OWNED`. */
export const owned = ({ id, mailbox }: Owner): [id: string, mailbox: string | null] => [id, mailbox ?? null];

/** Returns an owner's order by its number; undefined for none, and for another's. Throws `record_altered`. */
export async function readOwn(db: Statements, owner: Owner, number: string): Promise<StoredOrder | undefined> {
  const row = await db.row<{ id: string }>(
    `select id from customer_order where ${OWNED} and number = $3`,
    [...owned(owner), number],
    {
      name: 'exchange.own_order',
    },
  );
  if (row) alsoAbout({ orderId: row.id, orderNumber: number });
  const [order] = row ? await readOrders(db, [row.id]) : [];
  return order && requireAsKept(order);
}
