import { Problem, type Input, type Output, type Routes, fieldProblem } from '@kurs/contract';
import { type Confirming, emailKey, holderByEmail, spendStep, stepUp } from '../auth/index.ts';
import { checkGivenAccount, currencies, currencyOf } from '../payments/index.ts';
import type { Db, Sealer, Tx } from '../platform/index.ts';
import { confirmationOf } from './confirmation.ts';
import { MONEY_OUT } from './kinds.ts';
import { coolingMs } from './settings.ts';
import { addAddress, addressesOf, countAddresses, dropAddress, listOf, lockGuard, setList } from './store.ts';

export interface BookDeps {
  readonly db: Db;
  readonly sealer: Sealer;
}
type Book = Output<Routes['walletAddresses']>;

const MAX_ADDRESSES = 200;
/** Currency of book entries that are other account holders' wallets. The key of such an entry is the holder's id. */
export const WALLET = 'wallet';

/** Returns the hash for the mailed code with which a holder confirms adding a person to their book. */
export const personConfirmation = (holderId: string, email: string): string =>
  confirmationOf(['person', holderId, emailKey(email)]);

/**
 * Returns the currency of a unit on a rail. Throws `validation` on `currency` for an unknown unit, and on `rail` if the unit has
 * no currency there.
 */
export function currencyBy(unit: string, rail: string): NonNullable<ReturnType<typeof currencyOf>> {
  const ofUnit = currencies().filter((one) => one.unit === unit);
  if (ofUnit.length === 0) throw fieldProblem('currency', 'currency_unknown');
  const found = ofUnit.find((one) => one.rail === rail);
  if (!found) throw fieldProblem('rail', 'rail_unknown');
  return found;
}

/** Returns a holder's address book and the status of their allow-list. */
export async function bookView(db: Db, holderId: string): Promise<Book> {
  const now = await db.now();
  const [{ isOn, until }, addresses] = await Promise.all([listOf(db, holderId, now), addressesOf(db, holderId)]);
  return {
    allow_list: isOn,
    allow_list_until: until?.toISOString() ?? null,
    addresses: addresses.map(({ id, currency, fields, label, usableAt }) => {
      const isPerson = currency === WALLET;
      const info = isPerson ? undefined : currencyOf(currency);
      return {
        ...{ id, label, to: fields, kind: isPerson ? 'person' : 'address' },
        ...{ currency: info?.unit ?? (isPerson ? '' : currency), rail: info?.rail ?? '', network: info?.network ?? '' },
        ...{ usable_at: usableAt.toISOString(), usable: usableAt <= now },
      };
    }),
  };
}

/**
 * Adds an address to a holder's book. While the allow-list is on, money can go to the address only after the waiting period.
 * Requires a step-up, so a session alone is not enough. Throws as `checkGivenAccount` and `stepUp` do, and `validation` if the
 * book is full.
 */
export async function writeDown(
  deps: BookDeps,
  holder: Confirming,
  { currency: unit, rail, to, label, ...codes }: Input<Routes['walletAddressStore']>,
): Promise<Book> {
  const { code } = currencyBy(unit, rail);
  const account = await checkGivenAccount(deps.db, code, to, 'to');
  if (account.key === '') throw fieldProblem('rail', 'rail_unknown');
  const about = confirmationOf(['address', holder.id, code, account.key]);
  await changed(deps, holder, codes, about, (tx) =>
    store(tx, holder.id, { currency: code, key: account.key, fields: account.fields, label }),
  );
  return bookView(deps.db, holder.id);
}

/**
 * Adds another account holder to the book, by their e-mail address. The entry stands for that person, even if their address
 * changes later. The caller learns only after the step-up whether the account exists. Throws as `stepUp` does, `no_such_holder`,
 * and `validation` for the caller's own address or a full book.
 */
export async function writePersonDown(
  deps: BookDeps,
  holder: Confirming & { readonly email: string },
  { email, label, ...codes }: Input<Routes['walletPersonStore']>,
): Promise<Book> {
  if (emailKey(email) === emailKey(holder.email)) throw fieldProblem('email', 'own_wallet');
  await changed(deps, holder, codes, personConfirmation(holder.id, email), async (tx) => {
    const person = await holderByEmail(tx, email);
    if (!person) throw new Problem('no_such_holder');
    if (person.isAltered) throw new Problem('record_altered');
    await store(tx, holder.id, { currency: WALLET, key: person.id, fields: { email: email.trim() }, label });
  });
  return bookView(deps.db, holder.id);
}

async function store(tx: Tx, holderId: string, entry: Omit<Parameters<typeof addAddress>[2], 'usableAt'>): Promise<void> {
  if ((await countAddresses(tx, holderId)) >= MAX_ADDRESSES) throw fieldProblem('label', 'book_full');
  await addAddress(tx, holderId, { ...entry, usableAt: new Date(tx.now.getTime() + coolingMs()) });
}

/** Removes an address from the book. Requires no step-up, because money can then go to fewer addresses. Throws `not_found`. */
export async function forget({ db }: BookDeps, holderId: string, id: string): Promise<Book> {
  if (!(await db.tx((tx) => dropAddress(tx, holderId, id)))) throw new Problem('not_found');
  return bookView(db, holderId);
}

/**
 * Switches the allow-list. Switching on takes effect at once. Switching off requires a step-up, and takes effect after the
 * waiting period. Throws as `stepUp` does.
 */
export async function switchList(
  deps: BookDeps,
  holder: Confirming,
  { on, ...codes }: Input<Routes['walletAllowList']>,
): Promise<Book> {
  const { id: holderId } = holder;
  const set = async (tx: Tx): Promise<void> => {
    await lockGuard(tx, holderId);
    const before = await listOf(tx, holderId, tx.now);
    if (on) return setList(tx, holderId, true, undefined);
    if (before.isOn && before.until === undefined) await setList(tx, holderId, false, new Date(tx.now.getTime() + coolingMs()));
  };
  if (on) await deps.db.tx(set);
  else await changed(deps, holder, codes, confirmationOf(['allow_list', holderId]), set);
  return bookView(deps.db, holderId);
}

async function changed(
  deps: BookDeps,
  holder: Confirming,
  codes: { two_factor_code?: string | undefined; otp?: string | undefined },
  about: string,
  work: (tx: Tx) => Promise<void>,
): Promise<void> {
  const stepped = await stepUp(deps, holder, codes, { purpose: MONEY_OUT, about });
  await deps.db.tx(async (tx) => {
    await spendStep(tx, stepped);
    await work(tx);
  });
}
