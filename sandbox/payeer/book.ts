import { randomBytes } from 'node:crypto';
import { format, money, parse } from '@kurs/money';
import { Refused } from '../counterpart.ts';
import type { Row, Store } from '../provider/index.ts';

/** Payeer's currencies here, each with the unit whose parts are counted. */
export const UNITS: Readonly<Record<string, string>> = { USD: 'PAYEER_USD', EUR: 'PAYEER_EUR', RUB: 'PAYEER_RUB' };

/** One movement between accounts. Amounts are cents as text. */
export interface Operation extends Row {
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

/** A payment that a shop asked for. */
export interface Order extends Row {
  readonly id: string;
  readonly amount: string;
  readonly currency: string;
  readonly description: string;
  readonly created: number;
  readonly paid?: { readonly at: number; readonly by: string; readonly operation: string; readonly profit: string };
}

/** The desk's account, its API user and its shop, as its owner set them up at Payeer. */
export interface Cabinet extends Row {
  readonly account: string;
  readonly apiId: string;
  readonly apiPass: string;
  readonly shop: string;
  readonly secret: string;
}

const FIRST_OPERATION = 928_562_360;
const FIRST_ACCOUNT = 1_000_000;

/** The accounts of Payeer and what is on them. Whatever is asked of it happens at once and is remembered. */
export class Book {
  readonly #store: Store;
  readonly cabinet: Cabinet;
  /** The sandbox payer's account, which a person logs in to. */
  readonly payer: string;
  /** What the shop keeps back of a payment, in hundredths of a percent. */
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

  /** A fresh account. */
  open(): string {
    const account = `P${FIRST_ACCOUNT + this.#store.all('user').length}`;
    this.#store.put('user', account, {});
    return account;
  }

  knows(account: string): boolean {
    return this.#store.get('user', account) !== undefined;
  }

  /** Cents on an account. */
  held(account: string, currency: string): bigint {
    return BigInt(this.#store.get<{ cents: string }>('balance', `${account}:${currency}`)?.cents ?? '0');
  }

  /** Puts money on an account that comes from nowhere in particular. */
  deposit(to: string, currency: string, cents: bigint): Operation {
    this.#add(to, currency, cents);
    const texts = { debited: cents.toString(), credited: cents.toString(), comment: '', reference: '' };
    return this.#note({ type: 'deposit', status: 'success', from: '@deposit', to, currency, ...texts });
  }

  /** Moves cents between accounts. Gives nothing where there are too few. */
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

  /** Takes a transfer back: what left is on the sender's account again. Throws Refused where there is none to take back. */
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

  /** A payment that the shop's form asks for; asked again it is the same one. */
  ask(order: Pick<Order, 'id' | 'amount' | 'currency' | 'description'>): Order {
    const known = this.order(order.id);
    if (known) return known;
    const made: Order = { ...order, created: Date.now() };
    this.#store.put('order', made.id, made);
    return made;
  }

  /** Pays an order from an account, which gets what it lacks: the sandbox's customer can pay anything. */
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

/** Cents of an amount's text. Throws Refused where it is none. */
export function centsOf(text: string, currency: string): bigint {
  try {
    return parse(UNITS[currency] ?? '', text).parts;
  } catch (cause) {
    throw new Refused('amount', cause instanceof Error ? cause.message : 'no amount');
  }
}

/** An amount's text of cents. */
export const textOf = (cents: bigint, currency: string): string => format(money(UNITS[currency] ?? '', cents));

/** A time as Payeer writes it in messages: `22.11.2026 14:05:09`. */
export function dateText(at: number): string {
  const iso = new Date(at).toISOString();
  return `${iso.slice(8, 10)}.${iso.slice(5, 7)}.${iso.slice(0, 4)} ${iso.slice(11, 19)}`;
}
