import { type Locale, type Output, type Routes, say } from '@kurs/contract';
import {
  type Component,
  type CostLine,
  type DiscountLine,
  type Money,
  type PriceTerms,
  type Rate,
  assetOf,
  format,
  formatRate,
  money,
  percentText,
  roundTo,
  scaleOf,
  totalOf,
} from '@kurs/money';
import { payerLevel } from '../../compliance/index.ts';
import { type CurrencyInfo, canSend, currencies, currencyOf, payKindOf } from '../../payments/index.ts';
import { latest, now } from '../../rates/index.ts';
import type { Direction } from '../directions/direction.ts';
import type { Quoted } from './quote.ts';
import type { PriceContext } from '../price/context.ts';
import { type Priced, closedAt } from '../price/make-price.ts';
import { price } from '../price/price-now.ts';
import { currentView, listedCurrency } from '../known/view.ts';

type QuoteWire = Output<Routes['calculate']>;
type DirectionWire = Output<Routes['directions']>['directions'][number];
type CurrencyWire = Output<Routes['currencies']>[number];
type GatewayWire = Output<Routes['gateways']>[number];
type TermsWire = NonNullable<DirectionWire['terms']>;
type FeeWire = QuoteWire['fees'][number];

/** Returns a rate in the contract's form, with all its digits. */
export const rateWire = (rate: Rate): QuoteWire['rate'] => ({ base: rate.base, quote: rate.quote, value: formatRate(rate) });

/** Returns a quote in the contract's form. */
export function quoteWire(quoted: Quoted): QuoteWire {
  const { breakdown, terms, give, get } = quoted;
  const given = (amount: Money): string => format(amount, terms.giveDigits);
  const discount = money(terms.giveUnit, totalOf(breakdown.components, 'discount'));
  const side = { currency: give.code, unit: terms.giveUnit, digits: terms.giveDigits };
  const { fees, discounts } = componentsWire(breakdown.components, side);
  return {
    give: { amount: given(breakdown.give), currency: give.code },
    get: { amount: format(breakdown.get, terms.getDigits), currency: get.code },
    fees,
    ...(discount.parts > 0n && { discount: { amount: given(discount), currency: give.code }, discounts }),
    exchanged: { amount: given(breakdown.exchanged), currency: give.code },
    ...statusOf(quoted),
    expires_at: quoted.expiresAt.toISOString(),
  };
}

type SharedFields = Pick<QuoteWire, 'rate' | 'min' | 'max' | 'reserve' | 'rates_version' | 'rates_at'>;

/** Fields that all quotes at one price share, by the price's bounds. Cached, because thousands of quotes use them. */
const status = new WeakMap<Priced['bounds'], SharedFields>();

function statusOf({ terms, bounds, reserve, snapshot }: Priced): SharedFields {
  const known = status.get(bounds);
  if (known) return known;
  const made = {
    rate: rateWire(terms.rate),
    min: format(bounds.min, terms.giveDigits),
    max: format(bounds.max, terms.giveDigits),
    reserve: format(roundTo(reserve, terms.getDigits, 'down'), terms.getDigits),
    rates_version: snapshot.version.toString(),
    rates_at: snapshot.at.toISOString(),
  };
  status.set(bounds, made);
  return made;
}

/** Currency and unit of components, and the number of digits to show. */
interface ComponentSide {
  readonly currency: string;
  readonly unit: string;
  readonly digits: number;
}

/**
 * Returns components in the contract's form. `fees`: the desk's fee, with its percentage unless the minimum fee applies, and all
 * costs. The costs are `network` (sending the payout), `sweep` (collecting the payment), `payin` and `payout` (charges of the two
 * rails), and those that the operator defined. `discounts`: the discounts.
 */
export function componentsWire(
  components: readonly Component[],
  { currency, unit, digits }: ComponentSide,
): { readonly fees: FeeWire[]; readonly discounts: FeeWire[] } {
  const wire = ({ code, amount, percent }: Component): FeeWire => ({
    ...{ code, amount: format(money(unit, amount), digits), currency },
    ...(percent !== undefined && { percent }),
  });
  return {
    fees: components.filter(({ kind }) => kind !== 'discount').map(wire),
    discounts: components.filter(({ kind }) => kind === 'discount').map(wire),
  };
}

/** Returns terms in the contract's form. The browser's calculator computes the same price breakdowns from them. */
export function termsWire(terms: PriceTerms): TermsWire {
  const shown = (amount: Money): string => format(amount, terms.giveDigits);
  return {
    rate: rateWire(terms.rate),
    spread: terms.spread.map((step) => ({ from: shown(step.from), percent: percentText(step.percent) })),
    least_fee: shown(terms.minFee),
    costs: terms.costs.map((line) => lineWire(line, shown)),
    ...(terms.discounts.length > 0 && { discounts: terms.discounts.map((line) => discountLineWire(line, shown)) }),
    min_margin_percent: percentText(terms.minMargin.percent),
    min_margin: shown(terms.minMargin.min),
    ...(keepsAll(terms) ? {} : { keep_after_rewards: percentText(terms.minMargin.afterRewards) }),
    ...(terms.minMargin.provision && { keep_provision: percentText(terms.minMargin.provision) }),
  };
}

const keepsAll = ({ minMargin: { afterRewards } }: PriceTerms): boolean => afterRewards.numerator === afterRewards.denominator;

function discountLineWire(line: DiscountLine, shown: (amount: Money) => string): NonNullable<TermsWire['discounts']>[number] {
  return {
    code: line.code,
    ...(line.of && { of: line.of }),
    ...(line.percent && { percent: percentText(line.percent) }),
    ...(line.fixed && { fixed: shown(line.fixed) }),
    ...(line.cap && { cap: shown(line.cap) }),
  };
}

function lineWire(line: CostLine, shown: (amount: Money) => string): TermsWire['costs'][number] {
  return {
    code: line.code,
    ...(line.of && { of: line.of }),
    ...(line.percent && { percent: percentText(line.percent) }),
    ...(line.fixed && { fixed: shown(line.fixed) }),
    ...(line.min && { min: shown(line.min) }),
    ...(line.cap && { cap: shown(line.cap) }),
  };
}

/** Returns the directions of a pair, or all directions, in the contract's form, with prices for this context. */
export function directionsWire(
  filter: { from?: string | undefined; to?: string | undefined } = {},
  context: PriceContext = {},
): Output<Routes['directions']> {
  const snapshot = latest();
  return {
    directions: currentView()
      .directions.filter(({ from, to }) => (filter.from ?? from) === from && (filter.to ?? to) === to)
      .filter(({ from, to }) => listedCurrency(from) && listedCurrency(to))
      .map((direction) => directionWire(direction, context)),
    ...(snapshot && { rates_at: snapshot.at.toISOString() }),
    rates_seeded: snapshot?.body.isSeeded ?? false,
  };
}

/**
 * Returns a direction in the contract's form, with its price for this context: the level changes the limits, and rails charge
 * nothing for wallets.
 */
function directionWire(direction: Direction, context: PriceContext): DirectionWire {
  const level = context.level ?? 0;
  const needed = context.wallet === 'give' || context.wallet === 'both' ? 0 : payerLevel(direction.from);
  const made = price(direction, context);
  const reason = closedAt(made, now().getTime());
  const usual = currentView().usualMinutes.get(direction.slug);
  return {
    from: direction.from,
    to: direction.to,
    slug: direction.slug,
    open: reason === undefined,
    ...(reason !== undefined && { reason }),
    ...('terms' in made ? pricedWire(made) : unpricedWire(direction)),
    ...(needed > level && { needs_level: needed }),
    ...(usual !== undefined && { usual_minutes: usual }),
    ...(direction.at && { changed_at: direction.at.toISOString() }),
  };
}

type PriceWire = Pick<DirectionWire, 'fee_percent' | 'min' | 'max' | 'reserve' | 'rate' | 'terms'>;

function pricedWire({ terms, bounds, reserve }: Priced): PriceWire {
  const [step] = terms.spread;
  return {
    rate: rateWire(terms.rate),
    fee_percent: step ? percentText(step.percent) : '0',
    min: format(bounds.min, terms.giveDigits),
    max: format(bounds.max, terms.giveDigits),
    reserve: format(roundTo(reserve, terms.getDigits, 'down'), terms.getDigits),
    terms: termsWire(terms),
  };
}

const unpricedWire = (direction: Direction): PriceWire => ({
  fee_percent: direction.spread[0]?.percent ?? '0',
  min: direction.min ?? '0',
  max: direction.max ?? '0',
  reserve: '0',
});

/** Returns all currencies that a direction uses and a rail carries. The names of account fields are in the caller's language. */
export function currenciesWire(locale: Locale = 'en'): CurrencyWire[] {
  const { directions } = currentView();
  const used = new Set(directions.flatMap(({ from, to }) => [from, to]));
  return [...currentView().currencies.values()].flatMap(({ code, name, kind, feedCode }) => {
    const info = currencyOf(code);
    if (!info || !used.has(code)) return [];
    const named = (fields: CurrencyInfo['fields']) =>
      fields.map((field) => ({ ...field, label: say(locale, field.label, { network: info.network }) ?? field.label }));
    return [
      {
        code,
        name,
        kind,
        network: info.network,
        rail: info.rail,
        unit: info.unit,
        asset: assetOf(info.unit),
        precision: scaleOf(info.unit),
        pay_precision: info.payDigits,
        payer_level: payerLevel(code),
        ...(feedCode !== null && { feed_code: feedCode }),
        fields: named(info.fields),
        // A rail that can't send makes no refunds, so no account is needed for one.
        payer_fields: canSend(code) ? named(info.payerFields ?? info.fields) : [],
      },
    ];
  });
}

/**
 * Returns the ways to pay in one currency, or in all. The bounds are the widest of the currency's open directions or, if all are
 * closed, of all its directions.
 */
export function gatewaysWire(currency?: string): GatewayWire[] {
  const codes = currencies()
    .map(({ code }) => code)
    .filter((code) => currency === undefined || code === currency);
  return codes.flatMap((code) => {
    const shown = listedCurrency(code);
    const priced = currentView()
      .directions.filter(({ from }) => from === code)
      .map((direction) => price(direction))
      .map((made) => ({ made, open: closedAt(made, now().getTime()) === undefined }))
      .flatMap(({ made, open }) => ('terms' in made ? [{ ...made, open }] : []));
    if (!shown || priced.length === 0) return [];
    const open = priced.filter((one) => one.open);
    const bounds = (open.length > 0 ? open : priced).map((one) => one.bounds);
    const edge = (pick: (a: Money, b: Money) => boolean, of: 'min' | 'max'): string =>
      format(
        bounds.map((one) => one[of]).reduce((a, b) => (pick(a, b) ? a : b)),
        shown.payDigits,
      );
    return [
      {
        id: shown.rail,
        currency: code,
        name: shown.name,
        network: shown.network,
        kind: payKindOf(code),
        min: edge((a, b) => a.parts <= b.parts, 'min'),
        max: edge((a, b) => a.parts >= b.parts, 'max'),
        confirmations: shown.confirmations,
        fees: [],
        open: open.length > 0,
      },
    ];
  });
}
