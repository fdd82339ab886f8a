// Orders of an account holder: a filtered list by pages, all orders for an export, and figures.

import type { Input, Output, Routes } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { type ListMeta, MAX_COUNTED, type Statements, type Tokens, countSome, likePart, listMeta } from '../../platform/index.ts';
import { amountsOf } from '../order/money/breakdown.ts';
import { ORDER_STATES, type OrderWord, WORDS, wordOf } from '../order/order.ts';
import { type StoredOrder, readOrders } from '../order/store/order-store.ts';
import { moneyWire } from '../wire/price-wire.ts';
import { shortAtOf } from '../wire/order-wire.ts';
import { type Owner, ofOwner, owned } from '../order/store/owner.ts';
import { readSums } from '../calculation/typed-sum.ts';

type OwnOrder = Output<Routes['userOrders']>[number];
/** Filters of a list or an export. */
export type OwnFilter = Pick<Input<Routes['userOrders']>, 'status' | 'currency' | 'from' | 'to' | 'q'>;
interface Deps {
  readonly db: Statements;
  readonly sender: { readonly tokens: Tokens };
}

/**
 * SQL condition of the filters. Parameters: `$3` states; `$4` currencies; `$5` first day; `$6` last day; `$7` a part of a number;
 * `$8` a search term; `$9` sums as currency and parts. The index of an owner's orders contains all these columns.
 */
const FILTER = `($3::text[] is null or state = any($3))
  and ($4::text[] is null or give_currency = any($4) or get_currency = any($4))
  and ($5::date is null or created_at >= $5::date at time zone 'UTC')
  and ($6::date is null or created_at < ($6::date + 1) at time zone 'UTC')
  and ($7::text is null or number ilike $7 or id in (select order_id from order_term where term = $8)
    or give_currency || ' ' || give_parts = any($9::text[]) or get_currency || ' ' || get_parts = any($9)
    or give_currency || ' ' || gave = any($9) or get_currency || ' ' || got = any($9))`;

const NEWEST = 'order by created_at desc, id desc';
/** An id that sorts after every other id. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

function parametersOf(owner: Owner, { status, currency, from, to, q }: OwnFilter): unknown[] {
  const text = q?.trim() ?? '';
  const sums = readSums(text);
  return [
    ...owned(owner),
    status && status.length > 0 ? statesOf(status) : null,
    currency && currency.length > 0 ? currency : null,
    from ?? null,
    to ?? null,
    text === '' ? null : likePart(text),
    text.toLowerCase(),
    sums.currencies.map((code, at) => `${code} ${sums.parts[at]}`),
  ];
}

/**
 * Returns the states for which customers read these words. `confirming` has no state of its own: it is `seen` after the payment's
 * first confirmation.
 */
function statesOf(words: readonly OrderWord[]): string[] {
  const requests = new Set(words.map((word) => (word === 'confirming' ? 'seen' : word)));
  return ORDER_STATES.filter((state) => requests.has(WORDS[state]));
}

/** Returns a page of an owner's orders, newest first, with the number of all matching orders. */
export async function ownOrders(
  { db, sender }: Deps,
  owner: Owner,
  input: Input<Routes['userOrders']>,
): Promise<{ data: OwnOrder[]; meta: ListMeta }> {
  const { page, per_page } = input;
  const parameters = parametersOf(owner, input);
  const offset = (page - 1) * per_page;
  const [ids, count] = await Promise.all([
    db.rows<{ id: string }>(
      `select id from (${ofOwner('id, created_at', FILTER, `${NEWEST} limit $12`)}) as own ${NEWEST} limit $10 offset $11`,
      [...parameters, per_page, offset, offset + per_page],
    ),
    db.row<{ total: number }>(countSome(ofOwner('id', FILTER, `limit ${MAX_COUNTED + 1}`)), parameters),
  ]);
  const total = count?.total ?? 0;
  const orders = await byNumber(db, ids);
  return {
    data: orders.map((order) => rowOf(order, sender.tokens)),
    meta: listMeta({ page, per_page }, total, { rows: orders.length }),
  };
}

/** Yields an owner's matching orders, newest first, in batches: an export needs memory for one batch only. */
export async function* allOwnOrders(db: Statements, owner: Owner, filter: OwnFilter, group = 500): AsyncGenerator<StoredOrder[]> {
  let behind: { id: string; at: string } | undefined;
  const next = `${FILTER} and (created_at, id) < (coalesce($10::timestamptz, 'infinity'), coalesce($11::uuid, '${LAST_ID}'))`;
  for (;;) {
    const ids: { id: string; at: string }[] = await db.rows(
      `select id, created_at::text as at from (${ofOwner('id, created_at', next, `${NEWEST} limit $12`)}) as own ${NEWEST} limit $12`,
      [...parametersOf(owner, filter), behind?.at ?? null, behind?.id ?? null, group],
    );
    behind = ids.at(-1);
    if (!behind) return;
    yield byNumber(db, ids);
  }
}

async function byNumber(db: Statements, ids: readonly { readonly id: string }[]): Promise<StoredOrder[]> {
  const found = await readOrders(
    db,
    ids.map(({ id }) => id),
  );
  const byId = new Map(found.map((order) => [order.view.id, order]));
  return ids.flatMap(({ id }) => byId.get(id) ?? []);
}

function rowOf(order: StoredOrder, tokens: Tokens): OwnOrder {
  const { view } = order;
  const { give, get } = amountsOf(view);
  const shortAt = shortAtOf(view);
  return {
    id: order.number,
    // Somebody may have assigned an altered row to another owner by SQL, so it gives no access to the order's page.
    ...(!order.isAltered && { token: tokens.make('order', view.id, order.tokenVersion) }),
    kind: view.kind,
    status: wordOf(view),
    created_at: order.createdAt.toISOString(),
    updated_at: order.updatedAt.toISOString(),
    expires_at: view.pinned.lockUntil.toISOString(),
    give: moneyWire(give),
    ...(get && { get: moneyWire(get) }),
    ...(shortAt !== undefined && { short_at: shortAt }),
    seq: view.version,
  };
}

/** SQL for the worth of the exchanged amount in cents of USD, in proportion to the order's worth at the placing. */
const EXCHANGED_USD = 'trunc(usd * coalesce(gave, give_parts) / greatest(give_parts, 1))';

const OVER = ['done', 'expired', 'cancelled', 'refunded', 'rejected'] satisfies OrderWord[] as readonly OrderWord[];
const OPEN_STATES = ORDER_STATES.filter((state) => !OVER.includes(WORDS[state]));

/**
 * SQL for an owner's figures: for each of the last days, a row about the orders completed on that day; and a row without a day
 * for all other orders. It reads the index of the owner's orders once.
 */
const FIGURES = `
  with today as (select (clock_now() at time zone 'UTC')::date as day),
  own as (
    select case when state = 'completed' and kind = 'order' and finished_at >= (today.day - ($3::int - 1)) at time zone 'UTC'
        then (finished_at at time zone 'UTC')::date end as day, state, usd, give_parts, gave
    from (${ofOwner('finished_at, usd, give_parts, gave, state, kind')}) as all_own cross join today
  ),
  counted as (
    select day, count(*)::int as orders, (count(day))::int as done, (count(*) filter (where state = any($4)))::int as open,
      coalesce(sum(${EXCHANGED_USD}) filter (where day is not null), 0) as usd
    from own group by day
  ),
  asked (day) as (select at::date from today, generate_series(today.day - ($3::int - 1), today.day, interval '1 day') as at union all select null)
  select to_char(asked.day, 'YYYY-MM-DD') as day, coalesce(orders, 0) as orders, coalesce(done, 0) as done, coalesce(open, 0) as open,
    coalesce(usd, 0)::text as usd
  from asked left join counted on counted.day is not distinct from asked.day order by asked.day`;

/**
 * Returns figures of an owner's orders: their number, the number of open ones, and the worth exchanged on each of the last days.
 * The worth is in USD, at the rates of the placing.
 */
export async function ownFigures(
  db: Statements,
  owner: Owner,
  { days: count }: Input<Routes['userOrderFigures']>,
): Promise<Output<Routes['userOrderFigures']>> {
  const days = await db.rows<{ day: string | null; orders: number; done: number; open: number; usd: string }>(FIGURES, [
    ...owned(owner),
    count,
    OPEN_STATES,
  ]);
  const usd = (cents: bigint) => ({ amount: format(money('USD', cents), 2), currency: 'USD' });
  const all = (figure: 'orders' | 'open'): number => days.reduce((sum, day) => sum + day[figure], 0);
  return {
    total: all('orders'),
    open: all('open'),
    exchanged: usd(days.reduce((sum, day) => sum + BigInt(day.usd), 0n)),
    days: days.flatMap(({ day, done, usd: cents }) =>
      day === null ? [] : [{ day, orders: done, exchanged: usd(BigInt(cents)) }],
    ),
  };
}

/** True if an owner has an open order. */
export async function hasOpenOrders(db: Statements, owner: Owner): Promise<boolean> {
  const row = await db.row(ofOwner('id', 'state = any($3)', 'limit 1'), [...owned(owner), OPEN_STATES]);
  return row !== undefined;
}
