import { randomBytes, randomUUID } from 'node:crypto';
import { format, money, parse } from '@kurs/money';
import { type Row, Store } from '../provider/index.ts';
import { type Authority, makeAuthority } from './certificate.ts';

/** PayPal's currency codes here, and the desk's units. */
export const UNITS = { USD: 'PAYPAL_USD', EUR: 'PAYPAL_EUR' } as const;
export type Code = keyof typeof UNITS;

/** Whether there are accounts in a currency. */
export const isCode = (code: string): code is Code => Object.hasOwn(UNITS, code);

/** Cents in an amount's text. Throws for what is none. */
export const centsOf = (text: string): bigint => parse('PAYPAL_USD', text).parts;
export const textOf = (cents: bigint): string =>
  cents < 0n ? `-${format(money('PAYPAL_USD', -cents))}` : format(money('PAYPAL_USD', cents));

export interface Order extends Row {
  readonly id: string;
  readonly status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED';
  readonly unit: Unit;
  readonly returnUrl: string;
  readonly cancelUrl: string;
  readonly at: string;
  readonly changedAt: string;
  readonly payer?: string;
  /** Money from a bank comes days later. */
  readonly funding?: Funding;
  /** The shop wants only money that is there at once. */
  readonly isImmediate: boolean;
}

/**
 * How somebody pays: from their balance, by a bank that needs days, held by PayPal for review, with a card that is
 * declined.
 */
export type Funding = 'balance' | 'echeck' | 'review' | 'declined';

/** What is bought, as it was asked for. */
interface Unit extends Row {
  readonly reference_id: string;
  readonly amount: { readonly currency_code: Code; readonly value: string };
  readonly custom_id?: string;
  readonly invoice_id?: string;
  readonly description?: string;
}

export interface Capture extends Row {
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
  /** Taken back by PayPal: not among the refunds. */
  readonly isReversed?: boolean;
  readonly pending?: 'ECHECK' | 'PENDING_REVIEW';
}

export interface Refund extends Row {
  readonly id: string;
  readonly capture: string;
  readonly status: 'COMPLETED' | 'PENDING' | 'FAILED';
  readonly code: Code;
  readonly value: string;
  readonly customId?: string;
  readonly note?: string;
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

/** A payout of one item; more are refused here. */
export interface Batch extends Row {
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

export interface Event extends Row {
  readonly id: string;
  readonly event_type: string;
  readonly create_time: string;
}

export interface Webhook extends Row {
  readonly id: string;
  readonly url: string;
  readonly kinds: readonly string[];
}

interface Account extends Row {
  readonly email: string;
  readonly id: string;
}

/** What the operator of the desk would read in their PayPal account. */
export interface Cabinet extends Row {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly email: string;
  readonly merchantId: string;
  readonly certificateName: string;
}

/** Moves of the desk's account whose balances before them are remembered, the newest. */
const MOVES = 10_000;

/** Messages that are listed beside those of payouts. */
const RECENT = 1_000;

const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** An id in PayPal's manner. */
export const newId = (length: number): string => Array.from(randomBytes(length), (byte) => ALPHABET[byte & 31]).join('');

/** PayPal's memory: accounts with money, orders, captures, refunds, payouts, messages. Times in UTC without fractions. */
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
    this.authority = this.#once<Authority & Row>('authority', () => ({ ...makeAuthority(this.cabinet.certificateName) }));
    if (!this.account(this.cabinet.email))
      this.#store.put('account', this.cabinet.email, { email: this.cabinet.email, id: this.cabinet.merchantId });
  }

  #once<R extends Row>(name: string, make: () => R): R {
    const known = this.#store.get<R>('once', name);
    if (known) return known;
    const made = make();
    this.#store.put('once', name, made);
    return made;
  }

  /** A fresh account of somebody else. */
  open(name = 'payer'): Account {
    const account = { email: `${name}-${randomUUID().slice(0, 8)}@personal.example.com`, id: newId(13).replaceAll('I', 'J') };
    this.#store.put('account', account.email, account);
    return account;
  }

  account(email: string): Account | undefined {
    return this.#store.get<Account>('account', email.toLowerCase());
  }

  /** Cents that an account has, also one that nobody has claimed yet: nothing. */
  held(email: string, code: Code): bigint {
    const row = this.#store.get<{ cents: string } & Row>('balance', `${email.toLowerCase()} ${code}`);
    return BigInt(row?.cents ?? '0');
  }

  /** Cents that the desk's account had at a moment, as far as that is remembered. */
  heldThen(code: Code, at: number): bigint {
    const next = this.#moves.find((move) => move.code === code && move.at > at);
    return next?.before ?? this.held(this.cabinet.email, code);
  }

  /** Adds cents to an account, or takes them from it. */
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
  batches = (): Batch[] => this.#store.all<Batch>('batch');
  webhooks = (): Webhook[] => this.#store.all<Webhook>('webhook');
  events = (): Event[] => [...this.#store.all<Event>('event'), ...this.#recent];

  /** Keeps a thing, new or changed. */
  put(table: 'order' | 'capture' | 'refund' | 'batch' | 'webhook', row: Row & { readonly id: string }): void {
    this.#store.put(table, row.id, row);
  }

  /**
   * Keeps what was told, to be listed and sent again: of payouts for good, since somebody may look for one there; of the rest
   * the newest, so that the memory of a sandbox that runs for days stays small.
   */
  keepEvent(event: Event): void {
    if (event.event_type.startsWith('PAYMENT.PAYOUTSBATCH.')) return this.#store.put('event', event.id, event);
    this.#recent.push(event);
    if (this.#recent.length > RECENT) this.#recent.shift();
  }

  /** What was answered to a request of this id before. */
  answered(key: string): { readonly status: number; readonly body: unknown } | undefined {
    return this.#store.get<{ status: number; body: unknown } & Row>('answer', key);
  }

  keepAnswer(key: string, status: number, body: unknown): void {
    this.#store.put('answer', key, { status, body });
  }
}

/** The time now as PayPal writes it. */
export const now = (): string => `${new Date().toISOString().slice(0, 19)}Z`;
