import { tickerOf as tickerOfCode } from '@kurs/money';

export { leastDigits } from '@kurs/money';
import type { CoinTone } from '../ui/base/icon.tsx';
import marks from './coin-marks.json' with { type: 'json' };

/** A currency as pages show it. */
export interface Currency {
  readonly code: string;
  readonly name: string;
  readonly network: string;
  readonly asset: string;
  readonly kind: 'crypto' | 'ewallet';
  readonly unit: string;
  /** Digits that a payment is made with, and digits that the unit has. */
  readonly payDigits: number;
  readonly digits: number;
  /** The verification level from which somebody may pay in it; absent where an e-mail address is enough. */
  readonly payerLevel?: number;
}

/** What stands after an amount: `USDT`, `BTC`, `USD`. */
export function tickerOf(currency: Currency): string {
  return tickerOfCode(currency.unit);
}

/** What people call it on a button and under it: `USDT`, `ERC20` · `BTC`, `Bitcoin` · `PayPal`, `USD`. */
export function labelsOf(currency: Currency): { title: string; note: string } {
  if (currency.kind === 'ewallet') return { title: currency.name, note: tickerOf(currency) };
  return { title: currency.asset, note: shortNetwork(currency.network) };
}

/** A currency in few words where nothing else says which is meant: with its note where others have the same title. */
export function shortNameOf(currency: Currency, all: readonly Currency[]): string {
  const { title, note } = labelsOf(currency);
  return all.some((other) => titleOf(other) === title && other.code !== currency.code) ? `${title} ${note}` : title;
}

const titleOf = ({ kind, name, asset }: Currency): string => (kind === 'ewallet' ? name : asset);

/** The part of a network's name that tells it from the others: `Ethereum · ERC-20` → `ERC-20`. */
export function shortNetwork(network: string): string {
  return network.split(' · ').at(-1) ?? network;
}

const COINS = marks as unknown as Readonly<Record<string, readonly [letter: string, tone: CoinTone]>>;

const HANDED_ON: ReadonlySet<string> = new Set(['ETH', 'BNB', 'TRX']);

/** Whether a contract can hand a coin on, so that no transaction of its own shows the payment. The payer is told. */
export const mayBeHandedOn = (code: string): boolean => HANDED_ON.has(code);

/** The letter and colour of a currency's mark. No logos of others. */
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
