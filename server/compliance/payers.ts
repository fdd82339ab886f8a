// Payments that can be taken back come from their customer's own account: who pays with others' is who is charged
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
  const person = await personOf(tx, orderId, email);
  const known = await tx.rows<{ account: string; customer: string; shown: boolean }>(
    'select account, customer, shown from payer where (account = any ($1) or customer = $2) and (shown or not $3)',
    [accounts, person.customer, person.isShown],
  );
  // What somebody has shown says more than what others have typed.
  const isBound = known.some(({ customer, shown }) => shown && customer === person.customer);
  const bound = isBound ? known.filter(({ shown }) => shown) : known;
  const ofThese = bound.filter(({ account }) => accounts.includes(account));
  if (ofThese.length > 0) return ofThese.every((one) => one.customer === person.customer);
  return bound.length === 0 && (await isOnlyOne(tx, orderId, person, accounts));
}

interface Person {
  readonly customer: string;
  readonly isShown: boolean;
}

/** The customer of an order: by the mailbox that its holder has shown, else by the e-mail that was typed. */
async function personOf(tx: Tx, orderId: string, email: string): Promise<Person> {
  const shown = await tx.row<{ customer: string }>(
    `select substr(key, 7) as customer from limit_use where order_id = $1 and key like 'email:%'`,
    [orderId],
  );
  return { customer: shown?.customer ?? canonicalEmail(email), isShown: shown !== undefined };
}

/**
 * While nothing is bound: no live order of another is paid from it, and none of his own from another account. What orders
 * say whose e-mail was only typed tells nothing of somebody who has shown his.
 */
async function isOnlyOne(tx: Tx, orderId: string, { customer, isShown }: Person, accounts: readonly string[]): Promise<boolean> {
  const others = await tx.rows<{ customer: string; keys: string[] }>(
    `select substr(person.key, strpos(person.key, ':') + 1) as customer, array_agg(paid.key) as keys
     from limit_use person join limit_use paid using (order_id)
     where order_id <> $1 and (person.key like 'email:%' or not $4 and person.key like 'claimed:%') and paid.key like 'payer:%'
       and order_id in (select order_id from limit_use where key = any ($2) or key = any ($3))
     group by order_id, person.key`,
    [orderId, accounts.map(keyOf), [`email:${customer}`, ...(isShown ? [] : [`claimed:${customer}`])], isShown],
  );
  return others.every((one) => one.customer === customer && one.keys.some((key) => accounts.map(keyOf).includes(key)));
}

/**
 * Orders are done: the accounts that paid them are their customers' from now on, as far as they were nobody's. What somebody
 * has shown takes the place of what was only typed.
 */
export async function bindPayers(tx: Tx, orderIds: readonly string[]): Promise<void> {
  await tx.run(
    `insert into payer (account, customer, order_id, at, shown)
     select distinct on (1) substr(paid.key, 7), substr(person.key, strpos(person.key, ':') + 1), order_id, $2::timestamptz,
       person.key like 'email:%'
     from limit_use paid join limit_use person using (order_id)
     where order_id = any ($1::uuid[]) and paid.key like 'payer:%' and (person.key like 'email:%' or person.key like 'claimed:%')
     order by 1, person.key like 'email:%' desc, order_id
     on conflict (account) do update set customer = excluded.customer, order_id = excluded.order_id, at = excluded.at, shown = true
       where excluded.shown and not payer.shown`,
    [orderIds, tx.now],
  );
}
