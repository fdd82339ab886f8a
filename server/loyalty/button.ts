// The mailed discount button of a visitor: a typed address gets its owner's discount only once the owner confirms it.
//
// Step 2 of every visitor is noted in the same way, and the worker handles it later, so that the answer reveals nothing about an
// address, not even by its time. If the address has a level, or a discount of another room, one letter with a link is sent. Only
// the hash of its token is stored.

import { randomBytes } from 'node:crypto';
import { type Locale, sitePath } from '@kurs/contract';
import { mail } from '../deliveries/index.ts';
import {
  type Db,
  type Statements,
  type Tx,
  canonicalEmail,
  isMac,
  letterWords,
  macOf,
  secretHash,
  secretHashes,
  steady,
} from '../platform/index.ts';
import { statusAt } from './ladder.ts';
import { ladder, loyaltySettings as settings } from './loyalty-settings.ts';
import { turnoverOf, turnoversOf } from './turnover.ts';

/** The calculation of a visitor, and the address that they typed. */
export interface ButtonRequest {
  readonly calculation: string;
  readonly email: string;
  readonly locale: Locale;
  readonly expiresAt: Date;
}

/** Number of calculations handled in one transaction. */
const BATCH_SIZE = 100;
const DAY = `interval '1 day'`;

/** Notes a visitor's calculation: once, even if its address changes later. */
export function askForButton(tx: Tx, request: ButtonRequest): void {
  const { calculation, email, locale, expiresAt } = request;
  const customer = canonicalEmail(email);
  tx.write(
    `insert into discount_button (calculation, email, customer, locale, requested_at, expires_at, mac) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (calculation) do nothing`,
    [calculation, email, customer, locale, tx.now, expiresAt, macOf('button', requestedContent({ ...request, customer }))],
    { name: 'loyalty.ask_for_button' },
  );
}

/** Returns those of these addresses, in their canonical spelling, that have a discount of another room. */
type WithDiscount = (tx: Tx, customers: readonly string[]) => Promise<readonly string[]>;

interface Noted extends ButtonRequest {
  readonly customer: string;
}

/** Returns the text under the MAC of a row until it is handled: a row that SQL inserted mails nothing. */
const requestedContent = ({ calculation, email, customer, locale, expiresAt }: Noted): string =>
  steady(['asked', calculation, email, customer, locale, expiresAt]);

/**
 * Mails the buttons of newly noted calculations whose addresses have a level or another discount. Returns the number of handled
 * calculations.
 */
export const mailButtons = async (
  db: Db,
  sender: { readonly name: string; readonly url: string },
  withDiscount: WithDiscount,
): Promise<number> => {
  if (!(await db.row('select from discount_button where decided_at is null limit 1', [], { name: 'loyalty.is_asked' }))) return 0;
  return db.tx(async (tx) => {
    // One at a time, so that parallel ones don't exceed the limit of an address.
    const [, requests] = await Promise.all([
      tx.row(`select pg_advisory_xact_lock(hashtext('loyalty.buttons'))`),
      tx.rows<Noted & { mac: string | null }>(
        `select calculation, email, customer, locale, expires_at as "expiresAt", mac from discount_button
         where decided_at is null order by requested_at limit $1`,
        [BATCH_SIZE],
        { name: 'loyalty.buttons_asked' },
      ),
    ]);
    const has = await haveDiscounts(
      tx,
      requests.map(({ customer }) => customer),
      withDiscount,
    );
    await notePolled(
      tx,
      requests.filter(({ customer }) => !has.has(customer)).map((one) => ({ ...one, hash: null })),
    );
    for (const one of requests.filter(({ customer }) => has.has(customer))) {
      const token = randomBytes(32).toString('base64url');
      const isSent =
        isMac('button', requestedContent(one), one.mac) && one.expiresAt > tx.now && !(await isFull(tx, one.customer));
      if (isSent) queueButton(tx, sender, one, token);
      await notePolled(tx, [{ ...one, hash: isSent ? secretHash('discount button', token) : null }]);
    }
    return requests.length;
  });
};

/** Returns those of these addresses that have a level or another discount. */
async function haveDiscounts(tx: Tx, customers: readonly string[], withDiscount: WithDiscount): Promise<ReadonlySet<string>> {
  const [turnovers, others] = await Promise.all([turnoversOf(tx, customers), withDiscount(tx, customers)]);
  const rungs = ladder();
  const levelled = [...turnovers].filter(([, cents]) => statusAt(cents, rungs).percent > 0).map(([customer]) => customer);
  return new Set([...levelled, ...others]);
}

/** Marks these as handled, with the hash of the token if a letter is sent. */
async function notePolled(
  tx: Tx,
  polled: readonly { calculation: string; customer: string; hash: Buffer | null }[],
): Promise<void> {
  if (polled.length === 0) return;
  await tx.run(
    `update discount_button set decided_at = $3, token_hash = hash, mac = looked.mac
     from unnest($1::uuid[], $2::bytea[], $4::uuid[]) as looked (id, hash, mac) where calculation = id`,
    [
      polled.map(({ calculation }) => calculation),
      polled.map(({ hash }) => hash),
      tx.now,
      polled.map((one) => (one.hash ? macOf('button', contentOf({ ...one, hash: one.hash })) : null)),
    ],
    { name: 'loyalty.looked' },
  );
}

/** Returns true if an address has got all letters of a day. */
async function isFull(tx: Tx, customer: string): Promise<boolean> {
  const row = await tx.row<{ count: number }>(
    `select count(*)::int as count from discount_button where customer = $1 and token_hash is not null and decided_at > $2::timestamptz - ${DAY}`,
    [customer, tx.now],
  );
  return (row?.count ?? 0) >= settings.get('coupons.button_day');
}

function queueButton(
  tx: Tx,
  { name, url }: { readonly name: string; readonly url: string },
  { calculation, email, locale }: ButtonRequest,
  token: string,
): void {
  const words = letterWords(locale, 'discount_button', { name });
  mail.queue(tx, {
    ...{ to: email, locale, name, key: `discount ${calculation}` },
    subject: words('subject'),
    paragraphs: [words('lead'), words('not_you')],
    link: { url: url + sitePath(locale, `discount?token=${token}`), words: words('open') },
    keep: words('keep'),
  });
}

interface Button {
  readonly calculation: string;
  readonly customer: string;
  readonly hash: Buffer;
}

const contentOf = ({ calculation, customer, hash }: Button): string => steady([calculation, customer, hash.toString('hex')]);

/**
 * Returns the calculation of a mailed button, its address, and the current percentage; undefined for an unknown token, and for a
 * button that SQL inserted or changed.
 */
export async function buttonOf(
  db: Statements,
  token: string,
): Promise<{ readonly calculation: string; readonly customer: string; readonly percent: number } | undefined> {
  const row = await db.row<Button & { mac: string | null }>(
    'select calculation, customer, token_hash as hash, mac from discount_button where token_hash = any ($1)',
    [secretHashes('discount button', token)],
    { name: 'loyalty.button_of' },
  );
  if (!row || !isMac('button', contentOf(row), row.mac)) return undefined;
  const { calculation, customer } = row;
  return { calculation, customer, percent: statusAt(await turnoverOf(db, row.customer), ladder()).percent };
}

/** Deletes notes older than a day. Returns their number. */
export const forgetButtons = (db: Statements): Promise<number> =>
  db.run(`delete from discount_button where requested_at < clock_now() - ${DAY}`);
