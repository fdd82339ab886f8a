import { randomInt, randomBytes } from 'node:crypto';
import { format, money, parse } from '@kurs/money';
import { Refused } from '../counterpart.ts';
import type { StoredRow, Store } from '../provider/index.ts';

/** Perfect Money's currencies: the letter of their accounts, and our unit. */
export const CURRENCIES = {
  USD: { letter: 'U', unit: 'PMV_USD' },
  EUR: { letter: 'E', unit: 'PMV_EUR' },
} as const;
export type Currency = keyof typeof CURRENCIES;

/** Owner of accounts: the desk, or the sandbox's customer, who may have any number. */
export type Owner = 'desk' | 'customer';

export interface Account extends StoredRow {
  readonly name: string;
  readonly owner: Owner;
  readonly currency: Currency;
}

/** Voucher. Amounts are cents as text. */
export interface Voucher extends StoredRow {
  readonly number: string;
  readonly code: string;
  readonly currency: Currency;
  readonly cents: string;
  readonly batch: string;
  readonly created: number;
  readonly payer: string;
  readonly by: Owner;
  readonly used?: { readonly at: number; readonly payee: string; readonly batch: string };
  readonly isRemoved?: true;
}

/** Row of an owner's history. */
export interface Movement extends StoredRow {
  readonly batch: string;
  readonly owner: Owner;
  readonly at: number;
  readonly type: 'Income' | 'Charge';
  readonly currency: Currency;
  readonly cents: string;
  readonly fee: string;
  readonly payer: string;
  readonly payee: string;
  readonly memo: string;
}

const FIRST_BATCH = 610_000_000;

/** Refusal by Perfect Money, with its message. */
export class PmError extends Error {}

/** Accounts, vouchers and movements. Changes take effect immediately and are stored. */
export class Book {
  readonly #store: Store;
  readonly login: string;
  readonly passPhrase: string;
  /** Fee for a new voucher, in hundredths of a percent. */
  fee = 50n;

  constructor(store: Store) {
    this.#store = store;
    const known = store.get<{ login: string; passPhrase: string }>('login', 'desk');
    this.login = known?.login ?? String(randomInt(1_000_000, 10_000_000));
    this.passPhrase = known?.passPhrase ?? randomBytes(12).toString('hex');
    if (known) return;
    store.put('login', 'desk', { login: this.login, passPhrase: this.passPhrase });
    for (const currency of Object.keys(CURRENCIES) as Currency[]) {
      this.open('desk', currency);
      this.open('customer', currency);
    }
  }

  /** Opens a new account. */
  open(owner: Owner, currency: Currency): string {
    const account = `${CURRENCIES[currency].letter}${1_000_001 + this.#store.all('account').length}`;
    this.#store.put('account', account, { name: account, owner, currency });
    return account;
  }

  account(name: string): Account | undefined {
    return this.#store.get<Account>('account', name);
  }

  /** Returns the first account of an owner in a currency. */
  accountOf(owner: Owner, currency: Currency): string {
    const found = this.#store.all<Account>('account').find((one) => one.owner === owner && one.currency === currency);
    if (!found) throw new Error(`no account of ${owner} in ${currency}`);
    return found.name;
  }

  held(account: string): bigint {
    return BigInt(this.#store.get<{ cents: string }>('balance', account)?.cents ?? '0');
  }

  /** Adds money from outside to an account. */
  deposit(account: string, cents: bigint): void {
    this.#store.put('balance', account, { cents: (this.held(account) + cents).toString() });
  }

  /** Creates a voucher from an account, whose owner pays the fee on top. Throws PmError. */
  create(payer: string, cents: bigint): { voucher: Voucher; paid: bigint } {
    const account = this.account(payer);
    if (!account) throw new PmError('Invalid Payer_Account');
    if (cents <= 0n) throw new PmError('Invalid Amount');
    const fee = (cents * this.fee + 9_999n) / 10_000n;
    if (this.held(payer) < cents + fee) throw new PmError('Not enough money to pay');
    this.deposit(payer, -(cents + fee));
    const voucher: Voucher = {
      ...{ number: this.#freshNumber(), code: digits(16), currency: account.currency, cents: cents.toString() },
      ...{ batch: this.#nextBatch(), created: Date.now(), payer, by: account.owner },
    };
    this.#put(voucher);
    const memo = `e-Voucher ${voucher.number} creation`;
    this.#note({ ...moved(voucher), owner: account.owner, type: 'Charge', fee: fee.toString(), payer, payee: '', memo });
    return { voucher, paid: cents + fee };
  }

  /** Activates a voucher to an account of its currency. Throws PmError. */
  activate(payee: string, number: string, code: string): { voucher: Voucher; batch: string } {
    const account = this.account(payee);
    const voucher = this.voucher(number);
    if (!account) throw new PmError('Invalid Payee_Account');
    if (!voucher || voucher.code !== code || voucher.used || voucher.isRemoved) throw new PmError('Invalid ev_number or ev_code');
    if (voucher.currency !== account.currency) throw new PmError('Invalid Payee_Account: wrong currency');
    this.deposit(payee, BigInt(voucher.cents));
    const batch = this.#nextBatch();
    const used = { at: Date.now(), payee, batch };
    this.#put({ ...voucher, used });
    const memo = `e-Voucher ${number} activation`;
    this.#note({ ...moved(voucher), batch, at: used.at, owner: account.owner, type: 'Income', fee: '0', payer: '', payee, memo });
    return { voucher, batch };
  }

  /** Returns an unused voucher's money to the account that it was made from. Throws PmError. */
  remove(owner: Owner, number: string): { voucher: Voucher; batch: string } {
    const voucher = this.voucher(number);
    if (!voucher || voucher.by !== owner || voucher.used || voucher.isRemoved) throw new PmError('Invalid ev_number');
    this.deposit(voucher.payer, BigInt(voucher.cents));
    const batch = this.#nextBatch();
    this.#put({ ...voucher, isRemoved: true });
    const memo = `e-Voucher ${number} return`;
    this.#note({
      ...moved(voucher),
      batch,
      at: Date.now(),
      owner,
      type: 'Income',
      fee: '0',
      payer: '',
      payee: voucher.payer,
      memo,
    });
    return { voucher, batch };
  }

  voucher(number: string): Voucher | undefined {
    return this.#store.get<Voucher>('voucher', number);
  }

  vouchers(): Voucher[] {
    return this.#store.all<Voucher>('voucher');
  }

  movements(owner: Owner): Movement[] {
    return this.#store.all<Movement>('movement').filter((movement) => movement.owner === owner);
  }

  #put(voucher: Voucher): void {
    this.#store.put('voucher', voucher.number, voucher);
  }

  #note(movement: Movement): void {
    this.#store.put('movement', movement.batch, movement);
  }

  #freshNumber(): string {
    const number = digits(10);
    return this.voucher(number) ? this.#freshNumber() : number;
  }

  #nextBatch(): string {
    return String(FIRST_BATCH + this.#store.all('movement').length);
  }
}

const moved = ({ batch, created: at, currency, cents }: Voucher) => ({ batch, at, currency, cents });

const digits = (count: number): string => Array.from({ length: count }, () => randomInt(10)).join('');

/** Returns the currency of one of our codes. Throws Refused. */
export function currencyOf(code: string): Currency {
  const found = (Object.keys(CURRENCIES) as Currency[]).find((currency) => CURRENCIES[currency].unit === code);
  if (!found) throw new Refused('currency', `no currency ${code}`);
  return found;
}

/** Returns an amount in cents. Throws Refused if the text is none. */
export function centsOf(text: string, currency: Currency): bigint {
  try {
    return parse(CURRENCIES[currency].unit, text).parts;
  } catch (cause) {
    throw new Refused('amount', cause instanceof Error ? cause.message : 'no amount');
  }
}

/** Writes cents as an amount. */
export const textOf = (cents: bigint | string, currency: Currency): string =>
  format(money(CURRENCIES[currency].unit, BigInt(cents)));
