// Checks all orders, finished ones too, against the money that arrived, was booked and was sent.
//
// An order, its unallocated payments and the orders made of those share payments, so they are checked together as a family.

import { type Fault, type AccountType, type Scope, flowsOf, lastJournals, ownersOf } from '../../ledger/index.ts';
import { crossingsOf, undeliveredOwners } from '../../payments/index.ts';
import { type Statements, inGroupsById } from '../../platform/index.ts';
import { type Family, exchangePair, faultsOf, ownNames, transfersOf } from './check-family.ts';
import { type StoredOrder, familyIds, readOrders, rootsAfter, rootsAmong, rootsIn } from '../order/store/order-store.ts';

const GROUP = 500;
const TOUCHED: readonly AccountType[] = ['order:in', 'order:out', 'unallocated', 'frozen', 'receivable'];

/**
 * Returns a fault for each disagreement of orders' payments, exchanges or transfers with the payments room's rows and the books.
 * `scope`: limits the check to the orders whose accounts are proven this night, and to orders in a state of `open`.
 */
export async function moneyFaults(db: Statements, open: readonly string[], scope?: Scope): Promise<Fault[]> {
  const undelivered = await undeliveredOwners(db, 'order');
  const faults: Fault[] = [];
  for await (const roots of scope ? rootsOf(db, open, scope) : allRoots(db)) {
    const orders = await readOrders(db, await familyIds(db, roots));
    for (const family of await familiesOf(db, orders))
      if (!family.orders.some(({ view }) => undelivered.has(view.id))) faults.push(...faultsOf(family));
  }
  return faults;
}

const allRoots = (db: Statements): AsyncGenerator<readonly string[]> =>
  inGroupsById(
    (behind, max) => rootsAfter(db, behind, max),
    (id) => id,
    GROUP,
  );

async function* rootsOf(db: Statements, open: readonly string[], scope: Scope): AsyncGenerator<readonly string[]> {
  const touched = await ownersOf(db, TOUCHED, scope);
  const roots = [...new Set([...(await rootsAmong(db, touched)), ...(await rootsIn(db, open))])];
  for (let at = 0; at < roots.length; at += GROUP) yield roots.slice(at, at + GROUP);
}

async function familiesOf(db: Statements, orders: readonly StoredOrder[]): Promise<Family[]> {
  const views = orders.map(({ view }) => view);
  const names = new Map(views.flatMap((view) => ownNames(view).map((name) => [name, view.id] as const)));
  const flows = await flowsOf(db, [...names.keys()], { without: ['surrendered', 'found_late', 'found_late_settled'] });
  const exchanged = await lastJournals(db, views.flatMap(exchangePair));
  const { payins, payouts } = await crossingsOf(db, 'order', {
    owners: views.map(({ id }) => id),
    intents: views.flatMap((view) => transfersOf(view).map(({ intent }) => intent)),
  });
  const rootOf = new Map(orders.map(({ view, unallocatedOf }) => [view.id, unallocatedOf ?? view.id]));
  const ofIntent = new Map(orders.flatMap(({ view }) => transfersOf(view).map(({ intent }) => [intent, view.id] as const)));
  const isOf = (root: string, id: string | undefined): boolean => id !== undefined && rootOf.get(id) === root;
  return [...Map.groupBy(orders, ({ view, unallocatedOf }) => unallocatedOf ?? view.id)].map(([root, family]) => ({
    orders: family,
    payins: payins.filter(({ owner }) => isOf(root, owner)),
    payouts: payouts.filter(({ id, owner }) => isOf(root, owner) || isOf(root, ofIntent.get(id))),
    flows: flows.filter(({ account }) => isOf(root, names.get(account))),
    exchanged,
  }));
}
