// Orders of account holders: their worth, the desk's profit, and the first ones that count.

import { percent } from '@kurs/money';
import {
  ORDER_EVENTS,
  type OrderPublished,
  maturesAt,
  orderPublished,
  ordersToRemember,
  profitOf,
  worthOf,
} from '../exchange/index.ts';
import {
  type Statements,
  type StoredEvent,
  type Subscription,
  type Tx,
  isMac,
  macOf,
  outbox,
  steady,
} from '../platform/index.ts';
import { type Affiliate, findAffiliates, maxPercent, secondPercent, shareOf, usualAffiliate } from '../referrals/index.ts';
import { rules } from './settings.ts';

const RETAINED = [
  'order.completed',
  'order.reversed',
  'order.restored',
  'order.ended',
] as const satisfies readonly (typeof ORDER_EVENTS)[number][];

/** Stored data of an order. */
export const earnSubscription: Subscription = { subscriber: 'earn', kinds: RETAINED, handle: storeOrders };

interface Row {
  readonly order_id: string;
  readonly holder_id: string;
  readonly worth: string;
  readonly profit: string;
  readonly keys: readonly string[];
  readonly matures_at: Date;
  readonly is_reversed: boolean;
  readonly qualified_at: Date | null;
  readonly mac: string | null;
}

const COLUMNS = 'order_id, holder_id, worth, profit, keys, matures_at, is_reversed, qualified_at, mac';
const contentOf = (row: Omit<Row, 'mac'>): string =>
  steady([
    ...[row.order_id, row.holder_id, BigInt(row.worth), BigInt(row.profit), row.keys, row.matures_at],
    ...[row.is_reversed, row.qualified_at],
  ]);
const isAsStored = (row: Row): boolean => isMac('earn order', contentOf(row), row.mac);

/** A row with changes, under its MAC. One that was changed by SQL gets none. */
function changed(row: Row, change: Partial<Row>): Row {
  const next = { ...row, ...change };
  return { ...next, mac: isAsStored(row) ? macOf('earn order', contentOf(next)) : null };
}

async function storeOrders(tx: Tx, events: readonly StoredEvent[]): Promise<void> {
  const reported = events.map(({ kind, body }) => ({ kind, of: orderPublished.parse(body) }));
  const rows = new Map(
    (
      await lockRows(
        tx,
        reported.map(({ of }) => of.order),
      )
    ).map((row) => [row.order_id, row]),
  );
  const affiliates = await findAffiliates(
    tx,
    reported.flatMap(({ of }) => (of.sentBy ? [of.sentBy.affiliate] : [])),
  );
  for (const { kind, of } of reported) {
    const known = rows.get(of.order);
    if (kind === 'order.completed' && of.customer.holder !== null) {
      // A repeated completion replaces the last one.
      const fresh = freshOf(of, of.customer.holder, retainedOf(of, affiliates));
      const { worth, profit, keys, matures_at, is_reversed } = fresh;
      rows.set(of.order, known ? changed(known, { worth, profit, keys, matures_at, is_reversed }) : fresh);
    } else if (known)
      rows.set(of.order, changed(known, { is_reversed: kind !== 'order.completed' && kind !== 'order.restored' }));
  }
  await saveRows(tx, [...rows.values()]);
}

function freshOf({ order, price, customer, paidBy, at }: OrderPublished, holder: string, profit: bigint): Row {
  const row = {
    ...{ order_id: order, holder_id: holder, worth: `${worthOf(price)}`, profit: `${profit}` },
    ...{ keys: customer.shown, matures_at: maturesAt(paidBy, new Date(at)) },
    ...{ is_reversed: false, qualified_at: null },
  };
  return { ...row, mac: macOf('earn order', contentOf(row)) };
}

const lockRows = (tx: Tx, orders: readonly string[]): Promise<Row[]> =>
  tx.rows<Row>(
    `select ${COLUMNS} from earn_order where order_id = any ($1) order by order_id for update`,
    [[...new Set(orders)]],
    { name: 'earn.lock_orders' },
  );

/** Writes changed orders. */
async function saveRows(tx: Tx, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(
    `insert into earn_order (${COLUMNS})
     select order_id, holder_id, worth, profit, array(select jsonb_array_elements_text(keys::jsonb)), matures_at, is_reversed,
       qualified_at, mac
     from unnest($1::uuid[], $2::uuid[], $3::numeric[], $4::numeric[], $5::text[], $6::timestamptz[], $7::bool[], $8::timestamptz[],
       $9::uuid[]) as o (order_id, holder_id, worth, profit, keys, matures_at, is_reversed, qualified_at, mac)
     on conflict (order_id) do update set worth = excluded.worth, profit = excluded.profit, keys = excluded.keys,
       matures_at = excluded.matures_at, is_reversed = excluded.is_reversed, qualified_at = excluded.qualified_at, mac = excluded.mac`,
    [
      rows.map((row) => row.order_id),
      rows.map((row) => row.holder_id),
      rows.map(({ worth }) => worth),
      rows.map(({ profit }) => profit),
      rows.map(({ keys }) => JSON.stringify(keys)),
      rows.map((row) => row.matures_at),
      rows.map((row) => row.is_reversed),
      rows.map((row) => row.qualified_at),
      rows.map(({ mac }) => mac),
    ],
    { name: 'earn.save_orders' },
  );
}

/**
 * Returns completed orders of account holders that have no row here although their events were handled. With `among`: of these
 * alone.
 */
export async function missingOrders(db: Statements, among: readonly string[] | undefined): Promise<string[]> {
  const { completed } = await ordersToRemember(db, among);
  const rows = await db.rows<{ id: string }>(
    `select id from unnest($1::uuid[]) as id where not exists (select from earn_order where order_id = id)`,
    [completed],
  );
  const undelivered = await outbox.undelivered(
    db,
    earnSubscription.subscriber,
    rows.map(({ id }) => `order:${id}`),
  );
  return rows.map(({ id }) => id).filter((id) => !undelivered.has(`order:${id}`));
}

/** Returns ids of orders whose rows SQL changed. With `among`: of these alone. */
export async function alteredOrders(db: Statements, among: readonly string[] | undefined): Promise<string[]> {
  const some = among ? 'where order_id = any ($1::uuid[])' : '';
  const rows = await db.rows<Row>(`select ${COLUMNS} from earn_order ${some}`, among && [among]);
  return rows.filter((row) => !isAsStored(row)).map((row) => row.order_id);
}

const ALL = 10_000n;

/**
 * Returns the desk's profit from an order, in minor units of the unit of rewards, rounded down: its income less the maximum of
 * the affiliates' and the friend's shares. A reward that people refuse, or that is below the minimum, is subtracted too.
 */
function retainedOf({ price, sentBy }: OrderPublished, affiliates: ReadonlyMap<string, Affiliate>): bigint {
  const earned = profitOf(price);
  if (!sentBy) return earned;
  const affiliate = affiliates.get(sentBy.affiliate) ?? usualAffiliate(sentBy.affiliate);
  const [own, promised] = [BigInt(shareOf(affiliate)) * 100n, hundredths(sentBy.friendPercent)];
  const wanted = (own > promised ? own : promised) + (sentBy.second === null ? 0n : BigInt(secondPercent()) * 100n);
  const max = BigInt(maxPercent()) * 100n;
  return (earned * (ALL - (wanted < max ? wanted : max))) / ALL;
}

/** Returns a percentage in hundredths of a percent, rounded up. */
function hundredths(text: string): bigint {
  const { numerator, denominator } = percent(text);
  return (numerator * ALL + denominator - 1n) / denominator;
}

/**
 * Returns a holder's mature orders that are large enough, and share no identity with an order that counts for somebody else. Only
 * proven identities are compared: typed ones count against nobody.
 */
const QUALIFYING = `select ${COLUMNS} from earn_order as own
  where holder_id = $1 and matures_at <= $2 and not is_reversed and worth >= $3
    and not exists (
      select from earn_order as other
      where other.qualified_at is not null and other.holder_id <> own.holder_id and other.keys && own.keys
    )
  order by qualified_at nulls last, matures_at, order_id limit 100`;

/** Returns the order that counts, or would count, as a holder's first one; those whose rows SQL changed are left out. */
async function firstOf(db: Statements, holderId: string, now: Date): Promise<Row | undefined> {
  const rows = await db.rows<Row>(QUALIFYING, [holderId, now, rules().minOrder], { name: 'earn.qualifying' });
  return rows.find(isAsStored);
}

/** Returns true if an order of a holder's would count as their first one. */
export const wouldQualify = async (db: Statements, holderId: string, now: Date): Promise<boolean> =>
  (await firstOf(db, holderId, now)) !== undefined;

/**
 * Returns true if an order of a holder's counts as their first one, and notes it, so that its identities count for nobody else.
 */
export async function qualifies(tx: Tx, holderId: string): Promise<boolean> {
  await tx.run(`select pg_advisory_xact_lock(hashtext('earn.qualify'))`);
  const first = await firstOf(tx, holderId, tx.now);
  if (!first) return false;
  const [row] = await lockRows(tx, [first.order_id]);
  if (row?.qualified_at === null) await saveRows(tx, [changed(row, { qualified_at: tx.now })]);
  return true;
}

/** Returns the desk's profit from a holder's mature orders. Those whose rows SQL changed don't count. */
export async function earnedBy(db: Statements, holderId: string, now: Date): Promise<bigint> {
  const rows = await db.rows<Row>(
    `select ${COLUMNS} from earn_order where holder_id = $1 and matures_at <= $2 and not is_reversed`,
    [holderId, now],
    { name: 'earn.earned_by' },
  );
  return rows.filter(isAsStored).reduce((sum, { profit }) => sum + BigInt(profit), 0n);
}
