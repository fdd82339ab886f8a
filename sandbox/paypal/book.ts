import { randomBytes, randomUUID } from 'node:crypto';
import { format, money, parse } from '@kurs/money';
import { type StoredRow, Store } from '../provider/index.ts';
import { type Authority, makeAuthority } from './certificate.ts';

/** The desk's units by PayPal's currency codes. */
export const UNITS = { USD: 'PAYPAL_USD', EUR: 'PAYPAL_EUR' } as const;
export type Code = keyof typeof UNITS;

/** True if there are accounts in a currency. */
export const isCode = (code: string): code is Code => Object.hasOwn(UNITS, code);

/** Returns an amount in cents. Throws if the text is none. */
export const centsOf = (text: string): bigint => parse('PAYPAL_USD', text).parts;
export const textOf = (cents: bigint): string =>
  cents < 0n ? `-${format(money('PAYPAL_USD', -cents))}` : format(money('PAYPAL_USD', cents));

export interface Order extends StoredRow {
  readonly id: string;
  readonly status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED';
  readonly unit: Unit;
  readonly returnUrl: string;
  readonly cancelUrl: string;
  readonly at: string;
  readonly changedAt: string;
  readonly payer?: string;
  /** Source of the money; money from a bank arrives days later. */
  readonly funding?: Funding;
  /** True if the shop accepts immediate payments only. */
  readonly isImmediate: boolean;
}

/** Source of a payment: the balance, a bank that takes days, a payment that PayPal reviews, or a card that is declined. */
export type Funding = 'balance' | 'echeck' | 'review' | 'declined';

/** Purchase as it was requested. */
interface Unit extends StoredRow {
  readonly reference_id: string;
  readonly amount: { readonly currency_code: Code; readonly value: string };
  readonly custom_id?: string;
  readonly invoice_id?: string;
  readonly description?: string;
}

export interface Capture extends StoredRow {
  readonly id: string;
  readonly order: string;
  readonly status: 'COMPLETED' | 'PENDING' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'REFUNDED';
  readonly code: Code;
  readonly value: string;
  readonly fee: string;
  readonly customId?: string;
  readonly invoiceId?: string;
  readonly at: string;
  readonly changedAt: string;
  /** True if PayPal reversed it; it is no refund then. */
  readonly isReversed?: boolean;
  readonly pending?: 'ECHECK' | 'PENDING_REVIEW';
}

export interface Refund extends StoredRow {
  readonly id: string;
  readonly capture: string;
  readonly status: 'COMPLETED' | 'PENDING' | 'FAILED';
  readonly code: Code;
  readonly value: string;
  readonly customId?: string;
  readonly note?: string;
  readonly at: string;
}

export interface Dispute extends StoredRow {
  readonly id: string;
  readonly capture: string;
  readonly status: 'OPEN' | 'RESOLVED';
  readonly at: string;
}

export type ItemStatus =
  | 'SUCCESS'
  | 'FAILED'
  | 'PENDING'
  | 'UNCLAIMED'
  | 'RETURNED'
  | 'ONHOLD'
  | 'BLOCKED'
  | 'REFUNDED'
  | 'REVERSED';

/** Payout of one item. More items are refused here. */
export interface Batch extends StoredRow {
  readonly id: string;
  readonly item: string;
  readonly senderId: string;
  readonly senderItemId: string;
  readonly subject: string;
  readonly receiver: string;
  readonly code: Code;
  readonly value: string;
  readonly fee: string;
  readonly status: 'PENDING' | 'PROCESSING' | 'SUCCESS' | 'DENIED' | 'CANCELED';
  readonly itemStatus: ItemStatus;
  readonly transaction: string;
  readonly at: string;
}

export interface Event extends StoredRow {
  readonly id: string;
  readonly event_type: string;
  readonly create_time: string;
}

export interface Webhook extends StoredRow {
  readonly id: string;
  readonly url: string;
  readonly kinds: readonly string[];
}

interface Account extends StoredRow {
  readonly email: string;
  readonly id: string;
}

/** Data that the desk's operator would find in their PayPal account. */
export interface Cabinet extends StoredRow {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly email: string;
  readonly merchantId: string;
  readonly certificateName: string;
}

/** Number of movements of the desk's account whose former balances are stored. */
const MOVES = 10_000;

/** Number of stored messages besides those of payouts. */
const RECENT = 1_000;

const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Returns a new id in PayPal's format. */
export const newId = (length: number): string => Array.from(randomBytes(length), (byte) => ALPHABET[byte & 31]).join('');

/** State of PayPal: accounts with money, orders, captures, refunds, payouts and messages. Times are in UTC without fractions. */
export class Book {
  readonly cabinet: Cabinet;
  readonly authority: Authority;
  readonly #store: Store;
  readonly #recent: Event[] = [];
  readonly #moves: { readonly code: Code; readonly at: number; readonly before: bigint }[] = [];

  constructor(store: Store) {
    this.#store = store;
    this.cabinet = this.#once<Cabinet>('cabinet', () => ({
      clientId: `A${randomBytes(24).toString('hex')}`,
      clientSecret: `E${randomBytes(24).toString('hex')}`,
      email: 'desk@business.example.com',
      merchantId: newId(13).replaceAll('I', 'J'),
      certificateName: 'messages.paypal.sandbox.example.com',
    }));
    this.authority = this.#once<Authority & StoredRow>('authority', () => ({ ...makeAuthority(this.cabinet.certificateName) }));
    if (!this.account(this.cabinet.email))
      this.#store.put('account', this.cabinet.email, { email: this.cabinet.email, id: this.cabinet.merchantId });
  }

  #once<R extends StoredRow>(name: string, make: () => R): R {
    const known = this.#store.get<R>('once', name);
    if (known) return known;
    const made = make();
    this.#store.put('once', name, made);
    return made;
  }

  /** Opens a new account of someone else. */
  open(name = 'payer'): Account {
    const account = { email: `${name}-${randomUUID().slice(0, 8)}@personal.example.com`, id: newId(13).replaceAll('I', 'J') };
    this.#store.put('account', account.email, account);
    return account;
  }

  account(email: string): Account | undefined {
    return this.#store.get<Account>('account', email.toLowerCase());
  }

  /** Returns the balance of an account in cents; zero for an unclaimed one. */
  held(email: string, code: Code): bigint {
    const row = this.#store.get<{ cents: string } & StoredRow>('balance', `${email.toLowerCase()} ${code}`);
    return BigInt(row?.cents ?? '0');
  }

  /** Returns the balance of the desk's account at a moment in cents, if the movements since are stored. */
  heldThen(code: Code, at: number): bigint {
    const next = this.#moves.find((move) => move.code === code && move.at > at);
    return next?.before ?? this.held(this.cabinet.email, code);
  }

  /** Adds cents to an account; negative ones are removed. */
  move(email: string, code: Code, cents: bigint): void {
    if (email.toLowerCase() === this.cabinet.email) {
      this.#moves.push({ code, at: Date.now(), before: this.held(email, code) });
      if (this.#moves.length > MOVES) this.#moves.shift();
    }
    this.#store.put('balance', `${email.toLowerCase()} ${code}`, { cents: (this.held(email, code) + cents).toString() });
  }

  order = (id: string): Order | undefined => this.#store.get<Order>('order', id);
  capture = (id: string): Capture | undefined => this.#store.get<Capture>('capture', id);
  refund = (id: string): Refund | undefined => this.#store.get<Refund>('refund', id);
  batch = (id: string): Batch | undefined => this.#store.get<Batch>('batch', id);
  webhook = (id: string): Webhook | undefined => this.#store.get<Webhook>('webhook', id);
  orders = (): Order[] => this.#store.all<Order>('order');
  captures = (order?: string): Capture[] =>
    this.#store.all<Capture>('capture').filter((one) => order === undefined || one.order === order);
  refunds = (capture: string): Refund[] => this.#store.all<Refund>('refund').filter((one) => one.capture === capture);
  disputes = (capture: string): Dispute[] => this.#store.all<Dispute>('dispute').filter((one) => one.capture === capture);
  batches = (): Batch[] => this.#store.all<Batch>('batch');
  webhooks = (): Webhook[] => this.#store.all<Webhook>('webhook');
  events = (): Event[] => [...this.#store.all<Event>('event'), ...this.#recent];

  /** Stores a new or changed row. */
  put(table: 'order' | 'capture' | 'refund' | 'dispute' | 'batch' | 'webhook', row: StoredRow & { readonly id: string }): void {
    this.#store.put(table, row.id, row);
  }

  /**
   * Stores an event to list it and send it again. Events of payouts stay permanently, since the desk may look for one. Of the
   * others only the newest stay, so that a sandbox that runs for days stays small.
   */
  storeEvent(event: Event): void {
    if (event.event_type.startsWith('PAYMENT.PAYOUTSBATCH.')) return this.#store.put('event', event.id, event);
    this.#recent.push(event);
    if (this.#recent.length > RECENT) this.#recent.shift();
  }

  /** Returns the earlier answer to a request with this id. */
  answered(key: string): { readonly status: number; readonly body: unknown } | undefined {
    return this.#store.get<{ status: number; body: unknown } & StoredRow>('answer', key);
  }

  storeAnswer(key: string, status: number, body: unknown): void {
    this.#store.put('answer', key, { status, body });
  }
}

/** Returns the present time as PayPal writes it. */
export const now = (): string => `${new Date().toISOString().slice(0, 19)}Z`;
