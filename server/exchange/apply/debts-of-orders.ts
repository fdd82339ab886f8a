// Who owes, as orders show it: what a customer has shown of themselves, the device that they used, and who paid at a provider.

import { type Debtor, type Owed, anyDebts, keysShown, keysTyped, noteDebt, owedBy, shownHolder } from '../../compliance/index.ts';
import { type PayoutBody, owedForFind, payersOf } from '../../payments/index.ts';
import { type Statements, type Tx, canonicalEmail } from '../../platform/index.ts';
import { accountKey } from '../calculation/calculate.ts';
import type { StoredOrder } from '../order/store/order-store.ts';

/** What the customers of these orders owe, by order; those who owe nothing are left out. */
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

/** What the customer of an order is known by, as keys: what is shown to be theirs, and what was only typed. */
interface CustomerKeys {
  readonly shown: string[];
  readonly typed: string[];
}

/**
 * What the customers of these orders are known by, by order; the order itself is no key. A mailbox that a visitor had shown is
 * shown to be theirs.
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
      return [order.view.id, order.view.pinned.mailbox ? withMailbox(known, order.email) : known] as const;
    }),
  );
  return new Map(known);
}

/** Keys of a customer who had shown to read a mailbox. */
function withMailbox({ shown, typed }: CustomerKeys, email: string): CustomerKeys {
  const key = `email:${canonicalEmail(email)}`;
  return { shown: [...new Set([...shown, key])].sort(), typed: typed.filter((one) => one !== key) };
}

/** The proven keys of an order's customer; the order itself is not among them. */
export async function keysShownBy(db: Statements, order: StoredOrder): Promise<string[]> {
  return (await keysOfCustomers(db, [order])).get(order.view.id)?.shown ?? [];
}

/** Notes what is owed for orders as they stand now. */
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

/** Notes what an order's customer owes for a send that turned up after its money had gone back, or that this is settled. */
export async function noteFindDebt(
  tx: Tx,
  order: StoredOrder,
  body: Pick<PayoutBody, 'intentId' | 'event' | 'unit' | 'parts' | 'back' | 'byReceiver' | 'owed'>,
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
