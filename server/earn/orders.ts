// Orders of account holders: what each was worth and what the desk keeps of it, and whose first one counts.

import { percent } from '@kurs/money';
import { ORDER_EVENTS, type OrderPublished, maturesAt, orderPublished, profitOf, worthOf } from '../exchange/index.ts';
import type { Statements, StoredEvent, Subscription, Tx } from '../platform/index.ts';
import { type Affiliate, findAffiliates, mostPercent, secondPercent, shareOf, usualAffiliate } from '../referrals/index.ts';
import { rules } from './settings.ts';

const KEPT = [
  'order.completed',
  'order.reversed',
  'order.restored',
  'order.ended',
] as const satisfies readonly (typeof ORDER_EVENTS)[number][];

/** What the room keeps of orders. */
export const earnSubscription: Subscription = { subscriber: 'earn', kinds: KEPT, handle: keepOrders };

async function keepOrders(tx: Tx, events: readonly StoredEvent[]): Promise<void> {
  const told = events.map(({ kind, body }) => ({ kind, of: orderPublished.parse(body) }));
  const done = told.flatMap(({ kind, of }) => (kind === 'order.completed' && of.customer.holder !== null ? [of] : []));
  await addOrders(tx, done);
  // The last that was told of an order counts.
  const standing = new Map(told.map(({ kind, of }) => [of.order, kind !== 'order.completed' && kind !== 'order.restored']));
  if (standing.size === 0) return;
  await tx.run(
    `update earn_order set is_reversed = s.is_reversed from unnest($1::uuid[], $2::bool[]) as s (order_id, is_reversed)
     where earn_order.order_id = s.order_id`,
    [[...standing.keys()], [...standing.values()]],
    { name: 'earn.orders_reversed' },
  );
}

/** Keeps completed orders. One that is completed anew stands as its last completion says. */
async function addOrders(tx: Tx, completed: readonly OrderPublished[]): Promise<void> {
  if (completed.length === 0) return;
  const orders = [...new Map(completed.map((one) => [one.order, one])).values()];
  const affiliates = await findAffiliates(tx, orders.flatMap(({ sentBy }) => (sentBy ? [sentBy.affiliate] : []))); // prettier-ignore
  const kept = orders.map((order) => keptOf(order, affiliates));
  await tx.run(
    `insert into earn_order (order_id, holder_id, worth, profit, keys, matures_at)
     select order_id, holder_id, worth, profit, array(select jsonb_array_elements_text(keys::jsonb)), matures_at
     from unnest($1::uuid[], $2::uuid[], $3::numeric[], $4::numeric[], $5::text[], $6::timestamptz[])
       as o (order_id, holder_id, worth, profit, keys, matures_at)
     on conflict (order_id) do update set worth = excluded.worth, profit = excluded.profit, keys = excluded.keys,
       matures_at = excluded.matures_at`,
    [
      orders.map(({ order }) => order),
      orders.map(({ customer }) => customer.holder),
      orders.map(({ price }) => worthOf(price)),
      kept,
      orders.map(({ customer }) => JSON.stringify([...customer.shown, ...customer.typed])),
      orders.map(({ paidBy, at }) => maturesAt(paidBy, new Date(at))),
    ],
    { name: 'earn.add_orders' },
  );
}

const ALL = 10_000n;

/**
 * What the desk keeps of an order, in parts of the unit of rewards, rounded down: what it earned less what those who sent the customer
 * and the friend get of it at the most. A reward that people refuse, or that is below the least, counts all the same.
 */
function keptOf({ price, sentBy }: OrderPublished, affiliates: ReadonlyMap<string, Affiliate>): bigint {
  const earned = profitOf(price);
  if (!sentBy) return earned;
  const affiliate = affiliates.get(sentBy.affiliate) ?? usualAffiliate(sentBy.affiliate);
  const [own, promised] = [BigInt(shareOf(affiliate)) * 100n, hundredths(sentBy.friendPercent)];
  const wanted = (own > promised ? own : promised) + (sentBy.second === null ? 0n : BigInt(secondPercent()) * 100n);
  const most = BigInt(mostPercent()) * 100n;
  return (earned * (ALL - (wanted < most ? wanted : most))) / ALL;
}

/** A percentage in hundredths of a percent, up. */
function hundredths(text: string): bigint {
  const { numerator, denominator } = percent(text);
  return (numerator * ALL + denominator - 1n) / denominator;
}

/** A mature order of a holder's that is large enough, and that shares no key with one that counts for somebody else. */
const QUALIFYING = `select order_id as id from earn_order as own
  where holder_id = $1 and matures_at <= $2 and not is_reversed and worth >= $3
    and not exists (
      select from earn_order as other
      where other.qualified_at is not null and other.holder_id <> own.holder_id and other.keys && own.keys
    )
  order by qualified_at nulls last, matures_at, order_id limit 1`;

/** Whether an order of a holder's would count as their first one. */
export async function wouldQualify(db: Statements, holderId: string, now: Date): Promise<boolean> {
  return (await db.row(QUALIFYING, [holderId, now, rules().orderLeast], { name: 'earn.qualifying' })) !== undefined;
}

/** Whether an order of a holder's counts as their first one; it is noted, so that none of its keys counts for anybody else. */
export async function qualifies(tx: Tx, holderId: string): Promise<boolean> {
  await tx.run(`select pg_advisory_xact_lock(hashtext('earn.qualify'))`);
  const row = await tx.row<{ id: string }>(QUALIFYING, [holderId, tx.now, rules().orderLeast]);
  if (!row) return false;
  await tx.run('update earn_order set qualified_at = $2 where order_id = $1 and qualified_at is null', [row.id, tx.now]);
  return true;
}

/** What the desk keeps of a holder's mature orders. */
export async function earnedBy(db: Statements, holderId: string, now: Date): Promise<bigint> {
  const row = await db.row<{ parts: string }>(
    `select coalesce(sum(profit), 0) as parts from earn_order where holder_id = $1 and matures_at <= $2 and not is_reversed`,
    [holderId, now],
    { name: 'earn.earned_by' },
  );
  return BigInt(row?.parts ?? '0');
}
