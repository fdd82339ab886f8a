import { Problem, fieldProblem } from '@kurs/contract';
import { type Money, add, compare, format, money, parse, subtract, zero } from '@kurs/money';
import type { Owner, Statements } from '../../platform/index.ts';
import { settings } from '../settings.ts';
import type { Level } from '../customers/customer-store.ts';
import { usedSince, usedUnder } from './limit-store.ts';

const DAY = 24 * 3_600_000;

/** USD that may be paid at once, in 24 hours and in 30 days. */
export interface Windows {
  readonly atOnce: Money<'USD'>;
  readonly day: Money<'USD'>;
  readonly month: Money<'USD'>;
}

/**
 * What a customer has paid before in currencies that can be taken back: their first that was finished, and how many there are,
 * of which no more than `clearingCount` make a difference.
 */
export interface PayerHistory {
  readonly since: Date | undefined;
  readonly finished: number;
}

/** Whether payments in this currency can be taken back for months. */
export function isReversible(currency: string): boolean {
  return settings.get('compliance.reversible_currencies').includes(currency);
}

/** Whether the desk takes such payments at all: only once somebody has confirmed how much of it may be outstanding. */
export function takesReversible(): boolean {
  return exposureLimit().parts > 0n;
}

/** What may be paid so at once at most, by a customer of a level who has paid so for long. */
export function mostReversible(level: Level): Money<'USD'> {
  return windowsOf(level === 3 ? 'full' : 'known').atOnce;
}

/** How many of a customer’s first such payments wait longer for their payout. */
export const clearingCount = (): number => settings.get('compliance.reversible_clearing_orders');

/** For how long what was paid so waits before it is paid out, by how much of that kind the customer has finished. */
export function clearingMs(finished: number): number {
  const isNew = finished < clearingCount();
  const hours = settings.get(isNew ? 'compliance.reversible_clearing_new_hours' : 'compliance.reversible_clearing_hours');
  return hours * 3_600_000;
}

/** The level from which a customer may pay in this currency. */
export function payerLevel(currency: string): number {
  return isReversible(currency) ? settings.get('compliance.reversible_level') : 0;
}

/** Throws `level_needed` where a customer's level is too low to pay in this currency: it is no fault of any field. */
export function requirePayerLevel(currency: string, level: Level): void {
  const least = payerLevel(currency);
  if (level < least) throw new Problem('level_needed', { params: { level: String(least) } });
}

/** The keys under which a sum that is paid so counts, beside those of all sums: its customer's, and everybody's. */
export const reversibleKeys = (keys: readonly string[]): string[] => [...keys.map((key) => `reversible:${key}`), EVERYBODY];
const EVERYBODY = 'reversible:all';

export interface ReversibleSum {
  readonly usd: Money<'USD'>;
  readonly level: Level;
  readonly history: PayerHistory;
  /** Of the customer, as for limits. */
  readonly keys: readonly string[];
  /** Whose sum it is: what it counts already doesn't count against it. */
  readonly owner?: Owner | undefined;
}

/**
 * Throws where a sum can't be taken in a currency that can be taken back: `validation` on `amount` with
 * `amount_above_reversible` beyond the customer's windows, and `direction_closed` (`exposure`) where the desk would have more
 * outstanding than was confirmed.
 */
export async function requireReversible(
  db: Statements,
  { usd, level, history, keys, owner }: ReversibleSum,
  now: Date,
): Promise<void> {
  const since = (length: number): Date => new Date(now.getTime() - length);
  const exposed = since(settings.get('compliance.exposure_days') * DAY);
  const customers = keys.map((key) => `reversible:${key}`);
  const [[[day, month] = [0n, 0n]], outstanding] = await Promise.all([
    usedSince(db, [{ keys: customers, except: owner }], since(DAY), since(30 * DAY)),
    usedUnder(db, EVERYBODY, owner, exposed),
  ]);
  const limits = windowsOf(kindOf(level, history, now));
  const left = [limits.atOnce, rest(limits.day, day), rest(limits.month, month)].reduce((a, b) => (compare(a, b) <= 0 ? a : b));
  if (compare(usd, left) > 0) throw fieldProblem('amount', 'amount_above_reversible', { left: format(left) });
  if (compare(add(usd, money('USD', outstanding)), exposureLimit()) > 0) {
    throw new Problem('direction_closed', { params: { reason: 'exposure' } });
  }
}

type Kind = 'new' | 'known' | 'full';

/** Anyone who has shown everything has the widest windows; others' widen so many days after the first that they finished. */
function kindOf(level: Level, { since }: PayerHistory, now: Date): Kind {
  if (level === 3) return 'full';
  const days = settings.get('compliance.reversible_new_days');
  return since === undefined || now.getTime() - since.getTime() < days * DAY ? 'new' : 'known';
}

function windowsOf(kind: Kind): Windows {
  const { per_order, day, month } = settings.get('compliance.reversible_windows')[kind];
  return { atOnce: parse('USD', per_order), day: parse('USD', day), month: parse('USD', month) };
}

const exposureLimit = (): Money<'USD'> => parse('USD', settings.get('compliance.exposure_usd'));
const rest = (limit: Money<'USD'>, used: bigint): Money<'USD'> =>
  used >= limit.parts ? zero('USD') : subtract(limit, money('USD', used));
