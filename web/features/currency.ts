import { tickerOf as tickerOfCode } from '@kurs/money';

export { minDigits } from '@kurs/money';
import type { CoinTone } from '../ui/base/icon.tsx';
import marks from './coin-marks.json' with { type: 'json' };

/** Currency in the form that pages use. */
export interface Currency {
  readonly code: string;
  readonly name: string;
  readonly network: string;
  readonly asset: string;
  readonly kind: 'crypto' | 'ewallet';
  readonly unit: string;
  /** Number of decimals in payments. */
  readonly payDigits: number;
  /** Number of decimals of the unit. */
  readonly digits: number;
  /** Verification level that a payer needs; absent if an e-mail address is enough. */
  readonly payerLevel?: number;
}

/** Returns the ticker that follows an amount: `USDT`, `BTC`, `USD`. */
export function tickerOf(currency: Currency): string {
  return tickerOfCode(currency.unit);
}

/** Returns a currency's title and note on a button: `USDT`, `ERC20` · `BTC`, `Bitcoin` · `PayPal`, `USD`. */
export function labelsOf(currency: Currency): { title: string; note: string } {
  if (currency.kind === 'ewallet') return { title: currency.name, note: tickerOf(currency) };
  return { title: currency.asset, note: shortNetwork(currency.network) };
}

/**
 * Returns a currency's short name that is clear without context: its title, followed by its note if another currency has the same
 * title.
 */
export function shortNameOf(currency: Currency, all: readonly Currency[]): string {
  const { title, note } = labelsOf(currency);
  return all.some((other) => titleOf(other) === title && other.code !== currency.code) ? `${title} ${note}` : title;
}

const titleOf = ({ kind, name, asset }: Currency): string => (kind === 'ewallet' ? name : asset);

/** Returns the distinguishing part of a network's name: `Ethereum · ERC-20` → `ERC-20`. */
export function shortNetwork(network: string): string {
  return network.split(' · ').at(-1) ?? network;
}

const COINS = marks as unknown as Readonly<Record<string, readonly [letter: string, tone: CoinTone]>>;

const HANDED_ON: ReadonlySet<string> = new Set(['ETH', 'BNB', 'TRX']);

/**
 * True if a contract can pass the coin on within a transaction, so that no transaction of its own shows the payment. The page
 * warns payers about this.
 */
export const mayBeHandedOn = (code: string): boolean => HANDED_ON.has(code);

/** Returns the letter and colour of a currency's icon. Logos of third parties are not used. */
export function coinOf(code: string): { letter: string; tone: CoinTone } {
  const [letter, tone] = COINS[code.split('_')[0] ?? ''] ?? [code.slice(0, 1), 'gray'];
  return { letter, tone };
}

export function findCurrency(currencies: readonly Currency[], code: string): Currency {
  const found = currencies.find((currency) => currency.code === code) ?? currencies.find(({ unit }) => unit === code);
  if (found) return found;
  const name = tickerOfCode(code);
  return { code, name, network: '', asset: name, kind: 'crypto', unit: code, payDigits: 2, digits: 2 };
}
