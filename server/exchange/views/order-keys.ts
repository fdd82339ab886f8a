// Identity keys of an order's customer, made by compliance, and the other orders that share each key. The desk's people see the
// keys to decide on blocks.

import { networkKey, ownersUnder } from '../../compliance/index.ts';
import { type Statements, canonicalEmail } from '../../platform/index.ts';
import { keysOfCustomers } from '../apply/debts-of-orders.ts';
import { type StoredOrder, readOrders } from '../order/store/order-store.ts';

/** An identity key of an order's customer. */
export interface OrderKey {
  readonly key: string;
  /**
   * True if the key is proven to be the customer's. False if it was only typed on the order, or is the device or network that the
   * order was placed from.
   */
  readonly isShown: boolean;
  /** Numbers of other orders with this key, newest first. */
  readonly orders: readonly string[];
}

/** Maximum number of orders named beside a key. */
const MAX_NAMED = 10;

/** Returns the identity keys of an order's customer, each with the other orders that share it. */
export async function orderKeys(db: Statements, order: StoredOrder): Promise<OrderKey[]> {
  const { shown, typed } = (await keysOfCustomers(db, [order])).get(order.view.id) ?? { shown: [], typed: [] };
  const { device, ip } = order;
  const network = networkKey({ email: '', accounts: [], ip });
  const whence = [...(device === undefined ? [] : [`device:${device}`]), ...(network === undefined ? [] : [network])];
  const others = [...typed, ...whence].filter((key) => !shown.includes(key));
  const keys = [...shown, ...others];
  const found = await sharing(db, order, keys);
  return keys.map((key, at) => ({ key, isShown: at < shown.length, orders: found.get(key) ?? [] }));
}

/** Returns the address of an e-mail key: as the order has it, or else in its canonical spelling, as the key has it. */
function addressOf({ email }: StoredOrder, key: string): string {
  const address = key.slice('email:'.length);
  return canonicalEmail(email) === address ? email.toLowerCase() : address;
}

/** Returns the numbers of the other orders with these keys, by key. Devices and networks of orders are stored for a month. */
async function sharing(db: Statements, order: StoredOrder, keys: readonly string[]): Promise<Map<string, string[]>> {
  const terms = keys.flatMap((key) => {
    if (key.startsWith('email:')) return [{ key, kind: 'email', term: addressOf(order, key) }];
    const account = /^account:[A-Z0-9_-]+:(.+)$/.exec(key)?.[1];
    return account === undefined ? [] : [{ key, kind: 'account', term: account.toLowerCase() }];
  });
  const byTerm = await db.rows<{ key: string; id: string }>(
    `select key, order_id as id from unnest($1::text[], $2::text[], $3::text[]) as given (key, kind, term)
     join lateral (select order_id from order_term o where o.term = given.term and o.kind = given.kind order by order_id desc limit 50) o on true`,
    [terms.map(({ key }) => key), terms.map(({ kind }) => kind), terms.map(({ term }) => term)],
  );
  const byHolder = await db.rows<{ key: string; id: string }>(
    `select 'holder:' || holder_id as key, id from customer_order where holder_id = $1::uuid order by created_at desc limit 50`,
    [order.holderId ?? null],
  );
  const under = await ownersUnder(
    db,
    'order',
    keys.filter((key) => /^(device|net):/.test(key)),
  );
  const all = [...byTerm, ...byHolder, ...under].filter(({ id }) => id !== order.view.id);
  const orders = await readOrders(db, [...new Set(all.map(({ id }) => id))]);
  const numbers = new Map(orders.map(({ view, number }) => [view.id, number]));
  const found = new Map<string, string[]>();
  for (const { key, id } of all.toSorted((a, b) => (a.id < b.id ? 1 : -1))) {
    const [known, number] = [found.get(key) ?? [], numbers.get(id)];
    if (number === undefined || known.includes(number) || known.length >= MAX_NAMED) continue;
    found.set(key, [...known, number]);
  }
  return found;
}
