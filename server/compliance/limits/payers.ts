// Accounts that reversible payments come from. A customer must pay from their own account, since payments from other people's
// accounts are charged back. With its first completed payment, an account is bound to that customer. Before that, open payments
// are compared.

import { type Owner, canonicalEmail, type Tx } from '../../platform/index.ts';
import { lockKeys } from './keys.ts';
import { addUses } from './limit-store.ts';

/** A final reversible payment: its owner, its customer's e-mail, and the names of the account that it came from. */
export interface Paying {
  readonly owner: Owner;
  readonly email: string;
  readonly accounts: readonly string[];
}

const keyOf = (account: string): string => `payer:${account}`;

/**
 * Returns the indexes of payments that may come from somebody else's account: it is unnamed, or bound to another customer, or the
 * customer is bound to another account. All payments are stored for the comparison with later ones. Locks the
 * accounts' keys.
 */
export async function strangersAmong(tx: Tx, payments: readonly Paying[]): Promise<Set<number>> {
  const strangers = new Set<number>();
  if (payments.length === 0) return strangers;
  await lockKeys(tx, [...new Set(payments.flatMap(({ accounts }) => accounts.map(keyOf)))].sort());
  // The accounts are stored as keys of the owner's sum, so they are deleted with that sum if the owner is cancelled.
  await addUses(
    tx,
    payments.flatMap(({ owner, accounts }) => accounts.map((account) => ({ owner, key: keyOf(account) }))),
  );
  for (const [at, payment] of payments.entries()) if (!(await isOwn(tx, payment))) strangers.add(at);
  return strangers;
}

async function isOwn(tx: Tx, { owner, email, accounts }: Paying): Promise<boolean> {
  if (accounts.length === 0) return false;
  const person = await personOf(tx, owner, email);
  const known = await tx.rows<{ account: string; customer: string; isShown: boolean }>(
    'select account, customer, shown as "isShown" from payer where (account = any ($1) or customer = $2) and (shown or not $3)',
    [accounts, person.customer, person.isShown],
  );
  // Bindings to a verified mailbox take precedence over bindings to a typed e-mail.
  const isBound = known.some(({ customer, isShown }) => isShown && customer === person.customer);
  const bound = isBound ? known.filter(({ isShown }) => isShown) : known;
  const ofThese = bound.filter(({ account }) => accounts.includes(account));
  if (ofThese.length > 0) return ofThese.every((one) => one.customer === person.customer);
  return bound.length === 0 && (await isOnlyOne(tx, owner, person, accounts));
}

interface Person {
  readonly customer: string;
  readonly isShown: boolean;
}

/** Returns an owner's customer: the verified mailbox of the holder, otherwise the typed e-mail. */
async function personOf(tx: Tx, owner: Owner, email: string): Promise<Person> {
  const shown = await tx.row<{ customer: string }>(
    `select substr(key, 7) as customer from limit_use where owner_id = $1 and key like 'email:%'`,
    [owner.id],
  );
  return { customer: shown?.customer ?? canonicalEmail(email), isShown: shown !== undefined };
}

/**
 * Returns true if no open payment contradicts: no other customer pays from these accounts, and this customer pays from no other
 * account. For a customer with a verified mailbox, payments of customers with a typed e-mail are ignored.
 */
async function isOnlyOne(tx: Tx, owner: Owner, { customer, isShown }: Person, accounts: readonly string[]): Promise<boolean> {
  const others = await tx.rows<{ customer: string; keys: string[] }>(
    `select substr(person.key, strpos(person.key, ':') + 1) as customer, array_agg(paid.key) as keys
     from limit_use person join limit_use paid using (owner_id)
     where owner_id <> $1 and (person.key like 'email:%' or not $4 and person.key like 'claimed:%') and paid.key like 'payer:%'
       and owner_id in (select owner_id from limit_use where key = any ($2) or key = any ($3))
     group by owner_id, person.key`,
    [owner.id, accounts.map(keyOf), [`email:${customer}`, ...(isShown ? [] : [`claimed:${customer}`])], isShown],
  );
  return others.every((one) => one.customer === customer && one.keys.some((key) => accounts.map(keyOf).includes(key)));
}

/**
 * Binds each account that paid a completed owner to the owner's customer, if the account is not bound yet. A binding to a
 * verified mailbox replaces a binding to a typed e-mail.
 */
export async function bindPayers(tx: Tx, owners: readonly Owner[]): Promise<void> {
  await tx.run(
    `insert into payer (account, customer, owner_kind, owner_id, at, shown)
     select distinct on (1) substr(paid.key, 7), substr(person.key, strpos(person.key, ':') + 1), paid.owner_kind, owner_id, $2::timestamptz,
       person.key like 'email:%'
     from limit_use paid join limit_use person using (owner_id)
     where owner_id = any ($1::uuid[]) and paid.key like 'payer:%' and (person.key like 'email:%' or person.key like 'claimed:%')
     order by 1, person.key like 'email:%' desc, owner_id
     on conflict (account) do update set customer = excluded.customer, owner_kind = excluded.owner_kind, owner_id = excluded.owner_id, at = excluded.at, shown = true
       where excluded.shown and not payer.shown`,
    [owners.map(({ id }) => id), tx.now],
  );
}

/**
 * Moves the bindings of accounts to a customer's new address, if they were made to a verified mailbox. Bindings to a typed
 * address stay.
 */
export async function movePayers(tx: Tx, from: string, to: string): Promise<void> {
  await tx.run('update payer set customer = $2 where customer = $1 and shown', [from, to]);
}
