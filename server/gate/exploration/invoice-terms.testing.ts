// Terms of the explored invoice, and its prices. A satoshi costs one USD, so that the sums are small and can be checked by hand.
// For tests.

import { fraction, parseRate, percent, rate, zero } from '@kurs/money';
import type { Invoice, InvoiceTerms, PaymentOption } from '../invoices/invoice.ts';
import type { OptionPrice } from '../invoices/option-price.ts';

/** Coin of a payment. `LTC` arrives at addresses of `BTC`. No option asks for it, and not every store takes it. */
export type Coin = 'BTC' | 'LTC' | 'USDT';

/** Parts of a coin that are worth one USD, while a lock holds. */
export const USD_IN = { BTC: 1n, LTC: 1n, USDT: 1_000_000n } as const;
/** The desk's spread, in percent, taken of payments that are exchanged. Rounded up. */
export const SPREAD = 1n;
/** Current rate as a share of the locked one, in percent: the market has fallen. */
export const FALLEN = 50n;
/** Part of an option that has the locked rate, in percent. */
export const LOCKED = 102n;
export const LEAST = 5n;
export const SMALLEST_REFUND = 10n;
/** Fee of the desk, in tenths of a percent, and the smallest one in parts of each unit. */
export const FEE = 8n;
export const MIN_FEE = { USDT: 10_000n, BTC: 1n, LTC: 1n } as const;

/** Minutes at which something happens. The first lock ends before the second, the invoice's time before the third, and the windows of all payments so far before the fourth. */
export const MINUTES = [5, 30, 61, 130] as const;
/** Minute at which the time of the invoice is over, and length of a lock and of the window of a payment, in minutes. */
export const [LIFE, LOCK, WINDOW] = [60, 15, 60];
/** Time for which a held payment counts as pending, and longest hold with papers that keeps the locked rate, in minutes. */
export const [HOLD, KEEP] = [60, 20];

const BEGIN = Date.parse('2026-11-29T10:00:00Z');
export const minute = (minutes: number): Date => new Date(BEGIN + minutes * 60_000);

/** Kind of the explored invoice. */
export interface Start {
  /** Amount in cents; undefined for a top-up. */
  readonly amount: bigint | undefined;
  /** Part that may be missing, in hundredths of a percent. */
  readonly tolerance: number;
  readonly isBorneByStore: boolean;
  /** The desk's free USDT in USD: how much can be reserved. */
  readonly free: bigint;
  /** True if there are no current prices at first. */
  readonly isClosed?: true;
  /** True if the store takes litecoin. */
  readonly hasLitecoin?: true;
}

const TERMS: InvoiceTerms = {
  ...{ currency: 'USD', digits: 2, amount: 10_000n, tolerance: 0, isBorneByStore: false, methods: ['BTC', 'USDT'] },
  ...{ settlement: { currency: 'USDT', unit: 'USDT' }, fee: percent('0.8'), shortPreset: 'give_back', isTest: false },
  ...{ confirmWithin: WINDOW * 60_000, outageWithin: 0, lockedPercent: LOCKED, holdWithin: HOLD * 60_000 },
};

/** Returns a new invoice. */
export const newInvoice = ({ amount, tolerance, isBorneByStore, hasLitecoin }: Start): Invoice => ({
  ...{ id: 'invoice', state: 'open', version: 1, expiresAt: minute(LIFE), options: [], payments: [], firstCredit: undefined },
  store: { id: 'store', businessId: 'business', holderId: 'holder' },
  terms: { ...TERMS, amount, tolerance, isBorneByStore, methods: ['BTC', 'USDT', ...(hasLitecoin ? ['LTC'] : [])] },
});

const prices = new Map<string, OptionPrice>();

/** Returns the price of a method; `share`: of the locked rate, in percent. */
export function priceOf(unit: Coin, isBorneByStore: boolean, share = 100n): OptionPrice {
  const key = `${unit} ${isBorneByStore} ${share}`;
  const price = prices.get(key) ?? makePrice(unit, isBorneByStore, share);
  prices.set(key, price);
  return price;
}

function makePrice(unit: Coin, isBorneByStore: boolean, share: bigint): OptionPrice {
  const common = { currency: 'USD', digits: 2, isBorneByStore, worth: rate('USDT', 'USD', fraction(1n, 1n)) };
  const free = { discounts: [], costs: [], minFee: zero(unit), minMargin: { ...NO_MARGIN, min: zero(unit) } };
  if (unit === 'USDT') {
    const same = { giveUnit: 'USDT', getUnit: 'USDT', giveDigits: 2, getDigits: 2 } as const;
    const one = rate('USDT', 'USDT', fraction(1n, 1n));
    return {
      ...common,
      terms: { ...same, ...free, spread: [{ from: zero('USDT'), percent: percent('0') }], rate: one, mid: one },
      mid: rate('USDT', 'USD', fraction(1n, 1n)),
    };
  }
  const usd = `${1_000_000n * share}`;
  const [spread, at] = [[{ from: zero(unit), percent: percent(`${SPREAD}`) }], parseRate(unit, 'USDT', usd)];
  const digits = { giveUnit: unit, getUnit: 'USDT', giveDigits: 8, getDigits: 2 } as const;
  return { ...common, terms: { ...digits, ...free, spread, rate: at, mid: at }, mid: parseRate(unit, 'USD', usd) };
}

const NO_MARGIN = { percent: percent('0'), afterRewards: fraction(1n, 1n) };

/** Returns an option that is opened at a minute of an invoice. Undefined `parts`: any amount. */
export function optionAt(
  invoice: Invoice,
  unit: 'BTC' | 'USDT',
  at: number,
  asked: { readonly parts: bigint | undefined; readonly pays: bigint | undefined },
): PaymentOption {
  const end = invoice.state === 'open' ? Math.min(at + LOCK, LIFE) : at + LOCK;
  return {
    ...{ id: `${unit} ${invoice.options.length}`, addressId: placeOf(unit), currency: unit, unit, ...asked },
    ...{ openedAt: minute(at), lockUntil: minute(end), price: priceOf(unit, invoice.terms.isBorneByStore) },
    ...{ minFee: { settlement: MIN_FEE.USDT, own: MIN_FEE[unit] }, to: 'place', memo: undefined, way: undefined },
    ...{ least: LEAST * USD_IN[unit], smallestRefund: SMALLEST_REFUND * USD_IN[unit] },
  };
}

/** Returns the place at which a coin arrives. */
export const placeOf = (coin: Coin): string => (coin === 'USDT' ? 'place of USDT' : 'place of BTC');
