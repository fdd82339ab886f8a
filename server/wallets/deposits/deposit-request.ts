// A deposit requested at a payment system: its address, the way to pay it, and its status.

import { type Output, type Routes, say } from '@kurs/contract';
import { type Payment, arrivedOf, shortBy } from '../../collecting/index.ts';
import { type CurrencyInfo, type PayWay, currencyOf } from '../../payments/index.ts';
import type { Deposit } from './deposit.ts';
import type { WalletAddress } from '../store.ts';
import { text } from '../sums.ts';
import { depositView } from './deposit-view.ts';

/** Result of the last entered voucher. */
export type Entry = 'taken' | 'wrong' | 'foreign' | 'unavailable';

/** A requested deposit: an address for one payment at a payment system. */
export interface DepositRequest extends WalletAddress {
  /** Number of the request for people. */
  readonly number: string;
  /** Amount to pay, in parts; undefined for a voucher. */
  readonly parts: bigint | undefined;
  readonly until: Date;
  readonly way: PayWay | undefined;
  /** True if the payment system refused the request. */
  readonly isRefused: boolean;
  readonly entry: Entry | undefined;
  readonly openedAt: Date;
}

type View = Output<Routes['walletDepositAsk']>;

/** Returns true if a part of the requested amount is still to be paid. A voucher of any worth pays its request completely. */
export const isDue = ({ parts = 0n }: Pick<DepositRequest, 'parts'>, deposits: readonly Deposit[]): boolean => {
  const request = { give: { parts }, payments: deposits.flatMap(paymentOfDeposit) };
  return arrivedOf(request) === 0n || shortBy(request) > 0n;
};

/** Returns a deposit as a payment of its request; empty for a deposit that was dropped. */
function paymentOfDeposit({ status, parts }: Deposit): Pick<Payment, 'parts' | 'status'>[] {
  if (status === 'dropped') return [];
  return [{ parts, status: status === 'seen' || status === 'reversed' ? status : 'final' }];
}

/** Returns a requested deposit as its holder sees it. */
export function depositRequestView(request: DepositRequest, deposits: readonly Deposit[], locale: 'en' | 'ru', now: Date): View {
  const info = currencyOf(request.currency);
  if (!info) throw new Error(`no rail carries ${request.currency}`);
  const due = isDue(request, deposits);
  const isOver = now >= request.until;
  const way = due && !isOver && !request.isRefused ? request.way : undefined;
  return {
    ...{ id: request.id, number: request.number, currency: info.unit, by: info.code, rail: info.rail, network: info.network },
    ...(request.parts !== undefined && { amount: text(info.unit, request.parts) }),
    status: !due ? 'paid' : request.isRefused ? 'refused' : isOver ? 'over' : way ? 'open' : 'preparing',
    ...(way && { pay: payView(request, way, info, locale) }),
    ...(request.entry && { entry: request.entry }),
    asked_at: request.openedAt.toISOString(),
    expires_at: request.until.toISOString(),
    deposits: deposits.map((one) => depositView(one)),
  };
}

function payView(
  { parts, until }: DepositRequest,
  way: PayWay,
  info: CurrencyInfo,
  locale: 'en' | 'ru',
): NonNullable<View['pay']> {
  const { code: currency, network, unit } = info;
  const amount = parts === undefined ? {} : { amount: text(unit, parts) };
  const common = { ...amount, currency, network, expires_at: until.toISOString() };
  if (way.kind === 'redirect') {
    return { kind: 'redirect', ...common, method: way.method, url: way.url, fields: { ...way.fields } };
  }
  const named = (label: string): string => say(locale, label, { network }) ?? label;
  return { kind: 'voucher', ...common, fields: way.fields.map((field) => ({ ...field, label: named(field.label) })) };
}
