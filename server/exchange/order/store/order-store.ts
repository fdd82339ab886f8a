import { Problem } from '@kurs/contract';
import {
  canonicalEmail,
  fromExactJson,
  jsonArray,
  type Statements,
  toExactJson,
  type Tx,
  wake,
} from '../../../platform/index.ts';
import { confirmationsTogether } from '../../../payments/index.ts';
import type { OrderState, OrderView } from '../order.ts';
import { isAsStored, orderMac } from './order-mac.ts';
import type { StoredOrder } from './stored-order.ts';

export type { StoredOrder };

/** A row of an order's timeline. `seq` is the order's version after the event. */
export interface OrderEventRow {
  /** Id of the event and of its journal, if the event posted one. */
  readonly id: string;
  readonly orderId: string;
  readonly seq: number;
  readonly at: Date;
  readonly who: string;
  readonly event: string;
  readonly from: string;
  readonly to: string;
  readonly why: string;
  readonly body: Readonly<Record<string, string>>;
}

interface OrderRow {
  id: string;
  number: string;
  kind: 'order' | 'unallocated';
  state: OrderState;
  version: number;
  created_at: Date;
  updated_at: Date;
  due_at: Date | null;
  finished_at: Date | null;
  give_currency: string;
  get_currency: string | null;
  give_parts: string;
  get_parts: string | null;
  usd: string;
  email: string;
  customer: string;
  holder_id: string | null;
  locale: 'en' | 'ru';
  device: string | null;
  ip: string | null;
  calculation_id: string | null;
  unallocated_of: string | null;
  token_version: number;
  pay_to: string | null;
  pay_memo: string | null;
  pinned: string;
  body: string;
  mac: string | null;
}

const COLUMNS = `id, number, kind, state, version, created_at, updated_at, due_at, finished_at, give_currency, get_currency, give_parts,
  get_parts, usd, email, customer, holder_id, locale, device, ip, calculation_id, unallocated_of, token_version, pay_to, pay_memo, pinned::text, body::text, mac`;

/** Returns an order by its number; undefined if there is none. */
export async function readOrder(db: Statements, number: string): Promise<StoredOrder | undefined> {
  const row = await db.row<OrderRow>(`select ${COLUMNS} from customer_order where number = $1`, [number], {
    name: 'exchange.order',
  });
  return row && fromRow(row);
}

/** Returns orders by their ids, sorted by id. */
export async function readOrders(db: Statements, ids: readonly string[]): Promise<StoredOrder[]> {
  if (ids.length === 0) return [];
  const rows = await db.rows<OrderRow>(`select ${COLUMNS} from customer_order where id = any($1) order by id`, [ids], {
    name: 'exchange.orders',
  });
  return rows.map(fromRow);
}

/** Returns orders in the given states, sorted by id, from the first id after `behind`. */
export async function readOrdersIn(
  db: Statements,
  { states, behind, max }: { readonly states: readonly string[]; readonly behind: string | undefined; readonly max: number },
): Promise<StoredOrder[]> {
  const rows = await db.rows<OrderRow>(
    `select ${COLUMNS} from customer_order where state = any($1) and ($2::uuid is null or id > $2) order by id limit $3`,
    [states, behind ?? null, max],
  );
  return rows.map(fromRow);
}

/** Returns the order that a calculation became; undefined if there is none. */
export async function orderOfCalculation(db: Statements, calculationId: string): Promise<StoredOrder | undefined> {
  const row = await db.row<OrderRow>(`select ${COLUMNS} from customer_order where calculation_id = $1`, [calculationId]);
  return row && fromRow(row);
}

/**
 * Returns the other orders that share an order's payment address: the original order, and all orders that arose from payments to
 * the address.
 */
export async function relatedTo(db: Statements, { view, unallocatedOf: root = view.id }: StoredOrder): Promise<StoredOrder[]> {
  const rows = await db.rows<OrderRow>(
    `select ${COLUMNS} from customer_order where (unallocated_of = $1 or id = $1) and id <> $2 order by created_at`,
    [root, view.id],
    { name: 'exchange.related_to' },
  );
  return rows.map(fromRow);
}

/**
 * Returns the ids of these orders and of all orders that descend from them, oldest first. Such orders are unallocated payments,
 * and new orders paid with their money.
 */
export async function familyIds(db: Statements, ids: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    'select id from customer_order where id = any($1) or unallocated_of = any($1) order by id',
    [ids],
    { name: 'exchange.family_ids' },
  );
  return rows.map(({ id }) => id);
}

/**
 * Returns the ids of root orders, sorted, from the first id after `behind`. A root order descends from no other order. An order
 * whose parent is missing, or is not a root itself, is treated as a root.
 */
export async function rootsAfter(db: Statements, behind: string | undefined, max: number): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    `select id from customer_order one
     where (unallocated_of is null or not exists (select from customer_order root where root.id = one.unallocated_of and root.unallocated_of is null))
       and ($1::uuid is null or id > $1) order by id limit $2`,
    [behind ?? null, max],
  );
  return rows.map(({ id }) => id);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the ids of the root orders of these orders; ids that belong to no order are left out. */
export async function rootsAmong(db: Statements, ids: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    'select distinct coalesce(unallocated_of, id) as id from customer_order where id = any ($1)',
    [ids.filter((id) => UUID.test(id))],
  );
  return rows.map(({ id }) => id);
}

/** Returns the ids of the root orders of all orders in the given states. */
export async function rootsIn(db: Statements, states: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    'select distinct coalesce(unallocated_of, id) as id from customer_order where state = any ($1)',
    [states],
  );
  return rows.map(({ id }) => id);
}

/**
 * Locks orders by their ids and returns them; missing ones are left out. All transactions lock in the sequence of the ids, so
 * they can't deadlock.
 */
export async function lockOrders(tx: Tx, ids: readonly string[]): Promise<StoredOrder[]> {
  const rows = await tx.rows<OrderRow>(`select ${COLUMNS} from customer_order where id = any($1) order by id for update`, [ids], {
    name: 'exchange.lock_orders',
  });
  return rows.map(fromRow);
}

/** Locks one order by its number and returns it; undefined if there is none. */
export async function lockOrder(tx: Tx, number: string): Promise<StoredOrder | undefined> {
  const row = await tx.row<OrderRow>(`select ${COLUMNS} from customer_order where number = $1 for update`, [number], {
    name: 'exchange.lock_order',
  });
  return row && fromRow(row);
}

/**
 * Locks orders whose timer is due, at most `max`, and returns them. Orders locked by others are skipped. A second statement reads
 * the rows: the first one may see a row's state before its last change.
 */
export async function lockDue(tx: Tx, max: number): Promise<StoredOrder[]> {
  const rows = await tx.rows<{ id: string }>(
    'select id from customer_order where due_at <= $1 order by due_at limit $2 for update skip locked',
    [tx.now, max],
    { name: 'exchange.lock_due' },
  );
  return rows.length === 0
    ? []
    : lockOrders(
        tx,
        rows.map(({ id }) => id),
      );
}

/** True if some order's timer is due now. */
export async function isAnyDue(db: Statements): Promise<boolean> {
  const due = await db.row('select from customer_order where due_at <= clock_now() limit 1', [], { name: 'exchange.is_any_due' });
  return due !== undefined;
}

/** Inserts new orders. */
export function insertOrders(tx: Tx, orders: readonly StoredOrder[]): void {
  if (orders.length === 0) return;
  tx.write(
    `insert into customer_order (id, number, kind, state, version, created_at, updated_at, due_at, finished_at, give_currency,
       get_currency, give_parts, get_parts, usd, email, customer, locale, device, ip, calculation_id, unallocated_of, token_version,
       pay_to, pay_memo, pinned, body, holder_id, mac)
     select o.id, o.number, o.kind, o.state, o.version, o.created_at, $2, o.due_at, o.finished_at, o.give_currency, o.get_currency,
       o.give_parts, o.get_parts, o.usd, o.email, o.customer, o.locale, o.device, o.ip, o.calculation_id, o.unallocated_of,
       o.token_version, o.pay_to, o.pay_memo, o.pinned, o.body, o.holder_id, o.mac
     from jsonb_to_recordset($1::jsonb) as o (id uuid, number text, kind text, state text, version int, created_at timestamptz, due_at timestamptz,
       finished_at timestamptz, give_currency text, get_currency text, give_parts numeric, get_parts numeric, usd numeric,
       email text, customer text, locale text, device text, ip text, calculation_id uuid, unallocated_of uuid, token_version int,
       pay_to text, pay_memo text, pinned jsonb, body jsonb, holder_id uuid, mac uuid)`,
    [JSON.stringify(orders.map(toRow)), tx.now],
    { name: 'exchange.insert_orders' },
  );
}

/**
 * Saves the machine's changes to locked orders, in one statement. `versions`: the versions that the decisions were based on, by
 * order id. Throws `order_changed` if a stored version differs. The row lock should rule that out, but money must not depend on
 * the lock alone.
 */
export async function saveOrders(tx: Tx, orders: readonly StoredOrder[], versions: ReadonlyMap<string, number>): Promise<void> {
  if (orders.length === 0) return;
  const saved = await tx.run(
    `update customer_order o set state = n.state, version = n.version, updated_at = $7, due_at = n.due_at,
       finished_at = n.finished_at, body = n.body, mac = coalesce(n.mac, o.mac)
     from rows from (unnest($1::uuid[], $2::text[], $3::int[], $4::timestamptz[], $5::timestamptz[], $8::int[], $9::uuid[]),
         jsonb_array_elements($6::jsonb))
       as n (id, state, version, due_at, finished_at, was, mac, body)
     where o.id = n.id and o.version = n.was`,
    [
      orders.map(({ view }) => view.id),
      orders.map(({ view }) => view.state),
      orders.map(({ view }) => view.version),
      orders.map(({ dueAt }) => dueAt ?? null),
      orders.map(({ finishedAt }) => finishedAt ?? null),
      jsonArray(orders.map(({ view }) => bodyOf(view))),
      tx.now,
      orders.map(({ view }) => versions.get(view.id) ?? null),
      // An order whose row was changed outside the product keeps its old MAC, so that it stays recognised as altered.
      orders.map((order) => (order.isAltered ? null : orderMac(order))),
    ],
    { name: 'exchange.save_orders' },
  );
  if (saved !== orders.length) throw new Problem('order_changed');
  tx.afterCommit(() => wake('owners'));
}

/** Saves the address of a locked order. Its MAC must be saved with it (`saveOrders`). */
export async function saveEmail(tx: Tx, { view, email }: StoredOrder): Promise<void> {
  await tx.run('update customer_order set email = $2, customer = $3 where id = $1', [view.id, email, canonicalEmail(email)], {
    name: 'exchange.save_email',
  });
}

/** Saves the direction of a locked order that had none. Its MAC must be saved with it (`saveOrders`). */
export async function saveDirection(tx: Tx, { view }: StoredOrder): Promise<void> {
  await tx.run(
    'update customer_order set get_currency = $2, get_parts = $3, pinned = $4 where id = $1 and get_currency is null',
    [view.id, view.get?.currency ?? null, view.get?.parts.toString() ?? null, pinnedOf(view)],
    { name: 'exchange.save_direction' },
  );
}

/** Adds rows to timelines. */
export function addEvents(tx: Tx, events: readonly OrderEventRow[]): void {
  if (events.length === 0) return;
  tx.write(
    `insert into order_event (id, order_id, seq, at, who, event, from_state, to_state, why, body)
     select * from rows from (unnest($1::uuid[], $2::uuid[], $3::int[], $4::timestamptz[], $5::text[], $6::text[], $7::text[],
       $8::text[], $9::text[]), jsonb_array_elements($10::jsonb))`,
    [
      events.map(({ id }) => id),
      events.map(({ orderId }) => orderId),
      events.map(({ seq }) => seq),
      events.map(({ at }) => at),
      events.map(({ who }) => who),
      events.map(({ event }) => event),
      events.map(({ from }) => from),
      events.map(({ to }) => to),
      events.map(({ why }) => why),
      jsonArray(events.map(({ body }) => JSON.stringify(body))),
    ],
    { name: 'exchange.add_events' },
  );
}

/** Returns an order's timeline, oldest first. */
export async function eventsOf(db: Statements, orderId: string): Promise<OrderEventRow[]> {
  return db.rows<OrderEventRow>(
    `select id, order_id as "orderId", seq, at, who, event, from_state as "from", to_state as "to", why, body
     from order_event where order_id = $1 order by seq`,
    [orderId],
    { name: 'exchange.events_of' },
  );
}

/** Postpones the timers of orders that can't be processed now. */
export async function putOffTimers(db: Statements, ids: readonly string[], until: Date): Promise<void> {
  if (ids.length === 0) return;
  await db.run('update customer_order set due_at = $2 where id = any($1)', [ids, until], { name: 'exchange.put_off_timers' });
}

/** Step of `changesOf` for each version: more than the confirmations of an order's payments together. */
const A_CHANGE = 1_000;

/** Returns a number that rises with each change of an order, each replacement of its secret and each confirmation of its payments. */
export const changesOf = ({ view, tokenVersion }: Pick<StoredOrder, 'view' | 'tokenVersion'>, confirmations = 0): number =>
  (view.version + tokenVersion) * A_CHANGE + Math.min(confirmations, A_CHANGE - 1);

/** Returns the current `changesOf` of these orders, by id. One query serves all streams of a process. */
export async function versionsOf(db: Statements, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.rows<{ id: string; version: number }>(
    `select id, (version + token_version)::float8 * ${A_CHANGE}
       + least(${confirmationsTogether('order', 'customer_order.id')}, ${A_CHANGE - 1}) as version
     from customer_order where id = any($1)`,
    [ids],
    { name: 'exchange.versions_of' },
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/**
 * The parts of an order that never change after the placing. They have a column of their own, so that an event doesn't write the
 * price terms again.
 */
type Pinned = Pick<OrderView, 'give' | 'get' | 'pinned'>;

function pinnedOf({ give, get, pinned }: Pinned): string {
  return toExactJson({ give, get, pinned });
}

/** The parts of an order that events change. */
function bodyOf({ receive, refund, payments, positions, facts }: OrderView): string {
  return toExactJson({ receive, refund, payments, positions, facts });
}

function toRow(order: StoredOrder): object {
  const { view } = order;
  return {
    id: view.id,
    number: order.number,
    kind: view.kind,
    state: view.state,
    version: view.version,
    created_at: order.createdAt,
    due_at: order.dueAt ?? null,
    finished_at: order.finishedAt ?? null,
    give_currency: view.give.currency,
    get_currency: view.get?.currency ?? null,
    give_parts: view.give.parts.toString(),
    get_parts: view.get?.parts.toString() ?? null,
    usd: order.usd.toString(),
    email: order.email,
    holder_id: order.holderId ?? null,
    customer: canonicalEmail(order.email),
    locale: order.locale,
    device: order.device ?? null,
    ip: order.ip ?? null,
    calculation_id: order.calculationId ?? null,
    unallocated_of: order.unallocatedOf ?? null,
    token_version: order.tokenVersion,
    pay_to: order.payTo ?? null,
    pay_memo: order.payMemo ?? null,
    mac: orderMac(order),
    pinned: JSON.parse(pinnedOf(view)) as unknown,
    body: JSON.parse(bodyOf(view)) as unknown,
  };
}

/** Cache of the terms that orders pin at their placing, by the stored text. Each event of an order reads them; they never change. */
const known = new Map<string, Pinned>();
const MAX_KNOWN = 2_000;

function readPinned(text: string): Pinned {
  const before = known.get(text);
  const pinned = before ?? fromExactJson<Pinned>(text);
  if (!before && known.size >= MAX_KNOWN) known.delete(known.keys().next().value ?? '');
  if (!before) known.set(text, pinned);
  return pinned;
}

function fromRow(row: OrderRow): StoredOrder {
  const pinned = readPinned(row.pinned);
  const body = fromExactJson<Omit<OrderView, 'id' | 'kind' | 'state' | 'version' | keyof typeof pinned>>(row.body);
  const view = { ...pinned, ...body, id: row.id, kind: row.kind, state: row.state, version: row.version };
  const order: StoredOrder = {
    view,
    number: row.number,
    email: row.email,
    locale: row.locale,
    usd: BigInt(row.usd),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    tokenVersion: row.token_version,
    ...(row.due_at && { dueAt: row.due_at }),
    ...(row.finished_at && { finishedAt: row.finished_at }),
    ...(row.holder_id !== null && { holderId: row.holder_id }),
    ...(row.device !== null && { device: row.device }),
    ...(row.ip !== null && { ip: row.ip }),
    ...(row.calculation_id !== null && { calculationId: row.calculation_id }),
    ...(row.unallocated_of !== null && { unallocatedOf: row.unallocated_of }),
    ...(row.pay_to !== null && { payTo: row.pay_to }),
    ...(row.pay_memo !== null && { payMemo: row.pay_memo }),
  };
  return isAsStored(order, row.mac) && isCopied(order, row) ? order : { ...order, isAltered: true };
}

/** True if the row's columns that are used for searching and sums match the order's own data. */
function isCopied({ view: { give, get }, email }: StoredOrder, row: OrderRow): boolean {
  return (
    row.customer === canonicalEmail(email) &&
    row.give_currency === give.currency &&
    row.get_currency === (get?.currency ?? null) &&
    row.give_parts === give.parts.toString() &&
    row.get_parts === (get?.parts.toString() ?? null)
  );
}
