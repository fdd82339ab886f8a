import type { Output, Routes } from '@kurs/contract';
import type { Direction } from '../../../features/calculator/price-breakdown.ts';
import type { ReversibleWords } from '../reversible-words.ts';
import { type Currency, findCurrency, shortNameOf, shortNetwork, tickerOf } from '../../../features/currency.ts';

export type RateHistory = Output<Routes['rateHistory']>;
type ApiCurrency = Output<Routes['currencies']>[number];
type Gateway = Output<Routes['gateways']>[number];

/** How a customer pays: to an address, at a provider's page, or with a voucher that they have. */
export type PayIn = 'address' | 'redirect' | 'voucher';
/** What they get: a transfer to an address, one to an account, or a voucher's code. */
export type PayOut = 'address' | 'account' | 'code';

/** All that a direction's page is made of. */
export interface ServiceFacts {
  readonly direction: Direction;
  readonly from: Currency;
  readonly to: Currency;
  /** What people call both sides where nothing else says which is meant: `Tether (USDT, ERC-20)`. */
  readonly names: { readonly from: string; readonly to: string };
  readonly payIn: PayIn;
  readonly payOut: PayOut;
  /** What is asked for the payout and for a refund, in the page's language. */
  readonly receiveFields: readonly string[];
  readonly refundFields: readonly string[];
  /** A refund is a new voucher, shown on the order's page. */
  readonly refundsVoucher: boolean;
  /** How many the network needs, as the desk words it: `1–6`. Absent where nobody counts any. */
  readonly confirmations?: string;
  readonly lockMinutes: number;
  /** What holds of a payment that its sender can take back; absent where they can't. */
  readonly reversible?: ReversibleWords;
  readonly seeded: boolean;
  readonly history: RateHistory;
  readonly similar: readonly Direction[];
}

/** How a currency is paid in, by its gateway; to an address where none is known. */
export const payInOf = (gateway: Gateway | undefined): PayIn => gateway?.kind ?? 'address';

/** What is got in a currency, by the fields of its accounts. */
export function payOutOf({ fields }: ApiCurrency): PayOut {
  if (fields.length === 0) return 'code';
  return fields.some(({ type }) => type === 'address') ? 'address' : 'account';
}

/** The labels of some fields. */
export const labelsOfFields = (fields: ApiCurrency['fields']): string[] => fields.map(({ label }) => label);

/** A currency's full name, with its network or unit where there are others of the name. */
export function fullName(currency: Currency, all: readonly Currency[]): string {
  const hasTwin = all.some(({ code, name }) => code !== currency.code && name === currency.name);
  if (currency.kind === 'ewallet') return hasTwin ? `${currency.name} ${tickerOf(currency)}` : currency.name;
  const network = hasTwin ? `, ${shortNetwork(currency.network)}` : '';
  return `${currency.name} (${currency.asset}${network})`;
}

/** A direction in few words, as links name it. */
export function shortName({ from, to }: Pick<Direction, 'from' | 'to'>, all: readonly Currency[]): string {
  return [from, to].map((code) => shortNameOf(findCurrency(all, code), all)).join(' → ');
}

const MOST_SIMILAR = 4;

/** Directions for anyone who looked at one: its reverse, then those with the same side given, then got; open ones only. */
export function similarTo({ from, to, slug }: Direction, all: readonly Direction[]): Direction[] {
  const others = all.filter((one) => one.open && one.slug !== slug);
  const reverse = others.filter((one) => one.from === to && one.to === from);
  const sameGive = others.filter((one) => one.from === from);
  const sameGet = others.filter((one) => one.to === to);
  return [...new Set([...reverse, ...sameGive.slice(0, 2), ...sameGet, ...sameGive])].slice(0, MOST_SIMILAR);
}
