import type { Output, Routes } from '@kurs/contract';
import type { Direction } from '../../../features/calculator/price-breakdown.ts';
import type { ReversibleWords } from '../reversible-words.ts';
import { type Currency, findCurrency, shortNameOf, shortNetwork, tickerOf } from '../../../features/currency.ts';

export type RateHistory = Output<Routes['rateHistory']>;
type ApiCurrency = Output<Routes['currencies']>[number];
type Gateway = Output<Routes['gateways']>[number];

/** Way in which a customer pays: to a receiving address, on a provider's page, or with a voucher that they already have. */
export type PayIn = 'address' | 'redirect' | 'voucher';
/** Form in which a customer receives money: at a crypto address, at an account, or as a voucher's code. */
export type PayOut = 'address' | 'account' | 'code';

/** Data of a direction's page. */
export interface ServiceFacts {
  readonly direction: Direction;
  readonly from: Currency;
  readonly to: Currency;
  /** Full names of both currencies, which are clear without context: `Tether (USDT, ERC-20)`. */
  readonly names: { readonly from: string; readonly to: string };
  readonly payIn: PayIn;
  readonly payOut: PayOut;
  /** Labels of the fields for the receiving account, in the page's language. */
  readonly receiveFields: readonly string[];
  /** Labels of the fields for a refund's account, in the page's language. */
  readonly refundFields: readonly string[];
  /** True if a refund is a new voucher, shown on the order's page. */
  readonly isVoucherRefund: boolean;
  /** Number of confirmations that the network requires, as text: `1–6`. Absent if payments need no confirmations. */
  readonly confirmations?: string;
  readonly lockMinutes: number;
  /** Texts about payments that their sender can take back; absent if payments are final. */
  readonly reversible?: ReversibleWords;
  readonly isSeeded: boolean;
  readonly history: RateHistory;
  readonly similar: readonly Direction[];
}

/** Returns the way in which a currency is paid in. The gateway determines it; without a gateway it is a receiving address. */
export const payInOf = (gateway: Gateway | undefined): PayIn => gateway?.kind ?? 'address';

/** Returns the form in which a currency is received. The fields of its accounts determine it. */
export function payOutOf({ fields }: ApiCurrency): PayOut {
  if (fields.length === 0) return 'code';
  return fields.some(({ type }) => type === 'address') ? 'address' : 'account';
}

/** Returns the labels of account fields. */
export const labelsOfFields = (fields: ApiCurrency['fields']): string[] => fields.map(({ label }) => label);

/** Returns the full name of a currency, with its network or unit if another currency has the same name. */
export function fullName(currency: Currency, all: readonly Currency[]): string {
  const hasTwin = all.some(({ code, name }) => code !== currency.code && name === currency.name);
  if (currency.kind === 'ewallet') return hasTwin ? `${currency.name} ${tickerOf(currency)}` : currency.name;
  const network = hasTwin ? `, ${shortNetwork(currency.network)}` : '';
  return `${currency.name} (${currency.asset}${network})`;
}

/** Returns the short name of a direction, for links. */
export function shortName({ from, to }: Pick<Direction, 'from' | 'to'>, all: readonly Currency[]): string {
  return [from, to].map((code) => shortNameOf(findCurrency(all, code), all)).join(' → ');
}

const MAX_SIMILAR = 4;

/**
 * Returns open directions to suggest on a direction's page. First comes the reverse direction, then directions with the same
 * currency to send, then directions with the same currency to receive.
 */
export function similarTo({ from, to, slug }: Direction, all: readonly Direction[]): Direction[] {
  const others = all.filter((one) => one.open && one.slug !== slug);
  const reverse = others.filter((one) => one.from === to && one.to === from);
  const sameGive = others.filter((one) => one.from === from);
  const sameGet = others.filter((one) => one.to === to);
  return [...new Set([...reverse, ...sameGive.slice(0, 2), ...sameGet, ...sameGive])].slice(0, MAX_SIMILAR);
}
