import { type Input, type Output, Problem, type Routes } from '@kurs/contract';
import { REWARD_UNIT, format, money } from '@kurs/money';
import {
  type Showing,
  type StoredOrder,
  deadlineFor,
  eventsOf,
  listOrders,
  amountsOf,
  moneyWire,
  openActions,
  payoutOf,
  readOrder,
  showOrder,
  shownEvents,
  shownState,
  shownStates,
  whatStopsPayout,
  wordOf,
} from '../exchange/index.ts';
import { type AccountRef, type Entry, accounts, entries } from '../ledger/index.ts';
import { overdueWords, payoutStatus, railList, sendsOf, settingsReadAt } from '../payments/index.ts';
import { type Db, type ListMeta, listMeta } from '../platform/index.ts';
import { reserves } from './actions/money/desk-money.ts';
import { ORDER_ACTIONS } from './people/roles.ts';
import { auditPage, openRequests } from './people/store.ts';
import { requestedFor } from './people/two-people.ts';

type OrderRow = Output<Routes['operatorOrders']>[number];
/** A page of a list. */
export type Paged<T> = { readonly data: T; readonly meta: ListMeta };
type DatedState = { readonly state: string; readonly since: Date };

/** Returns a page of orders for the desk. */
export async function ordersView(db: Db, input: Input<Routes['operatorOrders']>): Promise<Paged<OrderRow[]>> {
  const { page, per_page, after, state: states, waiting, q: text } = input;
  const { orders, total, next } = await listOrders(db, { page, per_page, after, states, isWaiting: waiting === '1', text });
  const shown = await shownStates(
    db,
    orders.map(({ view }) => view),
  );
  return {
    data: orders.map((order) => rowOf(order, shown.get(order.view.id))),
    meta: listMeta(input, total, { rows: orders.length, next }),
  };
}

function rowOf(order: StoredOrder, shown: DatedState | undefined): OrderRow {
  const { view } = order;
  const deadline = deadlineFor(view);
  const { give, get } = amountsOf(view);
  return {
    id: order.number,
    kind: view.kind,
    state: shown?.state ?? view.state,
    status: wordOf(view),
    from: give.currency,
    give: moneyWire(give).amount,
    ...(get && { to: get.currency, get: moneyWire(get).amount }),
    email: order.email,
    since: (shown?.since ?? view.facts.since).toISOString(),
    ...((view.facts.hold?.isDebt || view.facts.approval?.isDebt) && { waits_for: 'debt' }),
    ...(deadline && { deadline: deadline.toISOString() }),
  };
}

/** Returns an order as the desk sees it: state, timeline, postings, sends, and possible actions. */
export async function orderView(db: Db, showing: Showing, number: string): Promise<Output<Routes['operatorOrder']>> {
  const stored = await readOrder(db, number);
  if (!stored) throw new Problem('order_not_found');
  const { view } = stored;
  const payout = payoutOf(view);
  const [order, events, postings, sends, requests, stop, status] = await Promise.all([
    showOrder(showing, stored),
    eventsOf(db, view.id),
    postingsOf(db, stored),
    sendsOf(db, 'order', view.id),
    openRequests(db, stored.number),
    WAITING.has(view.state) ? whatStopsPayout(db, stored, await db.now()) : undefined,
    payout === undefined ? undefined : payoutStatus(db, payout),
  ]);
  return {
    order,
    log_id: view.id,
    state: shownState(view, status),
    version: view.version,
    actions: openActions(view, status),
    ...(stop && { stopped_by: stop.code }),
    events: shownEvents(events).map(({ seq, at, who, event, from, to, why }) => ({
      seq,
      at: at.toISOString(),
      who,
      event,
      from,
      to,
      why,
    })),
    postings,
    sends: sends.map((send) => ({
      id: send.id,
      purpose: send.purpose,
      status: send.status,
      amount: moneyWire(send).amount,
      currency: send.currency,
      ...(send.txid !== null && { txid: send.txid }),
    })),
    requests: requests.map((one) => ({
      id: one.id,
      action: one.action,
      by: one.requestedByName,
      reason: one.reason,
      at: one.requestedAt.toISOString(),
      details: detailsOf(requestedFor(one)),
    })),
  };
}

/** States of an order in which its payout waits for a decision, or has failed. */
const WAITING: ReadonlySet<string> = new Set(['approving', 'undelivered', 'unclaimed']);

const MAX_ENTRIES = 200;

/** Returns all postings on the order's own accounts, the oldest first. */
async function postingsOf(db: Db, { view }: StoredOrder): Promise<Output<Routes['operatorOrder']>['postings']> {
  const { id, give, get } = view;
  const own = [
    accounts.orderIn(id, give.unit),
    accounts.unclaimed(id, give.unit),
    accounts.unallocated(id, give.unit),
    accounts.frozen(id, give.unit),
    accounts.receivable(id, give.unit),
  ];
  if (get) own.push(accounts.orderOut(id, get.unit), accounts.orderReserve(id, get.unit));
  const entriesOf = async (refs: readonly AccountRef[]) => {
    const pages = refs.map(async (ref) => (await entries(db, ref, { limit: MAX_ENTRIES })).map((entry) => ({ ref, entry })));
    return (await Promise.all(pages)).flat();
  };
  const all = await entriesOf(own);
  const journals = new Set(all.map(({ entry }) => entry.journal));
  // The account of a coupon also has postings of other orders, so the postings of this order are selected.
  const coupons = (view.pinned.coupons ?? []).map(({ coupon }) => accounts.coupon(coupon, REWARD_UNIT));
  all.push(...(await entriesOf(coupons)).filter(({ entry }) => journals.has(entry.journal)));
  const seen = new Map(all.map((one) => [`${one.entry.journal} ${one.entry.leg}`, one]));
  return [...seen.values()]
    .sort(({ entry: a }, { entry: b }) => a.at.getTime() - b.at.getTime() || (a.journal === b.journal ? a.leg - b.leg : 0))
    .map(({ ref, entry }) => postingRow(ref, entry));
}

function postingRow(ref: AccountRef, entry: Entry): Output<Routes['operatorOrder']>['postings'][number] {
  const grew = entry.change > 0n;
  const parts = grew ? entry.change : -entry.change;
  // Postings that leave an account of the class `held` (a receivable) increase its balance.
  const came = grew !== (ref.class === 'held');
  return {
    at: entry.at.toISOString(),
    kind: entry.kind,
    from: came ? entry.other : ref.name,
    to: came ? ref.name : entry.other,
    amount: format(money(ref.unit, parts)),
    unit: ref.unit,
  };
}

/**
 * Returns every rail with its switches and last known health. For a rail that isn't set up, the detail says why or which settings
 * are missing.
 */
export async function railsView(db: Db): Promise<Output<Routes['operatorRails']>> {
  return (await railList(db)).map(({ rail, kind, refused, missing, own, takes, canPayOut, state, late, currencies }) => ({
    rail,
    set_up: kind !== undefined,
    on: takes.length > 0,
    takes: [...takes],
    payouts: canPayOut,
    up: kind !== undefined && (state?.isUp ?? false),
    ...(kind && state && { since: state.since.toISOString(), requested: state.checkedAt.toISOString() }),
    ...(kind && state?.heardAt && { answered: state.heardAt.toISOString() }),
    detail: kind
      ? [state?.detail ?? 'not asked yet', state?.lacks ?? [], ...late.map(overdueWords)].flat().join('; ')
      : notSetUp(refused, missing),
    missing: [...missing],
    currencies: [...currencies],
    own_accounts: own.map((one) => ({ ...one })),
  }));
}

/** Returns the reason why a rail is not set up, and when the settings were read: they are read only when the process starts. */
function notSetUp(refused: string | undefined, missing: readonly string[]): string {
  const why = refused ?? (missing.length > 0 ? `${missing.join(', ')} missing` : undefined);
  const at = settingsReadAt()?.toISOString();
  const read = at && `read at the start of ${at.slice(11, 16)} (${at.slice(0, 10)}, UTC); restart to read again`;
  return `not set up${why === undefined ? '' : `: ${why}`}${read === undefined ? '' : `; ${read}`}`;
}

/**
 * Returns for each currency the desk's free money, the amount that its rail can send, and the balances in the books and on the
 * rail.
 */
export async function reservesView(db: Db): Promise<Output<Routes['operatorReserves']>> {
  return (await reserves(db)).map(({ code, unit, free, unexplained, stuck, payable, reserve, places }) => ({
    currency: code,
    unit,
    free: format(money(unit, free)),
    unexplained: signed(unit, unexplained),
    stuck: format(money(unit, stuck)),
    payable: format(money(unit, payable)),
    reserve: format(money(unit, reserve)),
    places: places.map((one) => ({
      place: one.place,
      unit: one.unit,
      books: format(money(one.unit, one.books)),
      rail: format(money(one.unit, one.railSays)),
      ...(one.parts !== 0n && { difference: signed(one.unit, one.parts) }),
      at: one.at.toISOString(),
    })),
  }));
}

/** Formats an amount that may be negative. */
export function signed(unit: string, parts: bigint): string {
  return parts < 0n ? `-${format(money(unit, -parts))}` : format(money(unit, parts));
}

/** Returns a page of the audit. */
export async function auditView(db: Db, input: Input<Routes['operatorAudit']>): Promise<Paged<Output<Routes['operatorAudit']>>> {
  const { rows, total, next } = await auditPage(db, input);
  const data = rows.map(({ body, ...row }) => ({ ...row, at: row.at.toISOString(), details: detailsOf(body) }));
  return { data, meta: listMeta(input, total, { rows: data.length, next }) };
}

/** Returns actions that wait for a second person, with all details that a consent would cover. */
export async function requestsView(db: Db): Promise<Output<Routes['operatorRequests']>> {
  const rows = await openRequests(db);
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      at: row.requestedAt.toISOString(),
      by: row.requestedByName,
      action: row.action,
      subject: row.subject,
      reason: row.reason,
      details: { ...(row.action in ORDER_ACTIONS && (await moneyOf(db, row.subject))), ...detailsOf(requestedFor(row)) },
    })),
  );
}

/** Returns an order's state and amounts, for the details of a request. */
async function moneyOf(db: Db, number: string): Promise<Record<string, string>> {
  const order = await readOrder(db, number);
  if (!order) return {};
  const shown = (await shownStates(db, [order.view])).get(order.view.id);
  const { give, get } = amountsOf(order.view);
  const sums = [give, ...(get ? [get] : [])].map((side) => `${moneyWire(side).amount} ${side.currency}`);
  return { state: shown?.state ?? order.view.state, order: sums.join(' → ') };
}

/** Returns the content of a request as flat text fields. */
function detailsOf(body: unknown, prefix = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(body ?? {}).flatMap(([name, value]: [string, unknown]): [string, string][] => {
      if (value === undefined || value === null || value === false) return [];
      if (typeof value === 'object') return Object.entries(detailsOf(value, `${prefix}${name}.`));
      return [[prefix + name, String(value)]];
    }),
  );
}
