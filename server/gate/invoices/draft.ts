// A step of an invoice in the making: the changed invoice, the legs to post and the events to tell. Pure.

import { type AccountRef, type Leg, accounts } from '../../ledger/index.ts';
import type { OptionPrice } from './option-price.ts';
import { type Invoice, type InvoiceMark, type InvoicePayment, stateBySums } from './invoice.ts';
import { type InvoiceEvent, movedTo } from './invoice-machine.ts';
import type { Taking } from './payment-bounds.ts';
import { move } from '../../collecting/index.ts';
import { settleLegs } from './settle.ts';

/** Kind of an event for the store. */
export type NewsKind =
  | 'created'
  | 'option_chosen'
  | 'option_ready'
  | 'option_refused'
  | 'email_left'
  | 'payment_seen'
  | 'payment_final'
  | 'payment_dropped'
  | 'payment_reversed'
  | 'processing'
  | 'settled'
  | 'short'
  | 'expired'
  | 'late'
  | 'over'
  | 'held'
  | 'given_back'
  | 'hold_over'
  | 'refused'
  | 'cancelled'
  | 'invalid'
  | 'marked';

/** An event of an invoice. `version`: the invoice's version after it. */
export interface News {
  readonly kind: NewsKind;
  readonly version: number;
  readonly paymentId?: string;
  /** For `marked`: what the invoice was marked as. */
  readonly mark?: InvoiceMark | undefined;
}

/** Kinds of journals of invoices. */
export type InvoiceJournal =
  | 'invoice_reserve'
  | 'invoice_payin'
  | 'invoice_converted'
  | 'invoice_settled'
  | 'invoice_settled_again'
  | 'invoice_expired'
  | 'invoice_reversed'
  | 'merchant_released';

/** Data from outside that a step needs. */
export interface StepContext extends Taking {
  readonly now: Date;
  /** The desk's money that may be reserved for this invoice now, in parts of the settlement unit. */
  readonly reservable: bigint;
  /** Price of the moment for payments of a currency; undefined if there is none. */
  readonly priceNow: (currency: string) => OptionPrice | undefined;
  /** The desk's free money, in parts by unit, from which converted payments are given back. Absent if it was not read. */
  readonly coins?: ReadonlyMap<string, bigint> | undefined;
  /** Balances from which a reversal takes, in parts. */
  readonly balances?: ReversalBalances | undefined;
  /** True if the payment of the step is beyond the bounds of its business: it is not credited. */
  readonly isBeyond?: boolean;
}

/** Balances from which a reversal takes. `merchant`: of the store, in the unit in which the payment was settled. */
export interface ReversalBalances {
  readonly custody: bigint;
  readonly free: bigint;
  readonly merchant: bigint;
}

/** Result of a step. */
export interface InvoiceStep {
  readonly invoice: Invoice;
  /** Legs to post in one journal; empty if no money moves. */
  readonly legs: readonly Leg[];
  readonly kind: InvoiceJournal;
  readonly news: readonly News[];
}

const STATE_NEWS = {
  confirming: 'processing',
  settled: 'settled',
  short: 'short',
  expired: 'expired',
  cancelled: 'cancelled',
  invalid: 'invalid',
} as const;

/** Collects the changes of one step. */
export class Draft {
  invoice: Invoice;
  readonly #event: InvoiceEvent;
  readonly #legs: Leg[] = [];
  readonly #news: News[] = [];
  #kind: InvoiceJournal = 'invoice_reserve';

  constructor(invoice: Invoice, event: InvoiceEvent) {
    this.invoice = invoice;
    this.#event = event;
  }

  /** Adds legs. The journal gets the kind of the last legs that are not empty. */
  post(kind: InvoiceJournal, legs: readonly Leg[]): void {
    if (legs.length === 0) return;
    this.#kind = kind;
    this.#legs.push(...legs);
  }

  /** Returns the amount that the step has taken from an account so far, less what it has put there. */
  takenFrom({ name }: AccountRef): bigint {
    return this.#legs.reduce((sum, { from, to, parts }) => {
      const out = from.name === name ? parts : 0n;
      return sum + out - (to.name === name ? parts : 0n);
    }, 0n);
  }

  /** Adds an event, which raises the invoice's version. */
  tell(kind: NewsKind, paymentId?: string): void {
    const version = this.invoice.version + 1;
    this.invoice = { ...this.invoice, version };
    const { mark } = this.invoice;
    this.#news.push({ kind, version, ...(paymentId !== undefined && { paymentId }), ...(kind === 'marked' && { mark }) });
  }

  /** Adds a payment, or replaces it. */
  payment(changed: InvoicePayment): void {
    const { payments } = this.invoice;
    const at = payments.findIndex(({ id }) => id === changed.id);
    this.invoice = { ...this.invoice, payments: at < 0 ? [...payments, changed] : payments.with(at, changed) };
  }

  /** Gives the reserve of a payment back. Returns the payment without it. */
  releaseReserve(payment: InvoicePayment): InvoicePayment {
    const { unit } = this.invoice.terms.settlement;
    this.post('invoice_reserve', move(accounts.invoiceReserve(this.invoice.id, unit), accounts.deskFree(unit), payment.reserve));
    return { ...payment, reserve: 0n };
  }

  /**
   * Moves to the state that the sums demand, if the invoice is unfinished. An invoice that is settled or ends gives all reserves
   * back, and pending payments no longer count.
   */
  decide(isTimeOver = false): void {
    this.moveTo(stateBySums(this.invoice, isTimeOver));
  }

  /** Moves to a state. Throws if the table doesn't permit it. */
  moveTo(to: Invoice['state']): void {
    const from = this.invoice.state;
    this.invoice = { ...this.invoice, state: movedTo(from, this.#event, to) };
    if (to === from) return;
    if (to !== 'open' && to !== 'confirming') this.#endReserves();
    if (to === 'settled') {
      const { invoice, legs } = settleLegs(this.invoice);
      this.invoice = { ...invoice, mark: undefined };
      this.post('invoice_settled', legs);
    }
    if (to !== 'open') this.tell(STATE_NEWS[to]);
  }

  #endReserves(): void {
    if (this.invoice.state === 'short') return;
    for (const payment of this.invoice.payments) {
      if (payment.reserve === 0n && payment.pending === 0n) continue;
      this.payment({ ...this.releaseReserve(payment), pending: 0n });
    }
  }

  get step(): InvoiceStep {
    return { invoice: this.invoice, legs: this.#legs, kind: this.#kind, news: this.#news };
  }
}
