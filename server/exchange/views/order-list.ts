import {
  MAX_COUNTED,
  type PageRequest,
  type Statements,
  beginOf,
  countSome,
  escapeLike,
  likePart,
  nextOf,
} from '../../platform/index.ts';
import { type StoredOrder, readOrders } from '../order/store/order-store.ts';
import { IS_GIVEN, statesBehind } from './shown-state.ts';

export interface OrderFilter extends PageRequest {
  readonly states?: readonly string[] | undefined;
  /** If true, only orders that wait for a person are listed, oldest first. */
  readonly isWaiting: boolean;
  /** Search text: an order's number, an e-mail address, or a part of either; or the beginning of an account or a transaction. */
  readonly text?: string | undefined;
}

/** A page of a list. `total`: number of all matches, counted up to `MAX_COUNTED`. `next`: start of the next page, if there is one. */
interface OrderPage {
  readonly orders: StoredOrder[];
  readonly total: number;
  readonly next: string | undefined;
}

/** States in which an order waits for a decision of the desk's people. */
const WAITING = ['holding', 'approving', 'in_doubt', 'r_in_doubt', 'frozen', 'charged_back'];
/** Minimum length of a search text that may match the middle of a number or an address. A shorter text only matches the beginning. */
const SHORTEST_PART = 3;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Sort order of a list: the column to sort by, the SQL to sort, and the SQL condition for rows after the page's start. */
interface SortOrder {
  readonly at: 'updated_at' | 'created_at';
  readonly sort: string;
  readonly behind: string;
}
const OLDEST: SortOrder = {
  at: 'updated_at',
  sort: 'updated_at, id',
  behind: `(updated_at, id) > (coalesce($1::timestamptz, '-infinity'), coalesce($2::uuid, '${FIRST_ID}'))`,
};
const NEWEST: SortOrder = {
  at: 'created_at',
  sort: 'created_at desc, id desc',
  behind: `($1::timestamptz is null or (created_at, id) < ($1, $2::uuid))`,
};

/**
 * Returns a page of orders for the desk's people: newest first, or oldest first if they wait for a person. Throws `validation`
 * for an `after` that no page returned.
 */
export async function listOrders(db: Statements, filter: OrderFilter): Promise<OrderPage> {
  const way = filter.isWaiting ? OLDEST : NEWEST;
  const requests = filter.isWaiting ? WAITING : filter.states && filter.states.length > 0 ? filter.states : null;
  const among = await idsAmong(db, filter.text?.trim().toLowerCase() ?? '');
  const { from, values } = rowsOf(way, requests, among);
  const { at, id, offset } = beginOf(filter);
  const rows = await db.rows<{ id: string; at: string }>(
    `select id, ${way.at}::text as at from (${from(offset + filter.per_page)}) as listed order by ${way.sort} limit ${filter.per_page} offset ${offset}`,
    [at, id, ...values],
  );
  const isMany = among.like !== null && requests === null;
  const counted = isMany ? undefined : await db.row<{ total: number }>(countSome(from(MAX_COUNTED + 1)), [null, null, ...values]);
  const found = await readOrders(
    db,
    rows.map((one) => one.id),
  );
  const byId = new Map(found.map((one) => [one.view.id, one]));
  return {
    orders: rows.flatMap((one) => byId.get(one.id) ?? []),
    total: isMany ? MAX_COUNTED + 1 : (counted?.total ?? 0),
    next: nextOf(rows, filter),
  };
}

const GIVEN = 'unnest($4::text[], $5::text[], $6::text[]) as given (state, payouts, exchanged)';

/**
 * Returns `from`, which makes SQL for at most `max` rows of a list, and the SQL's parameters. The SQL reads along the index that
 * matches the sort order.
 */
function rowsOf(
  way: SortOrder,
  shown: readonly string[] | null,
  among: Among,
): { from: (max: number) => string; values: unknown[] } {
  const columns = `id, ${way.at}`;
  const end = (max: number): string => `order by ${way.sort} limit ${max}`;
  const { plain, behindPayouts } = statesBehind(shown ?? []);
  if (among.ids) {
    const isOfState = shown ? `(state = any($7) or exists (select from ${GIVEN} where ${IS_GIVEN}))` : 'true';
    const where = `id = any($3::uuid[]) and ${isOfState} and ${way.behind}`;
    const rows = (max: number): string => `select ${columns} from customer_order where ${where} ${end(max)}`;
    return { from: rows, values: [among.ids, ...(shown ? [...behindPayouts, plain] : [])] };
  }
  const like = `($3::text is null or number ilike $3 or email ilike $3)`;
  if (!shown)
    return {
      from: (max) => `select ${columns} from customer_order where ${like} and ${way.behind} ${end(max)}`,
      values: [among.like],
    };
  // Each state is read along its index. Some public states also depend on the payout, which no index covers. Orders stay in such
  // states only briefly, so searching the first `MAX_COUNTED` rows is enough.
  const ofPlain = (max: number): string =>
    `select ${columns} from customer_order where state = given and ${like} and ${way.behind} ${end(max)}`;
  const ofState = `select * from customer_order where state = given.state and ${like} and ${way.behind} ${end(MAX_COUNTED + 1)}`;
  const isPlain = plain.length > 0;
  const isBehind = plain.length < shown.length;
  const selects = (max: number): string[] => [
    ...(isPlain
      ? [`select listed.* from unnest(${isBehind ? '$7' : '$4'}::text[]) as given cross join lateral (${ofPlain(max)}) as listed`]
      : []),
    ...(isBehind ? [`select ${columns} from ${GIVEN} cross join lateral (${ofState}) as customer_order where ${IS_GIVEN}`] : []),
  ];
  return {
    from: (max) => `select * from (${selects(max).join(' union all ')}) as listed ${end(max)}`,
    values: [among.like, ...(isBehind ? behindPayouts : []), ...(isPlain ? [plain] : [])],
  };
}

/** Ids of the orders that a search text finds or, if they are too many, a pattern for their number or address. */
interface Among {
  readonly ids: readonly string[] | undefined;
  readonly like: string | null;
}

async function idsAmong(db: Statements, text: string): Promise<Among> {
  if (text === '') return { ids: undefined, like: null };
  const isPart = [...text].length >= SHORTEST_PART;
  const find = (where: string, pattern: string): Promise<{ id: string }[]> =>
    db.rows(
      `select distinct order_id as id from (select order_id from order_term where ${where} limit ${MAX_COUNTED + 1}) as found`,
      [pattern],
    );
  const begun = await find('term like $1', `${escapeLike(text)}%`);
  const held =
    isPart && begun.length <= MAX_COUNTED ? await find(`kind in ('number', 'email') and term like $1`, likePart(text)) : [];
  const ids = new Set([...begun, ...held].map(({ id }) => id));
  // There are so many matches that the list's first page is found quickly by the pattern alone.
  if (ids.size > MAX_COUNTED) return { ids: undefined, like: isPart ? likePart(text) : `${escapeLike(text)}%` };
  return { ids: [...ids], like: null };
}
