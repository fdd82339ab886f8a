import { fieldProblem, Problem } from '@kurs/contract';
import { type Money, compare, format, fraction, money, scaleBy, subtract, zero } from '@kurs/money';
import type { Statements, Tx } from '../platform/index.ts';
import { type LevelLimits, levelOf, limitsOf } from './level.ts';
import { type PayerHistory, isReversible, requireReversible, reversibleKeys } from './reversible.ts';
import { bindPayers } from './payers.ts';
import { type Level, addUses, dropUses, finishCustomers, lockKeys, usedSince, writeUses } from './store.ts';
import { type Subject, customerKeys } from './subject.ts';
import { endUnpaid } from './unpaid.ts';

const DAY = 24 * 3_600_000;
const MONTH = 30 * DAY;

export type LimitOptions = {
  /** Percent by which re-pricing an order that is placed already may pass a limit (money.md B11). */
  readonly slackPercent?: number;
  /** Payment sources that are known, each as `<currency>:<address>`. */
  readonly sources?: readonly string[];
  /** Of an order whose payment can be taken back: what its customer has paid so before (A4). */
  readonly payer?: PayerHistory | undefined;
};

/** What decides how much a customer may exchange now: his level, and cents that his orders count in 24 hours and in 30 days. */
export interface Counted {
  readonly level: Level;
  readonly used: readonly [day: bigint, month: bigint];
}

/** Reads it, and counts nothing: for the review, before anything is placed. */
export async function readCounted(db: Statements, subject: Subject, now: Date): Promise<Counted> {
  const [level, used] = await Promise.all([levelOf(db, subject.email), usedBy(db, customerKeys(subject), undefined, now)]);
  return { level, used };
}

/** Throws as `reserveLimits` would of a sum. */
export function requireWithinLimits(usd: Money<'USD'>, { level, used }: Counted): void {
  requireWithin(usd, limitsOf(level), used);
}

/** Throws as `reserveLimits` would of a sum that can be taken back (A4). */
export async function requireWithinReversible(
  db: Statements,
  order: { readonly usd: Money<'USD'>; readonly level: Level; readonly history: PayerHistory; readonly subject: Subject },
  now: Date,
): Promise<void> {
  await requireReversible(db, { ...order, keys: customerKeys(order.subject) }, now);
}

/**
 * Counts an order's sum towards the limits of its customer's level (C1): per order, in 24 hours and in 30 days, over
 * every open or done order that shares any e-mail, account, source or device with it. The same order again replaces
 * its own sum. Throws `validation` on `amount` with `amount_above_limit` and what is left, in whole cents; nothing is
 * counted then. Of a payment that can be taken back as `requireReversible`, too. Locks the customer's keys: call it before rows of later locks.
 */
export async function reserveLimits(
  tx: Tx,
  subject: Subject,
  usd: Money<'USD'>,
  orderId: string,
  { slackPercent = 0, sources = [], payer }: LimitOptions = {},
): Promise<void> {
  const keys = [...new Set([...customerKeys(subject), ...sources.map((source) => `source:${source}`)])].sort();
  const counted = payer ? [...keys, ...reversibleKeys(keys)].sort() : keys;
  // In this order: what is used is read once the keys are locked.
  const [, level, used] = await Promise.all([
    lockKeys(tx, counted),
    levelOf(tx, subject.email),
    usedBy(tx, keys, orderId, tx.now),
  ]);
  requireWithin(usd, widened(limitsOf(level), slackPercent), used);
  if (payer) await requireReversible(tx, { usd, level, history: payer, keys, orderId }, tx.now);
  await writeUses(tx, orderId, counted, usd.parts);
}

function widened(limits: LevelLimits, percent: number): LevelLimits {
  const factor = fraction(100n + BigInt(percent), 100n);
  const wider = (limit: Money<'USD'>): Money<'USD'> => scaleBy(limit, factor, 'down');
  return { perOrder: wider(limits.perOrder), day: wider(limits.day), month: limits.month && wider(limits.month) };
}

/** Cents that other orders count in the last 24 hours and in the last 30 days. */
function usedBy(db: Statements, keys: readonly string[], orderId: string | undefined, now: Date): Promise<[bigint, bigint]> {
  const since = (length: number): Date => new Date(now.getTime() - length);
  return usedSince(db, keys, orderId, since(DAY), since(MONTH));
}

function requireWithin(usd: Money<'USD'>, limits: LevelLimits, [day, month]: readonly [bigint, bigint]): void {
  const left = [limits.perOrder, rest(limits.day, day), ...(limits.month ? [rest(limits.month, month)] : [])];
  const least = left.reduce((a, b) => (compare(a, b) <= 0 ? a : b));
  if (compare(usd, least) > 0) throw fieldProblem('amount', 'amount_above_limit', { left: format(least) });
}

const rest = (limit: Money<'USD'>, used: bigint): Money<'USD'> =>
  used >= limit.parts ? zero('USD') : subtract(limit, money('USD', used));

/**
 * What became of an order, for limits and for unpaid orders alike:
 * - `paid`: a payment is final; it is unpaid no more, and its hold is the order's own affair
 * - `expired`, `cancelled`: it ended unpaid; it stops counting towards limits, its hold is free
 * - `ended`: it came to nothing after all (refunded, reversed, rejected); it stops counting
 * - `completed`: paid out; it counts on, and its customer is no mere visitor any more
 */
export interface Settlement {
  readonly orderId: string;
  readonly outcome: 'paid' | 'expired' | 'cancelled' | 'ended' | 'completed';
}

/** Applies what became of orders, one or a whole group. Safe to repeat. */
export async function settleLimits(tx: Tx, settlements: readonly Settlement[]): Promise<void> {
  const withOutcome = (...outcomes: Settlement['outcome'][]): string[] =>
    settlements.filter(({ outcome }) => outcomes.includes(outcome)).map(({ orderId }) => orderId);
  const unique = new Set(settlements.map(({ orderId }) => orderId));
  if (unique.size !== settlements.length)
    throw new Problem('internal', { cause: new Error('an order is settled twice in one group') });
  const gone = withOutcome('expired', 'cancelled', 'ended');
  if (gone.length > 0) await dropUses(tx, gone);
  const done = withOutcome('completed');
  if (done.length > 0) {
    await finishCustomers(tx, done);
    await bindPayers(tx, done);
  }
  await endUnpaid(tx, {
    paid: withOutcome('paid', 'ended', 'completed'),
    expired: withOutcome('expired'),
    cancelled: withOutcome('cancelled'),
  });
}

/** Payments became known: their sources (`<currency>:<address>`) count towards the limits of their orders from now on. */
export async function addSources(tx: Tx, found: readonly { readonly orderId: string; readonly source: string }[]): Promise<void> {
  if (found.length === 0) return;
  const keyed = found.flatMap(({ orderId, source }) => {
    const keys = [`source:${source}`];
    if (isReversible(source.split(':')[0] ?? '')) keys.push(`reversible:source:${source}`);
    return keys.map((key) => ({ orderId, key }));
  });
  await addUses(
    tx,
    keyed.map(({ orderId }) => orderId),
    keyed.map(({ key }) => key),
  );
}
