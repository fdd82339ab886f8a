// Checks an order's payout again before it is released, and once more before it is sent: the facts may have changed since the
// placing or the exchange.

import { Problem } from '@kurs/contract';
import { holderById, holdersById } from '../../auth/index.ts';
import { type Owed, stopOf } from '../../compliance/index.ts';
import { type Unscreened, readOut, reversalsPending, screenedFirst, whatStops } from '../../moneyout/index.ts';
import {
  type PayoutObstacle,
  type Leaving,
  type MayLeave,
  NOT_DEEP,
  TAKEN_BACK,
  polledSince,
  offCurrencies,
  undeliveredDebts,
} from '../../payments/index.ts';
import type { Statements, Tx } from '../../platform/index.ts';
import { outCustomer, peopleForPayout, peopleWhileOff } from './desk-state.ts';
import { goesToPayer } from '../order/money/give-back.ts';
import type { RailAccount, SideAccount } from '../order/order.ts';
import { reportAltered } from '../order/store/order-mac.ts';
import { type StoredOrder, readOrders } from '../order/store/order-store.ts';
import { finalOf, shallowOrders } from '../order/store/shallow-orders.ts';
import { owing } from './debts-of-orders.ts';

/**
 * Returns the problem that forbids an order's payout; undefined if there is none. The cause is a proven debt or block of the
 * customer or, for an order paid from a wallet, an obstacle to money leaving that wallet. `to`: account that the payout goes to;
 * the order's by default.
 */
export async function whatStopsPayout(
  db: Statements,
  order: StoredOrder,
  now: Date,
  to: RailAccount | undefined = order.view.receive,
): Promise<Problem | undefined> {
  const owed = await owing(db, [order]);
  return stopOfPayout(db, order, now, owed.get(order.view.id), to);
}

/** Like `whatStopsPayout`, with the debts of the order's customer already read. */
async function stopOfPayout(
  db: Statements,
  order: StoredOrder,
  now: Date,
  owed: Owed | undefined,
  to: RailAccount | undefined = order.view.receive,
): Promise<Problem | undefined> {
  const { give, get, pinned } = order.view;
  const holderId = pinned.wallets?.give;
  if (pinned.wallets?.get !== undefined) return undefined;
  const [debt] = owed?.shown ?? [];
  if (debt) return stopOf(debt);
  if (holderId === undefined) return undefined;
  return whatStops(db, { holderId, unit: give.unit, to: get && to && { currency: get.currency, key: to.key } }, now);
}

/**
 * Returns the problem that forbids sending to a changed account; undefined if there is none. A withdrawal freeze of the order's
 * holder forbids any account, however the order is paid: somebody who took over the login may have named the account. For a
 * payout's account, also returns the problems of `whatStopsPayout`.
 */
export async function whatStopsAccount(
  db: Statements,
  order: StoredOrder,
  account: SideAccount,
  now: Date,
): Promise<Problem | undefined> {
  const { holderId } = order;
  const holder = holderId === undefined ? undefined : await holderById(db, holderId);
  if (holder?.isAltered) return new Problem('record_altered');
  const frozen = holder?.freeze && holder.freeze.until > now ? holder.freeze : undefined;
  if (frozen) return new Problem('withdrawals_frozen', { params: { until: frozen.until.toISOString() } });
  return account.side === 'get' ? whatStopsPayout(db, order, now, account) : undefined;
}

/**
 * Returns the code of the problem that forbids a refund: a proven block or debt of its customer. If people decided the refund,
 * only a block or debt that is newer than the decision forbids it.
 */
function stopOfRefund({ view: { facts } }: StoredOrder, owed: Owed | undefined): string | undefined {
  const stops = owed?.shown.find(({ since }) => !facts.transfer?.isByPeople || since > facts.since);
  return stops && stopOf(stops).code;
}

/**
 * Returns the obstacles to orders' payouts and refunds, for the last check of the payments room before it sends them.
 *
 * A payout for a reversible payment waits until that payment has been polled since the payout was queued. The payments room knows
 * of a reversal before its subscribers do. A payout that depends on a reversed payment therefore waits until they are notified.
 * Money that another room handed over waits until its payment is deep.
 */
const obstaclesOfOrders: MayLeave = async (tx, payouts) => {
  const leaving = new Map(payouts.map((payout) => [payout.owner.id, payout]));
  const orders = await readOrders(tx, [...leaving.keys()]);
  const owed = await owing(tx, orders);
  const above = await aboveBounds(tx, orders, leaving, owed);
  const undelivered = await ordersOnReversals(tx, orders);
  const shallow = await shallowOrders(
    tx,
    orders.map(({ view }) => view),
  );
  const holders = await holdersById(tx, [...new Set(orders.flatMap(({ holderId }) => holderId ?? []))]);
  const obstacles = new Map<string, PayoutObstacle>();
  for (const order of orders) {
    const payout = leaving.get(order.view.id);
    if (!payout) continue;
    if (order.isAltered) reportAltered(order);
    if (order.isAltered || holders.get(order.holderId ?? '')?.isAltered) {
      obstacles.set(payout.id, { reason: 'record_altered', mayWait: true });
      continue;
    }
    const isRefund = payout.purpose === 'refund';
    const owes = owed.get(order.view.id);
    const reason = isRefund ? stopOfRefund(order, owes) : (await stopOfPayout(tx, order, tx.now, owes))?.code;
    if (undelivered.has(order.view.id)) obstacles.set(payout.id, TAKEN_BACK);
    else if (reason !== undefined) obstacles.set(payout.id, { reason });
    else if (above.has(payout.id)) obstacles.set(payout.id, { reason: 'above_bounds' });
    else if (shallow.has(order.view.id)) obstacles.set(payout.id, NOT_DEEP);
    else if (!(await isLookedUp(tx, order))) obstacles.set(payout.id, { reason: 'disputes are looked up', mayWait: true });
  }
  return obstacles;
};

/**
 * Returns the refunds that may be sent without screening. A refund that people decided is never screened. A refund to the payer
 * is sent even while the screening service doesn't answer.
 */
async function unscreened(tx: Tx, payouts: readonly Leaving[]): Promise<ReadonlyMap<string, Unscreened>> {
  const refunds = new Map(payouts.flatMap(({ id, owner, purpose }) => (purpose === 'refund' ? [[owner.id, id] as const] : [])));
  const orders = await readOrders(tx, [...refunds.keys()]);
  return new Map(
    orders.flatMap(({ view }) => {
      const how = view.facts.transfer?.isByPeople ? 'decided' : goesToPayer(view) ? 'returns' : undefined;
      return how ? [[refunds.get(view.id) ?? '', how] as const] : [];
    }),
  );
}

/** The exchange's obstacles to payouts, for the payments room: those of orders, and those of screening. */
export const ordersMayLeave: MayLeave = screenedFirst(obstaclesOfOrders, unscreened);

/**
 * Returns payouts that need more approvals now than they have, by current rates, limits, debts and shortfalls of rails. The limit
 * on the hourly share of a rail's float is not checked again: it was checked when the payout was queued.
 */
async function aboveBounds(
  tx: Tx,
  orders: readonly StoredOrder[],
  leaving: ReadonlyMap<string, Leaving>,
  owed: ReadonlyMap<string, Owed>,
): Promise<ReadonlySet<string>> {
  const ids = [...leaving.values()].map(({ id }) => id);
  const sums = await readOut(tx, tx.now, { customers: orders.map(outCustomer), currencies: [], payouts: ids });
  const off = await offCurrencies(tx);
  const above = new Set<string>();
  for (const order of orders) {
    const { id, parts, purpose } = leaving.get(order.view.id) ?? {};
    if (id === undefined || parts === undefined || purpose !== 'payout') continue;
    // `sums` may already include this payout, so the payout is taken out first. If it may leave, it is added again before the
    // next payout is checked.
    const counted = sums.drop(id);
    const atLeast = owed.has(order.view.id) ? 1 : peopleWhileOff(order, parts, off);
    const people = Math.max(peopleForPayout(order, parts, sums), atLeast);
    if (people > (order.view.facts.approved ?? 0)) above.add(id);
    else if (counted) sums.add(counted);
  }
  return above;
}

async function isLookedUp(tx: Tx, order: StoredOrder): Promise<boolean> {
  const { pinned, facts } = order.view;
  return !pinned.isReversible || polledSince(tx, finalOf(order.view), facts.since);
}

/**
 * Returns orders that an undelivered event affects. Either a final payment of the order was taken back, or the event will make
 * the order's holder a debtor.
 */
export async function ordersOnReversals(db: Statements, orders: readonly StoredOrder[]): Promise<ReadonlySet<string>> {
  const undelivered = undeliveredDebts(db);
  const holders = orders.flatMap(({ holderId }) => holderId ?? []);
  const [debts, pending] = await Promise.all([undelivered, reversalsPending(db, holders, undelivered)]);
  const gone = new Set(debts.map(({ id }) => id));
  const stands = (order: StoredOrder): boolean =>
    (order.holderId !== undefined && pending.has(order.holderId)) || finalOf(order.view).some((id) => gone.has(id));
  return new Set(orders.filter(stands).map(({ view }) => view.id));
}
