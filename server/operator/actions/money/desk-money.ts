import { Problem, fieldProblem } from '@kurs/contract';
import { type Unit, format, money } from '@kurs/money';
import { type Sender, clearToOrder, readOrder } from '../../../exchange/index.ts';
import { type AccountRef, accounts, balances } from '../../../ledger/index.ts';
import {
  type ClearDifference,
  accountProblem,
  bookDifference,
  claimCapital,
  checkAccount,
  clearDifference,
  closeBooks,
  currencies,
  currencyOf,
  differences,
  fundDesk,
  isReadFromChain,
  markStuck,
  marketValues,
  payable,
  peopleForCapital,
  readPaidIn,
  setAsideFuel,
  stuckOf,
  takesTwoToBook,
  withdrawDesk,
} from '../../../payments/index.ts';
import type { Db, Tx } from '../../../platform/index.ts';
import { reserveOf } from '../../../pricing/index.ts';
import type { Person } from '../../people/roles.ts';
import { type Acted, actAs } from '../../people/two-people.ts';
import { partsOf } from './typed-amount.ts';

export interface Fund {
  readonly currency: string;
  /** Amount that arrived, for a payment system whose transactions can't be read. */
  readonly amount?: string | undefined;
  /** The payment system's reference of the arrival. */
  readonly reference?: string | undefined;
  /** Transaction on a chain. The amount is read from the transaction. */
  readonly txid?: string | undefined;
  readonly place: 'hot' | 'fuel';
  readonly rebalance: boolean;
  readonly reason: string;
}

export interface Withdraw {
  readonly currency: string;
  readonly amount: string;
  readonly to: Readonly<Record<string, string>>;
  readonly rebalance: boolean;
  readonly reason: string;
}

/**
 * Books the desk's own money that arrived at a rail: capital, fuel, or money from another rail of ours. On a chain the sum is
 * read from the transaction, which can be booked only once. Takes one operator, or two if this sum and all unconfirmed capital
 * together exceed a limit. Capital is unconfirmed until its rail has shown it, and isn't promised to customers. A repeated call
 * with the same key books once. Throws the errors of `readPaidIn`.
 */
export async function fund(db: Db, person: Person, input: Fund, key?: string): Promise<Acted> {
  const unit = unitOf(input.currency);
  const { currency, place, rebalance: isRebalancing } = input;
  const { parts, ...arrived } = await arrivedOf(db, unit, input);
  const body = { ...arrived, place, rebalance: isRebalancing };
  const wanted = {
    action: 'desk_fund',
    subject: input.currency,
    reason: input.reason,
    permission: 'money.move',
    body,
    key,
  } as const;
  return db.tx(async (tx) => {
    // Takes a lock, so that nobody else books the same transaction concurrently.
    const people = await peopleForCapital(tx, unit, parts);
    const { txid } = arrived;
    const check = async (): Promise<void> => {
      if (txid !== undefined && (await isFunded(tx, currency, txid))) throw fieldProblem('txid', 'fund_twice');
    };
    return actAs(tx, person, { ...wanted, people, check }, async (_by, id) => {
      if (place === 'hot') await claimCapital(tx, { id, currency, parts });
      await fundDesk(tx, { id, currency, place, parts, isRebalancing });
    });
  });
}

/** Returns the amount that arrived: on a chain as read from the transaction, otherwise as typed. */
async function arrivedOf(
  db: Db,
  unit: string,
  { currency, amount, reference, txid }: Fund,
): Promise<{ readonly parts: bigint; readonly amount: string; readonly txid?: string; readonly reference?: string }> {
  if (txid !== undefined || isReadFromChain(currency)) {
    if (amount !== undefined) throw fieldProblem('amount', 'fund_by_txid');
    if (txid === undefined) throw fieldProblem('txid', 'required');
    const paid = await readPaidIn(db, { currency, txid });
    return { ...paid, amount: format(money(unit as Unit, paid.parts)) };
  }
  if (amount === undefined) throw fieldProblem('amount', 'required');
  if (reference === undefined) throw fieldProblem('reference', 'required');
  return { parts: partsOf(unit, amount), amount, reference };
}

/** True if the audit shows that the transaction has already been booked as the desk's money. */
async function isFunded(tx: Tx, currency: string, txid: string): Promise<boolean> {
  const row = await tx.row(
    `select from audit where action = 'desk_fund' and outcome = 'done' and subject = $1 and body ->> 'txid' = $2 limit 1`,
    [currency, txid],
  );
  return row !== undefined;
}

/**
 * Sends the desk's own money out: as capital that is withdrawn, or to another rail of ours. Takes two operators with identical
 * input.
 */
export async function withdraw(db: Db, person: Person, input: Withdraw, key?: string): Promise<Acted> {
  const info = currencyOf(input.currency);
  if (!info) throw fieldProblem('currency', 'currency_unknown');
  const parts = partsOf(info.unit, input.amount);
  const checked = checkAccount(input.currency, input.to);
  if (!checked.ok) {
    const { code, params } = accountProblem(info.network, checked);
    throw fieldProblem(`to.${checked.field}`, code, params);
  }
  const wanted = {
    action: 'desk_withdraw',
    subject: input.currency,
    reason: input.reason,
    permission: 'money.move',
    people: 2,
    body: { amount: input.amount, to: checked.key, rebalance: input.rebalance },
    key,
    check: () => requireThere(db, accounts.deskFree(info.unit), parts),
  } as const;
  return db.tx((tx) =>
    actAs(tx, person, wanted, (_by, id) =>
      withdrawDesk(tx, { id, currency: input.currency, parts, to: checked.fields, isRebalancing: input.rebalance }),
    ),
  );
}

export interface BookedDifference {
  readonly currency: string;
  readonly place: 'hot' | 'deposit' | 'fuel';
  /** `more` if the rail has more than the books. */
  readonly side: 'more' | 'less';
  readonly amount: string;
  readonly reason: string;
}

/**
 * Books a difference between a rail and the books, as found by reconciliation, as unexplained. Takes one operator, or two if the
 * difference is large enough to stop new promises.
 */
export async function bookUnexplained(db: Db, person: Person, input: BookedDifference, key?: string): Promise<Acted> {
  const { currency, place, side, amount, reason } = input;
  const unit = unitOf(currency);
  const parts = partsOf(unit, amount) * (side === 'more' ? 1n : -1n);
  const body = { place, side, amount };
  const people = takesTwoToBook(unit, parts, marketValues) ? 2 : 1;
  const check = async (): Promise<void> => {
    const found = (await differences(db)).find((one) => one.currency === currency && one.place === place);
    if (found?.parts !== parts) throw new Problem('difference_changed');
  };
  const wanted = {
    action: 'desk_difference',
    subject: currency,
    reason,
    permission: 'money.correct',
    people,
    body,
    key,
    check,
  } as const;
  return db.tx((tx) => actAs(tx, person, wanted, (_by, id) => bookDifference(tx, { id, currency, place, parts })));
}

export interface Clear {
  readonly currency: string;
  readonly amount: string;
  readonly to: ClearDifference['to'] | 'order';
  /** For `order`: number of the customer's order. */
  readonly order?: string | undefined;
  /** For `order`: transaction of the payment. */
  readonly txid?: string | undefined;
  readonly reason: string;
}

/**
 * Moves unexplained money to its account: the desk's, a customer's order, or a loss. Takes two operators with the same amount and
 * account or order.
 */
export async function clearUnexplained(db: Db, sender: Sender, person: Person, input: Clear, key?: string): Promise<Acted> {
  const { currency, amount, to, reason, order, txid } = input;
  const parts = partsOf(unitOf(currency), amount);
  const owner = to === 'order' ? await ownerOf(db, order, txid) : undefined;
  const body = { amount, to, ...owner };
  const sign = to === 'free' || to === 'order' ? 1n : -1n;
  const check = () => requireThere(db, accounts.suspense(unitOf(currency)), parts, sign);
  const wanted = {
    action: 'desk_clear',
    subject: currency,
    reason,
    permission: 'money.correct',
    people: 2,
    body,
    key,
    check,
  } as const;
  return db.tx((tx) =>
    actAs(tx, person, wanted, (_by, id) =>
      owner
        ? clearToOrder(tx, sender, { number: owner.order, currency, parts, txid: owner.txid })
        : clearDifference(tx, { id, currency, parts, to: to as ClearDifference['to'] }),
    ),
  );
}

/** Returns order and transaction. Throws `validation` if one of them is missing, and `order_not_found`. */
async function ownerOf(db: Db, order: string | undefined, txid: string | undefined): Promise<{ order: string; txid: string }> {
  if (order === undefined) throw fieldProblem('order', 'required');
  if (txid === undefined) throw fieldProblem('txid', 'required');
  if (!(await readOrder(db, order))) throw new Problem('order_not_found');
  return { order, txid };
}

export interface Stuck {
  readonly currency: string;
  readonly amount: string;
  readonly back: boolean;
  readonly reason: string;
}

/**
 * Marks money as stuck while a rail withholds it, or as free again. Takes one operator, since the desk must stop promising it at
 * once.
 */
export async function setStuck(db: Db, person: Person, input: Stuck, key?: string): Promise<Acted> {
  const { currency, amount, back: isBack } = input;
  const info = currencyOf(currency);
  if (!info) throw fieldProblem('currency', 'currency_unknown');
  const parts = partsOf(info.unit, amount);
  const wanted = correction(isBack ? 'desk_unstuck' : 'desk_stuck', input, key);
  return db.tx((tx) => actAs(tx, person, wanted, (_by, id) => markStuck(tx, { id, currency, parts, isBack })));
}

export interface Fuel {
  readonly currency: string;
  readonly amount: string;
  readonly back: boolean;
  readonly reason: string;
}

/**
 * Sets coin of the hot wallet aside as fuel, or makes fuel available again. Takes one operator: the money stays the desk's, at
 * the same address.
 */
export async function setFuel(db: Db, person: Person, input: Fuel, key?: string): Promise<Acted> {
  const { currency, amount, back: isBack } = input;
  const parts = partsOf(unitOf(currency), amount);
  const wanted = correction(isBack ? 'desk_fuel_back' : 'desk_fuel', input, key);
  return db.tx((tx) => actAs(tx, person, wanted, (_by, id) => setAsideFuel(tx, { id, currency, parts, isBack })));
}

/**
 * Returns the wanted action for a correction by one operator. A correction moves no money: it only changes the amount that the
 * desk can promise.
 */
const correction = <A extends string>(action: A, { currency, amount, reason }: Stuck | Fuel, key: string | undefined) =>
  ({ action, subject: currency, reason, permission: 'money.correct', people: 1, body: { amount }, key }) as const;

/** Closes the books: earnings become the desk's free money, and expenses are paid from it. Takes one operator. */
export async function close(db: Db, person: Person, { reason }: { readonly reason: string }, key?: string): Promise<Acted> {
  const wanted = { action: 'desk_close', subject: 'desk', reason, permission: 'money.close', people: 1, body: {}, key } as const;
  return db.tx((tx) => actAs(tx, person, wanted, (_by, id) => closeBooks(tx, { id })));
}

/** Throws `not_enough_there` if the account's balance, multiplied by `sign`, is below the amount. */
async function requireThere(db: Db, account: AccountRef, parts: bigint, sign: 1n | -1n = 1n): Promise<void> {
  const [held = 0n] = await balances(db, [account]);
  if (held * sign < parts) throw new Problem('not_enough_there');
}

/**
 * Returns for each currency: the desk's free money, the amount that its rail can send now, the reserve, and the balances in the
 * books and on the rail.
 */
export async function reserves(db: Db) {
  const [found, stuck, ...amounts] = await Promise.all([
    differences(db),
    stuckOf(
      db,
      currencies().map(({ code }) => code),
    ),
    ...currencies().map(async (info) => ({
      info,
      own: await balances(db, [accounts.deskFree(info.unit), accounts.suspense(info.unit)]),
      payable: await payable(db, info.code),
    })),
  ]);
  return amounts.map(({ info, own: [free = 0n, unexplained = 0n], payable: now }) => ({
    code: info.code,
    unit: info.unit,
    free,
    unexplained,
    stuck: stuck.get(info.code) ?? 0n,
    payable: now,
    reserve: reserveOf(info.code).parts as bigint,
    places: found.filter(({ currency }) => currency === info.code || currency === info.fuel),
  }));
}

/** Returns the unit of a currency, or of a rail's fuel. */
function unitOf(code: string): string {
  const info = currencyOf(code);
  if (info) return info.unit;
  if (currencies().some(({ fuel }) => fuel === code)) return code;
  throw fieldProblem('currency', 'currency_unknown');
}
