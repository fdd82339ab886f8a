import { emailKey, holderByEmail, holdersByEmail } from '../../../auth/index.ts';
import { type Subject } from '../../../compliance/index.ts';
import { type Statements, type Tx, canonicalEmail } from '../../../platform/index.ts';

/**
 * A customer whose earlier orders are looked up. Anybody can type an address. For an account holder, or a visitor with a proven
 * mailbox, orders on which the address was only typed are therefore ignored.
 */
export interface Orderer {
  /** The account that is signed in. */
  readonly holderId: string | undefined;
  /** The mailbox that the customer has proven to read, in its canonical spelling. */
  readonly mailbox: string | undefined;
  /** An address that the customer only typed. All orders with this address are included, even if the address was only typed on them. */
  readonly typed: string | undefined;
}

const NOBODY: Orderer = { holderId: undefined, mailbox: undefined, typed: undefined };

/**
 * Returns, for a customer of limits (`Subject`), the customer whose earlier orders are looked up. That is the account holder,
 * else the visitor who has proven to read the mailbox of the typed address, else anybody who types that address.
 */
export function ordererOf({ email, holder }: Pick<Subject, 'email' | 'holder'>, mailbox: string | undefined): Orderer {
  if (holder) {
    const own = holder.mailbox === undefined ? undefined : canonicalEmail(holder.mailbox);
    return { holderId: holder.id, mailbox: own, typed: undefined };
  }
  const isShown = mailbox !== undefined && mailbox === canonicalEmail(email);
  return isShown ? { ...NOBODY, mailbox } : { ...NOBODY, typed: email };
}

/** True if a customer has proven to read the mailbox of the address on their order. */
export const isMailboxShown = (subject: Pick<Subject, 'email' | 'holder'>, mailbox: string | undefined): boolean =>
  ordererOf(subject, mailbox).mailbox === canonicalEmail(subject.email);

/** True if the customer has a completed order that was finished before the moment `before`, or at any time if `before` is missing. */
export async function hasOrdered(db: Statements, { holderId, mailbox, typed }: Orderer, before?: Date): Promise<boolean> {
  const row = await db.row(
    `select from customer_order where state = 'completed' and customer = $1 and ($4::timestamptz is null or finished_at < $4)
     union all
     select from customer_order where state = 'completed' and customer = $2 and pinned #>> '{pinned,isMailboxProven}' = 'true'
       and ($4::timestamptz is null or finished_at < $4)
     union all
     select from customer_order where state = 'completed' and holder_id = $3 and ($4::timestamptz is null or finished_at < $4) limit 1`,
    [
      typed === undefined ? null : canonicalEmail(typed),
      mailbox ?? null,
      holderId ?? (await accountOf(db, mailbox)) ?? null,
      before ?? null,
    ],
    { name: 'exchange.has_ordered' },
  );
  return row !== undefined;
}

/** Returns the id of the account with this verified mailbox. */
async function accountOf(db: Statements, mailbox: string | undefined): Promise<string | undefined> {
  const holder = mailbox === undefined ? undefined : await holderByEmail(db, mailbox);
  return holder?.emailVerifiedAt && holder.id;
}

/**
 * Returns the addresses, in canonical form, with a completed order before the moment given for them. The order was placed with
 * the address or by the address's account.
 */
export async function addressesThatOrdered(
  db: Statements,
  requests: readonly { readonly email: string; readonly before: Date }[],
): Promise<Set<string>> {
  if (requests.length === 0) return new Set();
  const holders = await holdersByEmail(
    db,
    requests.map(({ email }) => email),
  );
  const ids = requests.map(({ email }) => holders.get(emailKey(email))?.id ?? null);
  const rows = await db.rows<{ email: string }>(
    `select distinct email from unnest($1::text[], $2::timestamptz[], $3::uuid[]) as asked (email, before, holder)
     where exists (select from customer_order where customer = asked.email and state = 'completed' and finished_at < asked.before)
       or exists (select from customer_order where holder_id = asked.holder and state = 'completed' and finished_at < asked.before)`,
    [requests.map(({ email }) => email), requests.map(({ before }) => before), ids],
    { name: 'exchange.addresses_that_ordered' },
  );
  return new Set(rows.map(({ email }) => email));
}

/** Returns the time of the database's clock. */
export async function nowOf(db: Statements | Tx): Promise<Date> {
  if ('now' in db && db.now instanceof Date) return db.now;
  const row = await db.row<{ now: Date }>('select clock_now() as now', [], { name: 'exchange.now' });
  if (!row) throw new Error('the database told no time');
  return row.now;
}
