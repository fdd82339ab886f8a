// Finds the debts of orders' customers: by data proven to be the customer's, by the device, and by the payer's account at a
// provider.

import { type Debtor, type Owed, anyDebts, keysShown, keysTyped, noteDebt, owedBy, shownHolder } from '../../compliance/index.ts';
import { type PayoutBody, owedForFind, payersOf } from '../../payments/index.ts';
import { type Statements, type Tx, canonicalEmail } from '../../platform/index.ts';
import { accountKey } from '../calculation/calculate.ts';
import type { StoredOrder } from '../order/store/order-store.ts';

/** Returns the debts of these orders' customers, by order; customers without debts are left out. */
export async function owing(db: Statements, orders: readonly StoredOrder[]): Promise<Map<string, Owed>> {
  if (orders.length === 0 || !(await anyDebts(db))) return new Map();
  const payers = await payersOf(
    db,
    orders.flatMap(({ view }) => view.payments.map(({ id }) => id)),
  );
  const people = new Map<string, Debtor>();
  for (const order of orders) people.set(order.view.id, await debtorOf(db, order, payers));
  return owedBy(db, people);
}

/** Identity keys of an order's customer, as compliance makes them: keys proven to be the customer's, and keys that were only typed. */
interface CustomerKeys {
  readonly shown: string[];
  readonly typed: string[];
}

/**
 * Returns the identity keys of these orders' customers, by order. The order's own key is left out. A visitor's mailbox is treated
 * as proven if the visitor had proven to read it before the placing.
 */
export async function keysOfCustomers(db: Statements, orders: readonly StoredOrder[]): Promise<Map<string, CustomerKeys>> {
  const payers = await payersOf(
    db,
    orders.flatMap(({ view }) => view.payments.map(({ id }) => id)),
  );
  const known = await Promise.all(
    orders.map(async (order) => {
      const { subject, payers: accounts } = await debtorOf(db, order, payers);
      const debtor = { subject, payers: accounts };
      const known = { shown: keysShown(debtor), typed: keysTyped(debtor) };
      return [order.view.id, order.view.pinned.isMailboxProven ? withMailbox(known, order.email) : known] as const;
    }),
  );
  return new Map(known);
}

/** Returns a customer's identity keys, with a mailbox's key moved from the typed keys to the proven keys. */
function withMailbox({ shown, typed }: CustomerKeys, email: string): CustomerKeys {
  const key = `email:${canonicalEmail(email)}`;
  return { shown: [...new Set([...shown, key])].sort(), typed: typed.filter((one) => one !== key) };
}

/** Returns the proven identity keys of an order's customer. The order's own key is left out. */
export async function keysShownBy(db: Statements, order: StoredOrder): Promise<string[]> {
  return (await keysOfCustomers(db, [order])).get(order.view.id)?.shown ?? [];
}

/** Stores the current debts of orders. */
export async function noteOrderDebts(tx: Tx, orders: readonly StoredOrder[]): Promise<void> {
  for (const order of orders) {
    const { id, give, payments, positions } = order.view;
    const payers = await payersOf(
      tx,
      payments.map((payment) => payment.id),
    );
    const debt = { id, about: 'order', unit: give.unit, parts: positions.receivable } as const;
    await noteDebt(tx, debt, await debtorOf(tx, order, payers));
  }
}

/**
 * Stores a customer's debt for a send that was found late, after its money had gone back to the customer. Also stores that such a
 * debt is settled.
 */
export async function noteFindDebt(
  tx: Tx,
  order: StoredOrder,
  body: Pick<PayoutBody, 'intentId' | 'event' | 'unit' | 'parts' | 'back' | 'isBorneByReceiver' | 'owed'>,
): Promise<void> {
  const payers = await payersOf(
    tx,
    order.view.payments.map((payment) => payment.id),
  );
  const { intentId: id, unit } = body;
  await noteDebt(tx, { id, about: 'payout', unit, parts: owedForFind(body) }, await debtorOf(tx, order, payers));
}

async function debtorOf(db: Statements, order: StoredOrder, payers: ReadonlyMap<string, readonly string[]>): Promise<Debtor> {
  const { view, email, holderId, device, ip, unallocatedOf } = order;
  const { give, get, receive, refund, payments } = view;
  const accounts = [...(get ? accountKey(get.currency, receive) : []), ...accountKey(give.currency, refund)];
  return {
    subject: { email, accounts, device, ip, holder: await shownHolder(db, holderId) },
    payers: payments.flatMap(({ id }) => payers.get(id) ?? []),
    paidFor: { kind: 'order', id: unallocatedOf ?? view.id },
  };
}
