import type { Output, Routes } from '@kurs/contract';
import type { Head } from '../../../server/document/document.ts';
import type { Qr } from '../../../server/document/qr.ts';

/** Invoice as the API shows it to its buyer. */
export type Invoice = Output<Routes['paymentInvoice']>;
export type PayMethod = Invoice['methods'][number];
export type PayOption = NonNullable<Invoice['option']>;
export type PayWallet = NonNullable<Invoice['wallets']>[number];
export type PayPayment = Invoice['payments'][number];

/** Name of the part with the store and what is paid for, which only the server renders. */
export const PANEL = 'store';

/** Part of the page that its URL opens: the form for an e-mail address, or the list of methods while one is chosen. */
export type Part = 'email' | 'change';

/** Data of the page of an invoice. What never changes is rendered by the server alone, and is left out here. */
export interface PayData {
  readonly head: Head;
  readonly now: string;
  /** Path of the page, to which its forms are sent. */
  readonly path: string;
  readonly invoice: Omit<Invoice, 'lines' | 'tax' | 'description'>;
  /** QR code of the payment option. */
  readonly qr?: Qr;
  /** Parts of the amount that are paid, and that are paid or on their way, in percent as decimal text. */
  readonly shares: { readonly credited: string; readonly covered: string };
  readonly part?: Part;
  readonly isSandbox: boolean;
  /** Change token of the invoice when it was loaded. The event stream reports all changes after it. */
  readonly mark: string;
}

/** Data of the page of an unknown invoice. */
export interface NoInvoice {
  readonly head: Head;
  readonly invoice?: undefined;
}

/** Result of a form of the page. */
export interface PayAnswer {
  readonly intent: string;
  /** Values that were typed into a refused form. */
  readonly values?: Readonly<Record<string, string>>;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly message?: string;
  /** Method whose fields of the payer's account the page asks for. */
  readonly asks?: string;
  /** True if the sandbox has paid. */
  readonly isPaid?: true;
}

/** Returns the URL of the page with a part open. Forms are sent there, so that a refused form stays open without scripts. */
export const partUrl = ({ path }: Pick<PayData, 'path'>, part: Part | undefined): string =>
  part === undefined ? path : `${path}?${part}`;

/** True while the invoice expects payments or waits for them to become final. */
export const isUnfinished = ({ state }: Pick<Invoice, 'state'>): boolean =>
  state === 'open' || state === 'confirming' || state === 'short';

/** True if the shop gave the invoice back, which was paid in part. */
export const isGivenBack = ({ payments }: Pick<Invoice, 'payments'>): boolean =>
  payments.some(({ status }) => status === 'returning' || status === 'given_back');

/** True if the shop marked the invoice, so that it asks for no payment. One that waits for the network is shown as such. */
export const isMarked = ({ state, mark }: Pick<Invoice, 'state' | 'mark'>): boolean =>
  mark !== undefined && state !== 'confirming';

/** True while the desk checks a payment that would pay the invoice. */
export const isChecked = ({ payments }: Pick<Invoice, 'payments'>): boolean => payments.some(({ status }) => status === 'held');

/** True if the buyer can choose a method: the invoice isn't paid, and something is due. */
export const mayChoose = ({ state, methods }: Pick<Invoice, 'state' | 'methods'>): boolean =>
  (state === 'open' || state === 'short') && methods.length > 0;

/** True if a part of the amount is paid or on its way, and the rest is due. */
export const isPartlyPaid = ({ credited, pending, amount }: Pick<Invoice, 'credited' | 'pending' | 'amount'>): boolean =>
  amount !== undefined && /[1-9]/.test(credited + pending);

/** True while a payment that isn't counted as pending may still be credited: it came too late, or it waits for a rate. */
export const awaitsPayment = ({ state, late, payments }: Pick<Invoice, 'state' | 'late' | 'payments'>): boolean =>
  isUnfinished({ state }) && (late || payments.some(({ status }) => status === 'waiting'));

/** True if an open invoice's time is over. It ends once the payments that were made in time have been counted. */
export const isTimeOver = ({ state, expires_at: end }: Pick<Invoice, 'state' | 'expires_at'>, now: number): boolean =>
  state === 'open' && Date.parse(end) <= now;

/**
 * True if the price of an option has ended. It ends by the server's time, before any news about it. The payment to a top-up has the
 * rate of its own moment, so no price of it ends.
 */
export const isPriceOver = ({ status, pays, expires_at: end }: PayOption, now: number): boolean =>
  status === 'over' || (status === 'open' && pays !== undefined && Date.parse(end) <= now);

/** Returns the id of the stream event for the state of the invoice that a page shows. */
export const payMarkOf = ({ version, confirmations }: Pick<Invoice, 'version' | 'confirmations'>): string =>
  `${version}${confirmations === undefined ? '' : `+${confirmations}`}`;
