import { randomBytes } from 'node:crypto';
import { format, money, parse } from '@kurs/money';
import { Refused } from '../counterpart.ts';
import type { StoredRow, Store } from '../provider/index.ts';

/** Units whose parts are counted, by Payeer's currency. */
export const UNITS: Readonly<Record<string, string>> = { USD: 'PAYEER_USD', EUR: 'PAYEER_EUR', RUB: 'PAYEER_RUB' };

/** Movement between accounts. Amounts are cents as text. */
export interface Operation extends StoredRow {
  readonly id: string;
  readonly at: number;
  readonly type: 'transfer' | 'sci' | 'deposit';
  readonly status: 'success' | 'canceled';
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  readonly debited: string;
  readonly credited: string;
  readonly comment: string;
  readonly reference: string;
  readonly order?: string;
}

/** Payment that a shop requested. */
export interface Order extends StoredRow {
  readonly id: string;
  readonly amount: string;
  readonly currency: string;
  readonly description: string;
  readonly created: number;
  readonly paid?: { readonly at: number; readonly by: string; readonly operation: string; readonly profit: string };
}

/** The desk's account, API user and shop, as its owner configured them at Payeer. */
export interface Cabinet extends StoredRow {
  readonly account: string;
  readonly apiId: string;
  readonly apiPass: string;
  readonly shop: string;
  readonly secret: string;
}

const FIRST_OPERATION = 928_562_360;
const FIRST_ACCOUNT = 1_000_000;

/** Accounts and balances of Payeer. Changes take effect immediately and are stored. */
export class Book {
  readonly #store: Store;
  readonly cabinet: Cabinet;
  /** Account of the sandbox's payer, into which a person logs in. */
  readonly payer: string;
  /** Fee for payments to the shop, in hundredths of a percent. */
  shopFee = 0n;

  constructor(store: Store) {
    this.#store = store;
    const known = store.get<Cabinet>('cabinet', 'desk');
    this.cabinet = known ?? {
      account: this.open(),
      apiId: String(10_000 + FIRST_ACCOUNT),
      apiPass: randomBytes(12).toString('hex'),
      shop: String(20_000 + FIRST_ACCOUNT),
      secret: randomBytes(12).toString('hex'),
    };
    if (!known) store.put('cabinet', 'desk', this.cabinet);
    this.payer = store.get<{ account: string }>('cabinet', 'payer')?.account ?? this.open();
    store.put('cabinet', 'payer', { account: this.payer });
  }

  /** Opens a new account. */
  open(): string {
    const account = `P${FIRST_ACCOUNT + this.#store.all('user').length}`;
    this.#store.put('user', account, {});
    return account;
  }

  knows(account: string): boolean {
    return this.#store.get('user', account) !== undefined;
  }

  /** Returns the balance of an account in cents. */
  held(account: string, currency: string): bigint {
    return BigInt(this.#store.get<{ cents: string }>('balance', `${account}:${currency}`)?.cents ?? '0');
  }

  /** Adds money from outside to an account. */
  deposit(to: string, currency: string, cents: bigint): Operation {
    this.#add(to, currency, cents);
    const texts = { debited: cents.toString(), credited: cents.toString(), comment: '', reference: '' };
    return this.#note({ type: 'deposit', status: 'success', from: '@deposit', to, currency, ...texts });
  }

  /** Moves cents between accounts. Returns undefined if the sender has too few. */
  transfer(move: {
    from: string;
    to: string;
    currency: string;
    cents: bigint;
    comment: string;
    reference: string;
  }): Operation | undefined {
    const { from, to, currency, cents, comment, reference } = move;
    if (this.held(from, currency) < cents) return undefined;
    this.#add(from, currency, -cents);
    this.#add(to, currency, cents);
    const texts = { debited: cents.toString(), credited: cents.toString(), comment, reference };
    return this.#note({ type: 'transfer', status: 'success', from, to, currency, ...texts });
  }

  /** Cancels a transfer and returns the money to the sender. Throws Refused if there is no such transfer. */
  cancel(id: string): Operation {
    const operation = this.#store.get<Operation>('operation', id);
    if (!operation || operation.type !== 'transfer' || operation.status !== 'success')
      throw new Refused('id', `no transfer ${id}`);
    this.#add(operation.to, operation.currency, -BigInt(operation.credited));
    this.#add(operation.from, operation.currency, BigInt(operation.debited));
    return this.#put({ ...operation, status: 'canceled' });
  }

  operations(): Operation[] {
    return this.#store.all<Operation>('operation');
  }

  order(id: string): Order | undefined {
    return this.#store.get<Order>('order', id);
  }

  orders(): Order[] {
    return this.#store.all<Order>('order');
  }

  /** Records a payment that the shop's form requests; a repeated request returns the same payment. */
  ask(order: Pick<Order, 'id' | 'amount' | 'currency' | 'description'>): Order {
    const known = this.order(order.id);
    if (known) return known;
    const made: Order = { ...order, created: Date.now() };
    this.#store.put('order', made.id, made);
    return made;
  }

  /** Pays an order from an account, which first receives missing money: the sandbox's customer can pay anything. */
  pay(id: string, by: string): Order {
    const order = this.order(id);
    if (!order) throw new Refused('to', `no order ${id}`);
    if (order.paid) return order;
    const cents = centsOf(order.amount, order.currency);
    const lacking = cents - this.held(by, order.currency);
    if (lacking > 0n) this.deposit(by, order.currency, lacking);
    const fee = (cents * this.shopFee + 9_999n) / 10_000n;
    this.#add(by, order.currency, -cents);
    this.#add(this.cabinet.account, order.currency, cents - fee);
    const moved = { debited: cents.toString(), credited: (cents - fee).toString(), comment: '', reference: '', order: id };
    const { id: operation } = this.#note({
      ...{ type: 'sci', status: 'success', from: by, to: this.cabinet.account, currency: order.currency },
      ...moved,
    });
    const paid: Order = { ...order, paid: { at: Date.now(), by, operation, profit: (cents - fee).toString() } };
    this.#store.put('order', id, paid);
    return paid;
  }

  #add(account: string, currency: string, cents: bigint): void {
    this.#store.put('balance', `${account}:${currency}`, { cents: (this.held(account, currency) + cents).toString() });
  }

  #note(operation: Omit<Operation, 'id' | 'at'>): Operation {
    const id = String(FIRST_OPERATION + this.#store.all('operation').length);
    return this.#put({ ...operation, id, at: Date.now() } as Operation);
  }

  #put(operation: Operation): Operation {
    this.#store.put('operation', operation.id, operation);
    return operation;
  }
}

/** Returns an amount in cents. Throws Refused if the text is none. */
export function centsOf(text: string, currency: string): bigint {
  try {
    return parse(UNITS[currency] ?? '', text).parts;
  } catch (cause) {
    throw new Refused('amount', cause instanceof Error ? cause.message : 'no amount');
  }
}

/** Writes cents as an amount. */
export const textOf = (cents: bigint, currency: string): string => format(money(UNITS[currency] ?? '', cents));

/** Writes a time as Payeer's messages do: `22.11.2026 14:05:09`. */
export function dateText(at: number): string {
  const iso = new Date(at).toISOString();
  return `${iso.slice(8, 10)}.${iso.slice(5, 7)}.${iso.slice(0, 4)} ${iso.slice(11, 19)}`;
}
