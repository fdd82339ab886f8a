// What an order's payout is asked again before it is let out and as it leaves: what was decided when it was placed, or
// exchanged, may not hold any more.

import { Problem } from '@kurs/contract';
import { holderById, holdersById } from '../../auth/index.ts';
import { type Owed, stopOf } from '../../compliance/index.ts';
import { type Unscreened, readOut, reversalsPending, screenedFirst, whatStops } from '../../moneyout/index.ts';
import {
  type Kept,
  type Leaving,
  type MayLeave,
  TAKEN_BACK,
  lookedSince,
  offCurrencies,
  untoldDebts,
} from '../../payments/index.ts';
import type { Statements, Tx } from '../../platform/index.ts';
import { outCustomer, peopleForPayout, peopleWhileOff } from './desk-state.ts';
import { goesToPayer } from '../order/money/give-back.ts';
import type { RailAccount, SideAccount } from '../order/order.ts';
import { tellAltered } from '../order/store/order-mac.ts';
import { type StoredOrder, readOrders } from '../order/store/order-store.ts';
import { owing } from './debts-of-orders.ts';

/**
 * What stops an order's payout as things stand: a block or a debt that is shown to be its customer's, and of one that is paid
 * from a wallet what stops money that leaves that wallet. `to`: the account that it would go to, where that is another than the
 * order's. Undefined where nothing does.
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

/** The same, where it is known what the order's customer owes. */
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
 * What stops a changed account from taking effect: a freeze of the order's holder, anyone who pays it and whichever account
 * it is, since anyone who got in by a reset may have changed it; and what stops a payout to there.
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
 * What stops a refund: a block of its customer, or a debt of theirs. What people decide knowing of it goes: then only what has
 * come since.
 */
function stopOfRefund({ view: { facts } }: StoredOrder, owed: Owed | undefined): string | undefined {
  const stops = owed?.shown.find(({ since }) => !facts.transfer?.byPeople || since > facts.since);
  return stops && stopOf(stops).code;
}

/**
 * The exchange's answer to payments: which payouts and refunds of orders may not leave any more, and why. One that is paid in
 * what can be taken back waits until its payment was looked up since it was queued, anyone who queued it. What that look, or
 * any other, has found taken back is known to payments before those who count on it are told: what stands on it waits for that.
 */
const whatOrdersKeep: MayLeave = async (tx, payouts) => {
  const leaving = new Map(payouts.map((payout) => [payout.owner.id, payout]));
  const orders = await readOrders(tx, [...leaving.keys()]);
  const owed = await owing(tx, orders);
  const above = await aboveBounds(tx, orders, leaving, owed);
  const untold = await standingOnTakenBack(tx, orders);
  const holders = await holdersById(tx, [...new Set(orders.flatMap(({ holderId }) => holderId ?? []))]);
  const kept = new Map<string, Kept>();
  for (const order of orders) {
    const payout = leaving.get(order.view.id);
    if (!payout) continue;
    if (order.isAltered) tellAltered(order);
    if (order.isAltered || holders.get(order.holderId ?? '')?.isAltered) {
      kept.set(payout.id, { reason: 'record_altered', waits: true });
      continue;
    }
    const isRefund = payout.purpose === 'refund';
    const owes = owed.get(order.view.id);
    const reason = isRefund ? stopOfRefund(order, owes) : (await stopOfPayout(tx, order, tx.now, owes))?.code;
    if (untold.has(order.view.id)) kept.set(payout.id, TAKEN_BACK);
    else if (reason !== undefined) kept.set(payout.id, { reason });
    else if (above.has(payout.id)) kept.set(payout.id, { reason: 'above_bounds' });
    else if (!(await isLookedUp(tx, order))) kept.set(payout.id, { reason: 'disputes are looked up', waits: true });
  }
  return kept;
};

/** Refunds that the screening is not asked about, since people have decided them, or that only its silence holds. */
async function unscreened(tx: Tx, payouts: readonly Leaving[]): Promise<ReadonlyMap<string, Unscreened>> {
  const refunds = new Map(payouts.flatMap(({ id, owner, purpose }) => (purpose === 'refund' ? [[owner.id, id] as const] : [])));
  const orders = await readOrders(tx, [...refunds.keys()]);
  return new Map(
    orders.flatMap(({ view }) => {
      const how = view.facts.transfer?.byPeople ? 'decided' : goesToPayer(view) ? 'returns' : undefined;
      return how ? [[refunds.get(view.id) ?? '', how] as const] : [];
    }),
  );
}

/** The exchange's whole answer to payments: what it keeps itself, and what the screening does. */
export const ordersMayLeave: MayLeave = screenedFirst(whatOrdersKeep, unscreened);

/**
 * Payouts that take more people, at the rates, bounds, debts and differences of now, than have let them out. Of a rail's float
 * they had their share as they were queued.
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
    // What it counts itself is no part of what left before; of one that doesn't leave nothing counts for the next.
    const counted = sums.drop(id);
    const looked = owed.has(order.view.id) ? 1 : peopleWhileOff(order, parts, off);
    const people = Math.max(peopleForPayout(order, parts, sums), looked);
    if (people > (order.view.facts.approved ?? 0)) above.add(id);
    else if (counted) sums.add(counted);
  }
  return above;
}

async function isLookedUp(tx: Tx, order: StoredOrder): Promise<boolean> {
  const { pinned, facts } = order.view;
  return !pinned.reversible || lookedSince(tx, finalOf(order), facts.since);
}

/**
 * Those of some orders that stand on a payment that was taken back, and that count on it still since nobody told them; and those
 * of holders who are about to owe for a payment or a payout, whichever of theirs it was.
 */
export async function standingOnTakenBack(db: Statements, orders: readonly StoredOrder[]): Promise<ReadonlySet<string>> {
  const untold = untoldDebts(db);
  const holders = orders.flatMap(({ holderId }) => holderId ?? []);
  const [debts, pending] = await Promise.all([untold, reversalsPending(db, holders, untold)]);
  const gone = new Set(debts.map(({ id }) => id));
  const stands = (order: StoredOrder): boolean =>
    (order.holderId !== undefined && pending.has(order.holderId)) || finalOf(order).some((id) => gone.has(id));
  return new Set(orders.filter(stands).map(({ view }) => view.id));
}

/** The payments that an order counts as final. */
const finalOf = ({ view: { payments } }: StoredOrder): string[] =>
  payments.filter(({ standing }) => standing === 'final').map(({ id }) => id);
