import { fieldProblem } from '@kurs/contract';
import { type Money, compare, format, fraction, larger, money, scaleBy, subtract, zero } from '@kurs/money';
import type { Owner, Statements, Tx } from '../../platform/index.ts';
import { type LevelLimits, levelOf, limitsOf } from '../customers/level.ts';
import { type PayerHistory, isReversible, requireReversible, reversibleKeys } from './reversible.ts';
import type { Level } from '../customers/customer-store.ts';
import { lockKeys } from './keys.ts';
import { addUses, usedSince, writeUses } from './limit-store.ts';
import { type Subject, claimedKey, customerKeys } from '../customers/subject.ts';

const DAY = 24 * 3_600_000;
const MONTH = 30 * DAY;

export type LimitOptions = {
  /** Percent by which a sum that is counted already may pass a limit as it is priced anew. */
  readonly slackPercent?: number;
  /** Payment sources that are known, each as `<currency>:<address>`. */
  readonly sources?: readonly string[];
  /** Of a payment that can be taken back: what its customer has paid so before. */
  readonly payer?: PayerHistory | undefined;
};

/**
 * What decides how much a customer may exchange now: their level, and cents that count against them in 24 hours and in 30
 * days.
 */
export interface Counted {
  readonly level: Level;
  readonly used: readonly [day: bigint, month: bigint];
  /** Where their level is that of an address which they have only typed: what counts against all who have typed it. */
  readonly claimed?: readonly [day: bigint, month: bigint];
}

/** Reads it, and counts nothing: for the review, before anything is placed. */
export async function readCounted(db: Statements, subject: Subject, now: Date): Promise<Counted> {
  return countedOf(db, subject, customerKeys(subject), undefined, now);
}

/** Throws as `reserveLimits` would of a sum. */
export function requireWithinLimits(usd: Money<'USD'>, counted: Counted): void {
  requireWithin(usd, counted, 0);
}

/** Throws as `reserveLimits` would of a sum that can be taken back. */
export async function requireWithinReversible(
  db: Statements,
  sum: { readonly usd: Money<'USD'>; readonly level: Level; readonly history: PayerHistory; readonly subject: Subject },
  now: Date,
): Promise<void> {
  await requireReversible(db, { ...sum, keys: withClaimed(sum.subject, customerKeys(sum.subject)) }, now);
}

/**
 * Counts an owner's sum towards the limits of its customer's level: at once, in 24 hours and in 30 days, over all that is
 * open or done and shares what they have shown with it: the account that they are signed in to, its mailbox, a device, a
 * source that somebody has paid from. What was only typed counts against nobody else. The same owner again replaces its own
 * sum. Throws `validation` on `amount` with `amount_above_limit` and what is left, in whole cents; nothing is counted then.
 * Of a payment that can be taken back as `requireReversible`, too. Locks the customer's keys: call it before rows of later
 * locks.
 */
export async function reserveLimits(
  tx: Tx,
  subject: Subject,
  usd: Money<'USD'>,
  owner: Owner,
  { slackPercent = 0, sources = [], payer }: LimitOptions = {},
): Promise<void> {
  const own = customerKeys(subject);
  // Where somebody would have their money back to is only typed, so it is asked about and not kept: it becomes a source once it
  // pays.
  const asked = subject.holder ? own : [...new Set([...own, ...sources.map((source) => `source:${source}`)])].sort();
  const named = withClaimed(subject, own);
  const kept = payer ? [...named, ...reversibleKeys(named)].sort() : named;
  // In this order: what is used is read once the keys are locked.
  const [, counted] = await Promise.all([
    lockKeys(tx, [...new Set([...asked, ...kept])].sort()),
    countedOf(tx, subject, asked, owner, tx.now),
  ]);
  requireWithin(usd, counted, slackPercent);
  if (payer) {
    const keys = withClaimed(subject, asked);
    await requireReversible(tx, { usd, level: counted.level, history: payer, keys, owner }, tx.now);
  }
  await writeUses(tx, owner, kept, usd.parts);
}

/** With the key of an e-mail that was only typed. */
function withClaimed(subject: Subject, keys: readonly string[]): string[] {
  const claimed = claimedKey(subject);
  return claimed === undefined ? [...keys] : [...keys, claimed].sort();
}

async function countedOf(
  db: Statements,
  subject: Subject,
  keys: readonly string[],
  owner: Owner | undefined,
  now: Date,
): Promise<Counted> {
  const [level, used] = await Promise.all([levelOf(db, subject.email), usedBy(db, keys, owner, now)]);
  if (level === 0 || claimedKey(subject) === undefined) return { level, used };
  return { level, used, claimed: await usedBy(db, withClaimed(subject, keys), owner, now) };
}

function widened(limits: LevelLimits, percent: number): LevelLimits {
  const factor = fraction(100n + BigInt(percent), 100n);
  const wider = (limit: Money<'USD'>): Money<'USD'> => scaleBy(limit, factor, 'down');
  return { atOnce: wider(limits.atOnce), day: wider(limits.day), month: limits.month && wider(limits.month) };
}

/** Cents that others count in the last 24 hours and in the last 30 days. */
function usedBy(db: Statements, keys: readonly string[], owner: Owner | undefined, now: Date): Promise<[bigint, bigint]> {
  const since = (length: number): Date => new Date(now.getTime() - length);
  return usedSince(db, keys, owner, since(DAY), since(MONTH));
}

/** Anyone who has only typed an address has what is left of its level to all who typed it, and at least what anybody has. */
function requireWithin(usd: Money<'USD'>, { level, used, claimed }: Counted, slackPercent: number): void {
  const leftAt = (at: Level, counted: Counted['used']): Money<'USD'> => leftOf(widened(limitsOf(at), slackPercent), counted);
  const left = claimed ? larger(leftAt(level, claimed), leftAt(0, used)) : leftAt(level, used);
  if (compare(usd, left) > 0) throw fieldProblem('amount', 'amount_above_limit', { left: format(left) });
}

function leftOf(limits: LevelLimits, [day, month]: Counted['used']): Money<'USD'> {
  const left = [limits.atOnce, rest(limits.day, day), ...(limits.month ? [rest(limits.month, month)] : [])];
  return left.reduce((a, b) => (compare(a, b) <= 0 ? a : b));
}

const rest = (limit: Money<'USD'>, used: bigint): Money<'USD'> =>
  used >= limit.parts ? zero('USD') : subtract(limit, money('USD', used));

/** Payments became known: their sources (`<currency>:<address>`) count towards the limits of their owners from now on. */
export async function addSources(tx: Tx, found: readonly { readonly owner: Owner; readonly source: string }[]): Promise<void> {
  if (found.length === 0) return;
  const uses = found.flatMap(({ owner, source }) => {
    const keys = [`source:${source}`];
    if (isReversible(source.split(':')[0] ?? '')) keys.push(`reversible:source:${source}`);
    return keys.map((key) => ({ owner, key }));
  });
  await addUses(tx, uses);
}
