// Payments that can be taken back come from their customer's own account (A4): who pays with others' is who is charged
// back. An account is one person's from the first order of his that was done with it; until then live orders tell.

import { canonicalEmail, type Tx } from '../platform/index.ts';
import { addUses, lockKeys } from './store.ts';

/** A final payment that can be taken back: its order, whose customer, and the names of the account that paid. */
export interface Paying {
  readonly orderId: string;
  readonly email: string;
  readonly accounts: readonly string[];
}

const keyOf = (account: string): string => `payer:${account}`;

/**
 * Which of these payments (by their place in the list) come from an account that isn't, as far as anybody knows, their
 * customer's own: it is another's, or he has paid from another one. Counts them all for those that come after. Nothing
 * without a name of its payer is anybody's own. Locks the accounts' keys.
 */
export async function strangersAmong(tx: Tx, payments: readonly Paying[]): Promise<Set<number>> {
  const strangers = new Set<number>();
  if (payments.length === 0) return strangers;
  await lockKeys(tx, [...new Set(payments.flatMap(({ accounts }) => accounts.map(keyOf)))].sort());
  // Beside the orders' other uses: gone with them when an order comes to nothing.
  const counted = payments.flatMap(({ orderId, accounts }) => accounts.map((account) => ({ orderId, key: keyOf(account) })));
  await addUses(tx, counted.map(({ orderId }) => orderId), counted.map(({ key }) => key)); // prettier-ignore
  for (const [at, payment] of payments.entries()) if (!(await isOwn(tx, payment))) strangers.add(at);
  return strangers;
}

async function isOwn(tx: Tx, { orderId, email, accounts }: Paying): Promise<boolean> {
  if (accounts.length === 0) return false;
  const customer = canonicalEmail(email);
  const bound = await tx.rows<{ account: string; customer: string }>(
    'select account, customer from payer where account = any ($1) or customer = $2',
    [accounts, customer],
  );
  const ofThese = bound.filter(({ account }) => accounts.includes(account));
  if (ofThese.length > 0) return ofThese.every((one) => one.customer === customer);
  return bound.length === 0 && (await isOnlyOne(tx, orderId, customer, accounts));
}

/** While nothing is bound: no live order of another is paid from it, and none of his own from another account. */
async function isOnlyOne(tx: Tx, orderId: string, customer: string, accounts: readonly string[]): Promise<boolean> {
  const others = await tx.rows<{ customer: string; keys: string[] }>(
    `select substr(person.key, 7) as customer, array_agg(paid.key) as keys
     from limit_use person join limit_use paid using (order_id)
     where order_id <> $1 and person.key like 'email:%' and paid.key like 'payer:%'
       and order_id in (select order_id from limit_use where key = any ($2) or key = $3)
     group by order_id, person.key`,
    [orderId, accounts.map(keyOf), `email:${customer}`],
  );
  return others.every((one) => one.customer === customer && one.keys.some((key) => accounts.map(keyOf).includes(key)));
}

/** Orders are done: the accounts that paid them are their customers' from now on, as far as they were nobody's. */
export async function bindPayers(tx: Tx, orderIds: readonly string[]): Promise<void> {
  await tx.run(
    `insert into payer (account, customer, order_id, at)
     select substr(paid.key, 7), substr(person.key, 7), order_id, $2
     from limit_use paid join limit_use person using (order_id)
     where order_id = any ($1::uuid[]) and paid.key like 'payer:%' and person.key like 'email:%' order by 1, order_id
     on conflict do nothing`,
    [orderIds, tx.now],
  );
}
