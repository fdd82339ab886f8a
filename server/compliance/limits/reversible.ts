import { Problem, fieldProblem } from '@kurs/contract';
import { type Money, add, compare, format, money, parse, subtract, zero } from '@kurs/money';
import type { Owner, Statements } from '../../platform/index.ts';
import { settings } from '../settings.ts';
import type { Level } from '../customers/customer-store.ts';
import { usedSince, usedUnder } from './limit-store.ts';

const DAY = 24 * 3_600_000;

/** Limits in USD at once, in 24 hours and in 30 days. */
export interface Windows {
  readonly maxAtOnce: Money<'USD'>;
  readonly day: Money<'USD'>;
  readonly month: Money<'USD'>;
}

/**
 * A customer's earlier payments in reversible currencies. `since`: time of the first finished payment; `finished`: their number.
 * Numbers above `clearingCount` make no difference.
 */
export interface PayerHistory {
  readonly since: Date | undefined;
  readonly finished: number;
}

/** Returns true if payments in this currency can be taken back for months. */
export function isReversible(currency: string): boolean {
  return settings.get('compliance.reversible_currencies').includes(currency);
}

/** Returns true if the desk takes reversible payments: people have approved a limit of their total. */
export function takesReversible(): boolean {
  return exposureLimit().parts > 0n;
}

/** Returns the maximum of one reversible payment by a customer of a level, after the first days with lower limits. */
export function maxReversible(level: Level): Money<'USD'> {
  return windowsOf(level === 3 ? 'full' : 'known').maxAtOnce;
}

/** Returns the number of a customer’s first reversible payments that have the longer clearing period. */
export const clearingCount = (): number => settings.get('compliance.reversible_clearing_orders');

/** Returns the clearing period of a reversible payment in ms. `finished`: number of the customer's finished reversible payments. */
export function clearingMs(finished: number): number {
  const isNew = finished < clearingCount();
  const hours = settings.get(isNew ? 'compliance.reversible_clearing_new_hours' : 'compliance.reversible_clearing_hours');
  return hours * 3_600_000;
}

/** Returns the minimum verification level of customers who pay in this currency. */
export function payerLevel(currency: string): number {
  return isReversible(currency) ? settings.get('compliance.reversible_level') : 0;
}

/** Throws `level_needed` if a customer's level is too low to pay in this currency. The problem is not about a single field. */
export function requirePayerLevel(currency: string, level: Level): void {
  requireLevel(level, payerLevel(currency));
}

function requireLevel(level: Level, min: number): void {
  if (level < min) throw new Problem('level_needed', { params: { level: String(min) } });
}

/**
 * Returns the additional keys under which a reversible sum is added up: one for each of the customer's keys, and the common key
 * of all customers.
 */
export const reversibleKeys = (keys: readonly string[]): string[] => [...keys.map((key) => `reversible:${key}`), EVERYBODY];
/** Key under which the reversible sums of all customers and businesses are added up. */
export const EVERYBODY = 'reversible:all';

export interface ReversibleSum {
  readonly usd: Money<'USD'>;
  readonly level: Level;
  readonly history: PayerHistory;
  /** Keys under which the customer's sums are added up. */
  readonly keys: readonly string[];
  /** Owner of the sum, whose earlier sum is left out. */
  readonly owner?: Owner | undefined;
}

/**
 * Throws if a reversible payment can't be taken: `level_needed` if the customer's level is too low, `validation` on `amount` with
 * `amount_above_reversible` if it exceeds the customer's limits, `direction_closed` (`exposure`) if all reversible payments
 * together would exceed the approved total.
 */
export async function requireReversible(
  db: Statements,
  { usd, level, history, keys, owner }: ReversibleSum,
  now: Date,
): Promise<void> {
  requireLevel(level, settings.get('compliance.reversible_level'));
  const since = (length: number): Date => new Date(now.getTime() - length);
  const exposed = since(settings.get('compliance.exposure_days') * DAY);
  const customers = keys.map((key) => `reversible:${key}`);
  const [[[day, month] = [0n, 0n]], outstanding] = await Promise.all([
    usedSince(db, [{ keys: customers, except: owner }], since(DAY), since(30 * DAY)),
    usedUnder(db, EVERYBODY, owner, exposed),
  ]);
  const limits = windowsOf(kindOf(level, history, now));
  const left = [limits.maxAtOnce, rest(limits.day, day), rest(limits.month, month)].reduce((a, b) =>
    compare(a, b) <= 0 ? a : b,
  );
  if (compare(usd, left) > 0) throw fieldProblem('amount', 'amount_above_reversible', { left: format(left) });
  if (compare(add(usd, money('USD', outstanding)), exposureLimit()) > 0) {
    throw new Problem('direction_closed', { params: { reason: 'exposure' } });
  }
}

type Kind = 'new' | 'known' | 'full';

/**
 * Returns the kind of a customer's limits. The limits of level 3 are the widest. Below level 3, limits widen some days after
 * the customer's first finished payment.
 */
function kindOf(level: Level, { since }: PayerHistory, now: Date): Kind {
  if (level === 3) return 'full';
  const days = settings.get('compliance.reversible_new_days');
  return since === undefined || now.getTime() - since.getTime() < days * DAY ? 'new' : 'known';
}

function windowsOf(kind: Kind): Windows {
  const { per_order, day, month } = settings.get('compliance.reversible_windows')[kind];
  return { maxAtOnce: parse('USD', per_order), day: parse('USD', day), month: parse('USD', month) };
}

/** Returns the approved maximum of all reversible payments together. */
export const exposureLimit = (): Money<'USD'> => parse('USD', settings.get('compliance.exposure_usd'));
const rest = (limit: Money<'USD'>, used: bigint): Money<'USD'> =>
  used >= limit.parts ? zero('USD') : subtract(limit, money('USD', used));
