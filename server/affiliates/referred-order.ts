// Orders of referred customers: their stored data, and their public reference for others.

import { ordersToRemember } from '../exchange/index.ts';
import { type Db, type Statements, type Tx, inGroupsById, isMac, log, macOf, outbox, steady } from '../platform/index.ts';
import { findAffiliates } from '../referrals/index.ts';

/** An order of a referred customer. */
export interface ReferredOrder {
  readonly orderId: string;
  /** Public reference of the order, for others. */
  readonly reference: string;
  readonly affiliate: string;
  readonly second: string | undefined;
  readonly campaign: string;
  readonly sub: string;
  /** Currencies of its two sides. */
  readonly give: string;
  readonly get: string;
  /** The friend's promised percentage of the profit. */
  readonly friendPercent: string;
  /** Reason for people to decide about each reward of it. */
  readonly shared: string | undefined;
  /** Reason for people to decide about the second level's reward alone. */
  readonly secondShared: string | undefined;
  readonly placedAt: Date;
  readonly completedAt: Date | undefined;
  readonly reversedAt: Date | undefined;
  readonly profit: bigint | undefined;
  /** Time at which its rewards mature, and its worth in cents of USD. */
  readonly maturesAt: Date | undefined;
  readonly worth: bigint | undefined;
  /** Its customer's canonical address, until it no longer counts towards a level. */
  readonly customer: string | undefined;
  /** True if SQL changed the order's row: the order earns nothing more, and its earnings are taken back with it. */
  readonly isAltered?: boolean;
}

type Optional =
  | 'second'
  | 'shared'
  | 'secondShared'
  | 'completedAt'
  | 'reversedAt'
  | 'profit'
  | 'maturesAt'
  | 'worth'
  | 'customer';
interface Row extends Omit<ReferredOrder, Optional> {
  readonly second: string | null;
  readonly shared: string | null;
  readonly secondShared: string | null;
  readonly completedAt: Date | null;
  readonly reversedAt: Date | null;
  readonly profit: string | null;
  readonly maturesAt: Date | null;
  readonly worth: string | null;
  readonly customer: string | null;
  readonly mac: string | null;
}

const COLUMNS = `order_id as "orderId", reference, affiliate, second, campaign, sub, give, get, friend_percent as "friendPercent", shared,
  second_shared as "secondShared",
  placed_at as "placedAt", completed_at as "completedAt", reversed_at as "reversedAt", profit,
  matures_at as "maturesAt", worth, customer, mac`;

function orderIn({ mac, ...row }: Row): ReferredOrder {
  const { second, shared, secondShared, completedAt, reversedAt, profit, maturesAt, worth, customer } = row;
  const order: ReferredOrder = {
    ...row,
    ...{ second: second ?? undefined, shared: shared ?? undefined, secondShared: secondShared ?? undefined },
    ...{ completedAt: completedAt ?? undefined, reversedAt: reversedAt ?? undefined, maturesAt: maturesAt ?? undefined },
    ...{ profit: profit === null ? undefined : BigInt(profit), worth: worth === null ? undefined : BigInt(worth) },
    customer: customer ?? undefined,
  };
  return isMac('referred order', contentOf(order), mac) ? order : { ...order, isAltered: true };
}

function contentOf(one: ReferredOrder): string {
  const { orderId, reference, affiliate, second, campaign, sub, give, get, friendPercent, shared, secondShared } = one;
  const { placedAt, completedAt, reversedAt, profit, maturesAt, worth, customer } = one;
  return steady([
    ...[orderId, reference, affiliate, second, campaign, sub, give, get, friendPercent, shared, secondShared],
    ...[placedAt, completedAt, reversedAt, profit, maturesAt, worth, customer],
  ]);
}
const macOfOrder = (one: ReferredOrder): string | null => (one.isAltered ? null : macOf('referred order', contentOf(one)));

/** Writes MACs of newly written orders, but none of those whose rows SQL changed. */
async function mark(tx: Tx, orders: readonly ReferredOrder[]): Promise<void> {
  if (orders.length === 0) return;
  await tx.run(
    'update referred_order set mac = o.mac from unnest($1::uuid[], $2::uuid[]) as o (id, mac) where order_id = o.id',
    [orders.map(({ orderId }) => orderId), orders.map(macOfOrder)],
    { name: 'affiliates.mark_orders' },
  );
}

/** Stored data of an order at its placing. */
export type Placed = Pick<
  ReferredOrder,
  | 'orderId'
  | 'affiliate'
  | 'second'
  | 'campaign'
  | 'sub'
  | 'give'
  | 'get'
  | 'friendPercent'
  | 'shared'
  | 'secondShared'
  | 'placedAt'
> & { readonly customer: string };

/** Stores orders at their placing. Returns the new ones. */
export async function addOrders(tx: Tx, placed: readonly Placed[]): Promise<ReferredOrder[]> {
  if (placed.length === 0) return [];
  const rows = await tx.rows<Row>(
    `insert into referred_order (order_id, affiliate, second, campaign, sub, give, get, friend_percent, shared, placed_at, customer,
       second_shared)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
       $10::timestamptz[], $11::text[], $12::text[])
     on conflict (order_id) do nothing returning ${COLUMNS}`,
    [
      placed.map(({ orderId }) => orderId),
      placed.map(({ affiliate }) => affiliate),
      placed.map(({ second }) => second ?? null),
      placed.map(({ campaign }) => campaign),
      placed.map(({ sub }) => sub),
      placed.map(({ give }) => give),
      placed.map(({ get }) => get),
      placed.map(({ friendPercent }) => friendPercent),
      placed.map(({ shared }) => shared ?? null),
      placed.map(({ placedAt }) => placedAt),
      placed.map(({ customer }) => customer),
      placed.map(({ secondShared }) => secondShared ?? null),
    ],
    { name: 'affiliates.add_orders' },
  );
  const added = rows.map(({ mac: _none, ...row }) => ({ ...orderIn({ ...row, mac: null }), isAltered: false }));
  await mark(tx, added);
  return added;
}

/** Returns orders by their ids, locked in the order of the ids. */
export async function lockOrders(tx: Tx, ids: readonly string[]): Promise<Map<string, ReferredOrder>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.rows<Row>(
    `select ${COLUMNS} from referred_order where order_id = any ($1) order by order_id for update`,
    [ids],
    { name: 'affiliates.lock_orders' },
  );
  const orders = rows.map(orderIn);
  for (const { orderId, isAltered } of orders)
    if (isAltered) log.alarm('a referred order’s row was changed past the product: it earns nothing more', { orderId });
  return new Map(orders.map((order) => [order.orderId, order]));
}

/** Returns an order by its id, without a lock, or undefined if nobody referred its customer. */
export async function findOrder(db: Statements, id: string): Promise<ReferredOrder | undefined> {
  const row = await db.row<Row>(`select ${COLUMNS} from referred_order where order_id = $1`, [id]);
  return row && orderIn(row);
}

/**
 * True if people decide all rewards of an order: it counts only once they pay them. If they only decide the second reward, it is
 * false.
 */
export const isCase = ({ shared }: Pick<ReferredOrder, 'shared'>): boolean => shared !== undefined;

/** Data noted at the completion of an order; `worth`: in cents of USD. */
interface Completion extends Pick<ReferredOrder, 'orderId' | 'shared' | 'secondShared'> {
  readonly completedAt: Date;
  readonly maturesAt: Date;
  readonly profit: bigint;
  readonly worth: bigint;
}

/** Data of orders noted in one transaction, and written at once. */
export class OrderNotes {
  readonly #completed = new Map<string, Completion>();
  readonly #reversed = new Map<string, Date | undefined>();

  /** Notes the completion of an order, with the desk's profit and its worth. */
  completed(one: Completion): void {
    this.#completed.set(one.orderId, one);
    this.#reversed.delete(one.orderId);
  }

  /** Notes the time at which an order was taken back; undefined if it was restored. */
  reversed(orderId: string, at: Date | undefined): void {
    this.#reversed.set(orderId, at);
  }

  /** Writes all notes. An order that was taken back may have been completed just before. */
  async save(tx: Tx): Promise<void> {
    const ids = [...new Set([...this.#completed.keys(), ...this.#reversed.keys()])];
    if (ids.length === 0) return;
    const before = await lockOrders(tx, ids);
    await saveCompleted(tx, [...this.#completed.values()]);
    await saveReversed(tx, this.#reversed);
    await mark(
      tx,
      [...before.values()].map((one) => this.#after(one)),
    );
  }

  #after(before: ReferredOrder): ReferredOrder {
    const { orderId } = before;
    const done = this.#completed.get(orderId);
    const completed: ReferredOrder = done
      ? {
          ...before,
          ...{ completedAt: done.completedAt, maturesAt: done.maturesAt, profit: done.profit, worth: done.worth },
          ...{ shared: done.shared, secondShared: done.secondShared, reversedAt: undefined },
        }
      : before;
    return this.#reversed.has(orderId) ? { ...completed, reversedAt: this.#reversed.get(orderId) } : completed;
  }
}

async function saveCompleted(tx: Tx, orders: readonly Completion[]): Promise<void> {
  if (orders.length === 0) return;
  await tx.run(
    `update referred_order set completed_at = o.completed_at, matures_at = o.matures_at, profit = o.profit, worth = o.worth,
       shared = o.shared, second_shared = o.second_shared, reversed_at = null
     from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::numeric[], $5::numeric[], $6::text[], $7::text[])
       as o (id, completed_at, matures_at, profit, worth, shared, second_shared)
     where order_id = o.id`,
    [
      orders.map(({ orderId }) => orderId),
      orders.map(({ completedAt }) => completedAt),
      orders.map(({ maturesAt }) => maturesAt),
      orders.map(({ profit }) => profit),
      orders.map(({ worth }) => worth),
      orders.map(({ shared }) => shared ?? null),
      orders.map(({ secondShared }) => secondShared ?? null),
    ],
    { name: 'affiliates.completed' },
  );
}

async function saveReversed(tx: Tx, at: ReadonlyMap<string, Date | undefined>): Promise<void> {
  if (at.size === 0) return;
  await tx.run(
    'update referred_order set reversed_at = o.at from unnest($1::uuid[], $2::timestamptz[]) as o (id, at) where order_id = o.id',
    [[...at.keys()], [...at.values()].map((moment) => moment ?? null)],
    { name: 'affiliates.reversed' },
  );
}

/** SQL: orders of at least so many cents that matured within 30 days and were not taken back. */
const ACTIVE = `matures_at between clock_now() - interval '30 days' and clock_now() and customer is not null
  and reversed_at is null and shared is null and worth >= $1`;

/** Returns, for each affiliate, the number of customers with an order of so many cents that counts towards the level. */
export async function activeCustomers(db: Statements, cents: bigint): Promise<Map<string, number>> {
  const customers = new Map<string, Set<string>>();
  const read = (behind: string | undefined, max: number): Promise<Row[]> =>
    db.rows<Row>(
      `select ${COLUMNS} from referred_order where ${ACTIVE} and ($2::uuid is null or order_id > $2) order by order_id limit $3`,
      [cents, behind ?? null, max],
      { name: 'affiliates.active_all' },
    );
  for await (const rows of inGroupsById(read, ({ orderId }) => orderId))
    for (const { affiliate, customer = '' } of counted(rows))
      customers.set(affiliate, (customers.get(affiliate) ?? new Set()).add(customer));
  return new Map([...customers].map(([affiliate, known]) => [affiliate, known.size]));
}

/** Returns this number for one affiliate. */
export async function activeCustomersOf(db: Statements, affiliate: string, cents: bigint): Promise<number> {
  const rows = await db.rows<Row>(
    `select ${COLUMNS} from referred_order where affiliate = $2 and ${ACTIVE}`,
    [cents, affiliate],
    { name: 'affiliates.active' },
  );
  return new Set(counted(rows).map(({ customer }) => customer)).size;
}

/** Returns orders with a valid MAC: others move nobody up the ladder. */
const counted = (rows: readonly Row[]): ReferredOrder[] => rows.map(orderIn).filter(({ isAltered }) => !isAltered);

/** Days for which a customer is counted after their order has matured, and after which an order without completion has ended. */
const COUNTED_DAYS = 31;
const OVER_DAYS = 210;

/** Deletes the customers of orders that no longer count towards a level. Returns their number. */
export async function forgetCustomers(db: Db): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const some = await db.tx(async (tx) => {
      const rows = await tx.rows<Row>(
        `select ${COLUMNS} from referred_order where customer is not null and (matures_at < clock_now() - make_interval(days => $1)
           or (matures_at is null and placed_at < clock_now() - make_interval(days => $2)))
         order by order_id limit ${BATCH_SIZE} for update`,
        [COUNTED_DAYS, OVER_DAYS],
      );
      const orders = rows.map(orderIn).map((one) => ({ ...one, customer: undefined }));
      await tx.run('update referred_order set customer = null where order_id = any ($1)', [orders.map(({ orderId }) => orderId)]);
      await mark(tx, orders);
      return orders.length;
    });
    forgotten += some;
    if (some < BATCH_SIZE) return forgotten;
  }
}

/** Number of orders whose customers are deleted in one transaction. */
const BATCH_SIZE = 500;

/** Returns ids of orders whose rows SQL changed. With `among`: of these alone. */
export async function alteredOrders(db: Statements, among: readonly string[] | undefined): Promise<string[]> {
  const some = among ? 'where order_id = any ($1::uuid[])' : '';
  const rows = await db.rows<Row>(`select ${COLUMNS} from referred_order ${some}`, among && [among]);
  return rows.map(orderIn).flatMap(({ orderId, isAltered }) => (isAltered ? [orderId] : []));
}

/**
 * Returns orders of referred customers that have no row here although their events were handled. With `among`: of these alone.
 */
export async function missingOrders(db: Statements, among: readonly string[] | undefined): Promise<string[]> {
  const { sent } = await ordersToRemember(db, among);
  const rows = await db.rows<{ id: string }>(
    'select id from unnest($1::uuid[]) as id where not exists (select from referred_order where order_id = id)',
    [sent],
  );
  const undelivered = await outbox.undelivered(
    db,
    'affiliates',
    rows.map(({ id }) => `order:${id}`),
  );
  return rows.map(({ id }) => id).filter((id) => !undelivered.has(`order:${id}`));
}

/** Returns affiliates with open rewards but without a row: their terms, and a suspension, are unknown. */
export async function missingAffiliates(db: Statements): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    `select distinct holder_id as id from reward where state in ('waiting', 'case', 'pending', 'available')`,
  );
  const known = await findAffiliates(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map(({ id }) => id).filter((id) => !known.has(id));
}
