// A refund as its claimant sees it: what is left, and what arrives of it in each currency.

import { type Output, type Routes, say } from '@kurs/contract';
import { assetOf, format, money, parse, totalOf } from '@kurs/money';
import { type CurrencyInfo, payables } from '../../../payments/index.ts';
import type { Statements } from '../../../platform/index.ts';
import { listedCurrency } from '../../../pricing/index.ts';
import { digitsOf } from '../../methods/current-price.ts';
import { openStore } from '../../stores/store-rows.ts';
import { unitMoney } from '../../wire/amounts.ts';
import { storeForBuyers } from '../../stores/views.ts';
import { claimQuote, claimableIn, withinPayable } from '../actions/claim-price.ts';
import { claimedSum } from '../actions/claim-refund.ts';
import { whatStopsRefunds } from '../actions/require-refunds.ts';
import type { Refund, UnitSum } from '../machine/refund.ts';
import { claimsOf } from '../rows/claim-rows.ts';
import { claimRowWire } from '../wire.ts';

type ClaimPage = Output<Routes['refundPage']>;

/** Returns a refund in the form of the API for its claimant. `wanted`: the sum for which prices are shown. */
export async function claimPageWire(
  db: Statements,
  refund: Refund,
  wanted: { readonly unit?: string | undefined; readonly amount?: string | undefined },
  locale: 'en' | 'ru',
): Promise<ClaimPage> {
  const [store, claims, stops] = [
    await openStore(db, refund.store.id),
    await claimsOf(db, [refund.id]),
    await whatStopsRefunds(db, [refund.store]),
  ];
  const sum = refund.rests.length > 0 ? claimedSum(refund, wanted) : undefined;
  const infos = sum ? claimableIn(sum.unit) : [];
  const there = refund.isTest
    ? undefined
    : await payables(
        db,
        infos.map(({ code }) => code),
      );
  const stop = refund.isTest ? undefined : stops.get(refund.store.id);
  return {
    ...{ id: refund.id, number: refund.number, state: refund.state, store: storeForBuyers(store) },
    amount: { amount: format(money(refund.currency, refund.amount), refund.digits), currency: refund.currency },
    ...(refund.note !== undefined && { note: refund.note }),
    left: refund.rests.map(({ unit, parts }) => unitMoney(unit, parts)),
    ...{ expires_at: refund.expiresAt.toISOString(), needs_code: refund.email !== undefined },
    ...(refund.email && { email: shortened(refund.email) }),
    bounded: refund.invoiceId === undefined && !refund.isTest,
    ...((stop === 'store_closed' || stop === 'business_owes') && { waits: stop }),
    ...(sum && { claim: unitMoney(sum.unit, sum.parts) }),
    methods: sum
      ? infos.map((info) => methodWire(sum, info, there && (there.get(info.code) ?? 0n), locale)).sort(byCostOf(sum.unit))
      : [],
    claims: claims.map(claimRowWire),
    version: refund.version,
    test: refund.isTest === true,
  };
}

type MethodWire = ClaimPage['methods'][number];

/** Returns the order of methods: open ones first, by their costs in the claimed unit. */
function byCostOf(unit: string): (a: MethodWire, b: MethodWire) => number {
  const costOf = ({ fee = '0', spread = '0' }: MethodWire): bigint => parse(unit, fee).parts + parse(unit, spread).parts;
  return (a, b) => {
    if (a.closed || b.closed) return (a.closed ? 1 : 0) - (b.closed ? 1 : 0);
    const [one, other] = [costOf(a), costOf(b)];
    return one < other ? -1 : one > other ? 1 : 0;
  };
}

/** Returns an e-mail address of which its owner recognizes the rest. */
function shortened(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}…${email.slice(at)}`;
}

/** `payable`: amount of the currency that the desk can pay; undefined for a test refund, of which nothing is paid. */
function methodWire(sum: UnitSum, info: CurrencyInfo, payable: bigint | undefined, locale: 'en' | 'ru'): MethodWire {
  const { code, network, payDigits } = info;
  const price = claimQuote(sum, info);
  const quote = payable === undefined ? price : withinPayable(price, payable);
  const text = (parts: bigint): string => format(money(sum.unit, parts), digitsOf(assetOf(sum.unit)));
  const common = {
    ...{ method: code, name: listedCurrency(code)?.name ?? code, network, currency: code },
    fields: info.fields.map((field) => ({ ...field, label: say(locale, field.label, { network }) ?? field.label })),
  };
  if ('closed' in quote) return { ...common, closed: quote.closed, ...(quote.smallest && { least: text(quote.smallest.parts) }) };
  const spread = quote.price && totalOf(quote.price.components, 'fee');
  return {
    ...{ ...common, receives: format(quote.got, payDigits), fee: text(quote.fee) },
    ...(spread !== undefined && { spread: text(spread) }),
  };
}
