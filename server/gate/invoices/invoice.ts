// The invoice: its terms, its payment options, its payments, and the sums that decide its state. Pure.
//
// credited   credits of final payments
// pending    credits that payments will bring that were made in time and are not final yet
// due        amount − credited − pending, at least 0: shown, and asked for by a new option
// needed     credit with which the invoice is paid
// covered    credited + pending reach what is needed
//
// Sums are parts of the invoice's currency, which is an asset.

import type { Component, Fraction } from '@kurs/money';
import type { Payment } from '../../collecting/index.ts';
import type { PayWay } from '../../payments/index.ts';
import type { InvoiceState } from './invoice-machine.ts';
import type { OptionPrice } from './option-price.ts';

/** Terms of an invoice. They are stored with it and never change. */
export interface InvoiceTerms {
  /** Asset in which the invoice is made. */
  readonly currency: string;
  /** Digits of amounts in this asset. */
  readonly digits: number;
  /** Amount, in parts; undefined for a top-up. */
  readonly amount: bigint | undefined;
  /** Part of the amount that may be missing, in hundredths of a percent. */
  readonly tolerance: number;
  /** Currency that the store is paid in, and its unit. */
  readonly settlement: { readonly currency: string; readonly unit: string };
  /** True if the store bears spread and costs. */
  readonly isBorneByStore: boolean;
  /** Codes of the currencies by which the invoice can be paid. */
  readonly methods: readonly string[];
  /** The desk's fee, as a share of what is settled. */
  readonly fee: Fraction;
  /** Longest time from a payment to its first confirmation, in ms. */
  readonly confirmWithin: number;
  /** Longest extension of a lock while polls of the payment's address fail, in ms. */
  readonly outageWithin: number;
  /** Part of an option's amount that has the locked rate, in percent: more than 100. */
  readonly lockedPercent: bigint;
  /** Longest time for which a held payment counts as pending, in ms. */
  readonly holdWithin: number;
  /** Outcome of a partly paid invoice that nobody decides about. */
  readonly shortPreset: 'give_back' | 'accept';
  /** True for an invoice of a test store, which moves no money. */
  readonly isTest: boolean;
  /** Link of the store by which the buyer made the invoice; undefined for an invoice that its store made. */
  readonly linkId?: string | undefined;
  /** Sum that the buyer stated on a pay-what-you-want link, in parts. The invoice is then a top-up that asks for this sum. */
  readonly stated?: bigint | undefined;
}

/** A payment option: where and how much to pay by one method, at a price that is locked for a while. */
export interface PaymentOption {
  readonly id: string;
  /** Place to pay: owner of the payments that arrive there. Options of one chain share it. */
  readonly addressId: string;
  readonly currency: string;
  readonly unit: string;
  /** Amount to pay, in parts of the unit; undefined for a top-up without a stated sum. */
  readonly parts: bigint | undefined;
  /** Sum of the invoice's currency that this amount pays. */
  readonly pays: bigint | undefined;
  readonly openedAt: Date;
  /** End of the locked price. A later option ends it early. */
  readonly lockUntil: Date;
  readonly price: OptionPrice;
  /** Smallest fee of the desk, in parts of the settlement unit and of the method's unit. */
  readonly minFee: { readonly settlement: bigint; readonly own: bigint };
  /** Smallest payment that is credited, in parts of the unit. */
  readonly least: bigint;
  /** Smallest amount that can be refunded, in parts of the unit. */
  readonly smallestRefund: bigint;
  /** Address or reference to pay to; undefined for a wallet and for a test store. */
  readonly to: string | undefined;
  readonly memo: string | undefined;
  /** The payment system's answer: how to pay, or that it refused. Undefined on chains, and while it is prepared. */
  readonly way: PayWay | 'refused' | undefined;
  /** True if its payments can be taken back for months. They are settled to the store's reserve. */
  readonly isReversible?: true | undefined;
  /** Worth in cents of the invoice and of the amount when such an option was chosen. */
  readonly worth?: { readonly invoiceUsd: bigint; readonly usd: bigint } | undefined;
}

/** Bounds of a payment, in parts of its unit. */
export interface PaymentBounds {
  /** Smallest payment that is credited. */
  readonly least: bigint;
  /** Smallest amount that can be refunded. */
  readonly smallestRefund: bigint;
  /** Smallest fee of the desk, if the store is owed the coin itself. */
  readonly minFee: bigint;
}

/** A currency that the desk takes for an invoice. `bounds`: undefined if there is no price. */
export interface TakenCurrency {
  readonly bounds: PaymentBounds | undefined;
}

/**
 * Stage of a payment:
 * - `seen`: on its rail, not final
 * - `held`: final and flagged; the desk checks it
 * - `waiting`: final, and there is no price to credit it at
 * - `credited`
 * - `unallocated`: final and not needed, too small, or in a currency that the store doesn’t take; it belongs to its payer
 * - `returning`: was credited, and goes back to its payer once there is a price and the desk has the coin
 * - `given_back`: was credited, and its payer has its worth
 * - `dropped`: vanished before it was final
 * - `reversed`: taken back by its rail
 */
export type PaymentStage =
  | 'seen'
  | 'held'
  | 'waiting'
  | 'credited'
  | 'unallocated'
  | 'returning'
  | 'given_back'
  | 'dropped'
  | 'reversed';

/** Postings of a credited payment, by which a reversal turns them round. */
export interface Booked {
  /** Part of the payment that was converted, in parts of its unit. */
  readonly parts: bigint;
  /** Unit in which the store is owed: the settlement unit, or the payment's own. */
  readonly unit: string;
  /** Amount that stands for the store, in parts of `unit`, before the desk's fee. */
  readonly set: bigint;
  /** Lines of the price that were taken, in the payment's unit. */
  readonly components: readonly Component[];
  /** Amount that was exchanged, in the payment's unit; 0 if the store is owed the coin itself. */
  readonly exchanged: bigint;
  /** The desk's part of `set`, once the invoice is settled. */
  readonly fee: bigint | undefined;
  /** Part of the spread that is set aside in case the payment is taken back, in the payment's unit. */
  readonly provision?: bigint | undefined;
}

/** Hold of a flagged payment, which people of the desk check. */
export interface PaymentHold {
  /** `soft`: ends automatically at `until`; `hard`: people end it. */
  readonly cause: 'soft' | 'hard';
  readonly since: Date;
  /** Time until which the payment counts as pending and keeps its rate. */
  readonly until: Date;
  /** State of the papers that the desk requested. Once there are any, only a short hold keeps the rate. */
  readonly papers?: 'asked' | 'came' | undefined;
}

/** Money of a payment that its payer decides about, as an unallocated payment of the exchange. */
export interface HandedOver {
  /** The unallocated payment's order id. */
  readonly orderId: string;
  /** Amount that was handed over, in parts of the payment's unit. */
  readonly parts: bigint;
  /** Part of it that the rail took back. */
  readonly taken: bigint;
  /** Time of the handing over; absent for money that was handed over before this was noted. */
  readonly at?: Date | undefined;
}

/** Part of a settled payment that its rail took back: its postings with the desk's fee, and its credit. */
export interface Unsettled {
  readonly booked: Booked;
  readonly credit: bigint;
}

/** Worth of a credited payment that its payer has, as an unallocated payment of the exchange, after the invoice ended. */
export interface GivenBack {
  /** The unallocated payment's order id; undefined until it is opened, in the same transaction. */
  readonly orderId: string | undefined;
  /** Amount that the payer got, in parts of the payment's unit. */
  readonly parts: bigint;
  /** Part of it that was turned round, since the rail took the payment back. */
  readonly taken: bigint;
  /** Postings that were turned round with that part, to be booked again if the payment comes again. */
  readonly away?: Booked | undefined;
}

/** A payment to an invoice. `parts`: the whole amount that arrived. */
export interface InvoicePayment extends Payment {
  readonly currency: string;
  readonly unit: string;
  readonly optionId: string;
  /** Bounds of a payment in another currency of the same address, if the store takes that currency. */
  readonly foreign?: PaymentBounds | undefined;
  /** True for such a payment that came while there was no price: it has the bounds of the moment in which it is credited. */
  readonly isUnpriced?: true | undefined;
  /** Place to pay at which it arrived. */
  readonly addressId: string;
  readonly stage: PaymentStage;
  /** True if it was not made in time, so that the rate of the moment counts when it is final. */
  readonly isLate: boolean;
  /** Account holder who paid from a wallet; undefined for a payment by a rail. */
  readonly walletOf?: string | undefined;
  /** The desk's money that is reserved for its conversion, in parts of the settlement unit. */
  readonly reserve: bigint;
  /** True if the desk had nothing to reserve, so that the store is owed the coin itself. */
  readonly isInKind: boolean;
  /** Part with the locked rate of its option, in parts of the unit. It is set when the payment is seen, and again when it is credited. */
  readonly locked: bigint;
  /** Credit that counts as pending. */
  readonly pending: bigint;
  /** Hold of a flagged payment. It stays with a refused one, whose money people of the desk watch further. */
  readonly hold?: PaymentHold | undefined;
  /** True if the lower of the locked and the current rate counts, after a hold for papers. */
  readonly hasLowerRate?: true | undefined;
  readonly credit: bigint;
  /** Part that is not credited and belongs to the payer, in parts of the unit. It stands in `invoice:in` until it is handed over. */
  readonly over: bigint;
  /** Parts that were handed over to the payer, oldest first. */
  readonly handedOver?: readonly HandedOver[] | undefined;
  /** Part of a final payment that its rail took back, in parts of the unit. */
  readonly taken?: bigint | undefined;
  readonly booked?: Booked | undefined;
  /** Time since which the payment waits to be given back. */
  readonly returningSince?: Date | undefined;
  readonly givenBack?: GivenBack | undefined;
  /** Part of a settled payment that was turned round, to be settled again if the payment comes again. */
  readonly unsettled?: Unsettled | undefined;
  /** True once no reorg that we expect takes it back. */
  readonly isDeep?: true | undefined;
  /** Part of what the store has of it that stands in the store's reserve, in parts of `booked.unit`. */
  readonly inReserve?: bigint | undefined;
  /** Set once it was settled; stays if its rail takes it back. */
  readonly settled?: Settled | undefined;
}

/** Settlement of a payment. `parts`: what the store received, of `unit`. `usd`: worth of the payment's credit then, in cents. */
export interface Settled {
  readonly at: Date;
  readonly unit: string;
  readonly parts: bigint;
  readonly usd: bigint;
  /** Time at which the rail last took a part back. */
  readonly takenAt?: Date | undefined;
}

/** Statement of a store about its invoice, in place of a settlement by money. */
export type InvoiceMark = 'settled' | 'invalid';

export interface Invoice {
  readonly id: string;
  readonly state: InvoiceState;
  /** Number of the invoice's last event. */
  readonly version: number;
  readonly store: { readonly id: string; readonly businessId: string | undefined; readonly holderId: string };
  readonly terms: InvoiceTerms;
  readonly expiresAt: Date;
  readonly options: readonly PaymentOption[];
  readonly payments: readonly InvoicePayment[];
  /** For a top-up: credit of its first final payment. */
  readonly firstCredit: bigint | undefined;
  /** Credit that a member, or the store's preset, accepted in place of the amount. */
  readonly accepted?: bigint | undefined;
  /** For a short invoice: time from which the store's preset decides, unless a payment is pending. */
  readonly decideAt?: Date | undefined;
  /** The store's last mark. A settlement by money ends it. */
  readonly mark?: InvoiceMark | undefined;
  /**
   * True if its e-mail address was left without the payer's secret, after a method was chosen: by anybody with its link. Nothing
   * about the payer's money is mailed there.
   */
  readonly isEmailOfLink?: true | undefined;
  /** True while only the store has chosen a method, so that no buyer has the payer's secret. */
  readonly isChosenByStore?: true | undefined;
}

/**
 * True if somebody may have the payer's secret: a buyer has chosen a method. If only the store chose one, the secret waits for the
 * first buyer who does. Once a payment came, nobody gets it with the link alone.
 */
export const hasPayer = ({ options, payments, isChosenByStore }: Invoice): boolean =>
  options.length > 0 && (!isChosenByStore || payments.length > 0);

/** True if the invoice asks for payments: it is open in its time or short, something is due, and its store did not mark it. */
export const isPayable = (invoice: Invoice, now: Date): boolean =>
  ((invoice.state === 'open' && now < invoice.expiresAt) || invoice.state === 'short') &&
  dueOf(invoice) !== 0n &&
  invoice.mark === undefined;

const UNFINISHED: ReadonlySet<InvoiceState> = new Set(['open', 'confirming', 'short']);

/** True if payments in time still count: the invoice is neither settled nor ended. */
export const isUnfinished = ({ state }: Pick<Invoice, 'state'>): boolean => UNFINISHED.has(state);

const ENDED: ReadonlySet<InvoiceState> = new Set(['expired', 'cancelled', 'invalid']);

/** True if an invoice is over without being settled. */
export const hasEnded = ({ state }: Pick<Invoice, 'state'>): boolean => ENDED.has(state);

/** Returns the sum of credits of final payments. */
export const creditedOf = ({ payments }: Pick<Invoice, 'payments'>): bigint =>
  payments.reduce((sum, { credit }) => sum + credit, 0n);

/** Returns the sum of credits that are on their way in time. */
export const pendingOf = ({ payments }: Pick<Invoice, 'payments'>): bigint =>
  payments.reduce((sum, { pending }) => sum + pending, 0n);

/** Returns the sum that is still to be paid; undefined for a top-up. */
export function dueOf(invoice: Pick<Invoice, 'terms' | 'payments'>): bigint | undefined {
  const { amount } = invoice.terms;
  if (amount === undefined) return undefined;
  const due = amount - creditedOf(invoice) - pendingOf(invoice);
  return due > 0n ? due : 0n;
}

/** Returns the sum that a new payment option asks for: what is due, or what the buyer stated. Undefined for any sum. */
export const wantedOf = (invoice: Pick<Invoice, 'terms' | 'payments'>): bigint | undefined =>
  dueOf(invoice) ?? invoice.terms.stated;

/** Returns the part of a payment that its payer has as unallocated payments, in parts of its unit. */
export const handedOf = ({ handedOver = [] }: Pick<InvoicePayment, 'handedOver'>): bigint =>
  handedOver.reduce((sum, { parts, taken }) => sum + parts - taken, 0n);

/** Returns the part of a final payment that is its invoice's, in parts of its unit: neither handed over nor taken back. */
export const ownOf = (payment: Pick<InvoicePayment, 'parts' | 'taken' | 'handedOver'>): bigint =>
  payment.parts - (payment.taken ?? 0n) - handedOf(payment);

/** Returns the part of a payment that stands in `invoice:in`, in parts of its unit. */
export const inOf = (payment: InvoicePayment): bigint =>
  payment.stage === 'held' || payment.stage === 'waiting' ? ownOf(payment) : payersPart(payment);

/** Returns the amount of a payment that stands in `invoice:set`, in parts of the unit in which it was booked. */
export function setOf(payment: Pick<InvoicePayment, 'stage' | 'booked' | 'unit' | 'givenBack'>): bigint {
  const { stage, booked, unit } = payment;
  if (!booked || booked.fee !== undefined) return 0n;
  // The coin itself stands there until its unallocated payment is opened.
  const isLeaving = stage === 'given_back' && booked.unit === unit && toGive(payment) > 0n;
  return stage === 'credited' || stage === 'returning' || isLeaving ? booked.set : 0n;
}

/** Returns the worth of a payment that is given back and has no unallocated payment yet, in parts of its unit. */
export const toGive = ({ givenBack }: Pick<InvoicePayment, 'givenBack'>): bigint =>
  givenBack && givenBack.orderId === undefined ? givenBack.parts : 0n;

/** Stages of final payments of which a part may be its payer's; of others, all of it waits or is away. */
const HAS_PAYERS_PART: ReadonlySet<PaymentStage> = new Set(['credited', 'returning', 'given_back', 'unallocated']);

/** Returns the part of a final payment that belongs to its payer and was not handed over yet, in parts of its unit. */
export const payersPart = ({ stage, over }: InvoicePayment): bigint => (HAS_PAYERS_PART.has(stage) ? over : 0n);

/** True if money of an invoice belongs to its payer and was not handed over yet. A test invoice has no money. */
export const hasPayersMoney = ({ terms, payments }: Pick<Invoice, 'terms' | 'payments'>): boolean =>
  !terms.isTest && payments.some((payment) => payersPart(payment) > 0n || toGive(payment) > 0n);

/** Returns the invoice after the payer's part of a payment was handed over as an unallocated payment. */
export const handedOver = (invoice: Invoice, { id }: Pick<InvoicePayment, 'id'>, orderId: string, at: Date): Invoice => ({
  ...invoice,
  payments: invoice.payments.map((one) =>
    one.id === id
      ? { ...one, over: 0n, handedOver: [...(one.handedOver ?? []), { orderId, parts: one.over, taken: 0n, at }] }
      : one,
  ),
});

/** Returns the invoice after the worth of a payment was given back as an unallocated payment. */
export const givenTo = (invoice: Invoice, { id }: Pick<InvoicePayment, 'id'>, orderId: string): Invoice => ({
  ...invoice,
  payments: invoice.payments.map((one) =>
    one.id === id && one.givenBack ? { ...one, givenBack: { ...one.givenBack, orderId } } : one,
  ),
});

const WHOLE = 10_000n;

/** Returns the amount that may be missing, rounded down. */
export const toleranceOf = ({ amount = 0n, tolerance }: InvoiceTerms): bigint => (amount * BigInt(tolerance)) / WHOLE;

/** Returns the credit with which the invoice is paid; undefined for a top-up before its first final payment. */
export function neededOf({
  terms,
  firstCredit,
  accepted,
}: Pick<Invoice, 'terms' | 'firstCredit' | 'accepted'>): bigint | undefined {
  if (accepted !== undefined) return accepted;
  return terms.amount === undefined ? firstCredit : terms.amount - toleranceOf(terms);
}

/**
 * Returns the state of an unfinished invoice by its sums. `isTimeOver`: true if its time is over, and polls and events have
 * reached that moment.
 */
export function stateBySums(invoice: Omit<Invoice, 'version'>, isTimeOver: boolean): InvoiceState {
  const [credited, pending, needed] = [creditedOf(invoice), pendingOf(invoice), neededOf(invoice)];
  if (needed !== undefined && credited > 0n && credited >= needed) return 'settled';
  if (invoice.state === 'short') return credited > 0n ? 'short' : 'expired';
  if (pending > 0n && (needed === undefined || credited + pending >= needed)) return 'confirming';
  if (!isTimeOver || pending > 0n) return 'open';
  return credited > 0n ? 'short' : 'expired';
}
