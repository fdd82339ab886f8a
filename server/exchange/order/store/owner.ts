// Decides who owns an order, for lists, single orders, figures and exports alike.

import { emailKey } from '../../../auth/index.ts';
import { type Context, type Statements, alsoAbout, holderBehind } from '../../../platform/index.ts';
import { requireAsStored } from './order-mac.ts';
import { type StoredOrder, readOrders } from './order-store.ts';

/** An account holder as the owner of orders. */
export interface Owner {
  readonly id: string;
  /** Key of the holder's verified address; undefined while the address is unverified. */
  readonly mailbox: string | undefined;
}

/** Returns the account holder of a request. Throws `unauthorised`. */
export function ownerOf(context: Pick<Context, 'user' | 'key'>): Owner {
  const holder = holderBehind(context);
  return { id: holder.id, mailbox: holder.isEmailVerified ? emailKey(holder.email) : undefined };
}

/**
 * True if the caller placed the order: it was placed in the same browser, recognised by our cookie, or the caller's account owns
 * it. The same network or kind of browser proves nothing.
 */
export function isPlacedBy(order: StoredOrder, { browser, user }: Pick<Context, 'browser' | 'user'>): boolean {
  if (browser !== undefined && browser === order.device) return true;
  if (!user) return false;
  const { id, mailbox } = ownerOf({ user });
  if (order.holderId !== undefined) return order.holderId === id;
  return mailbox !== undefined && order.email !== '' && order.email.toLowerCase() === mailbox;
}

/** True if neither an account nor an address of the order's customer is known. */
export const hasNoName = ({
  email,
  holderId,
}: Pick<StoredOrder, 'email'> & { readonly holderId?: string | undefined }): boolean => email === '' && holderId === undefined;

/**
 * SQL condition for an owner's rows of `customer_order`, for statements whose first two parameters are `owned(owner)`. An owner's
 * orders were placed in their session, or without a session but with their verified address. Here another spelling of an address
 * is another mailbox, although limits treat both as the same.
 */
export const OWNED = '(holder_id = $1 or (holder_id is null and lower(email) = $2))';

/**
 * Returns SQL for the rows of `OWNED`, for statements that read many rows: each half of the condition is read along its own
 * index. `tail` sorts and limits the rows of each index.
 */
export const ofOwner = (columns: string, filter = 'true', tail = ''): string =>
  ['holder_id = $1', 'holder_id is null and lower(email) = $2']
    .map((own) => `(select ${columns} from customer_order where ${own} and ${filter} ${tail})`)
    .join(' union all ');

/** Returns the parameters of `OWNED`. */
export const owned = ({ id, mailbox }: Owner): [id: string, mailbox: string | null] => [id, mailbox ?? null];

/** Returns an owner's order by its number; undefined if there is none or another owns it. Throws `record_altered`. */
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
  return order && requireAsStored(order);
}
