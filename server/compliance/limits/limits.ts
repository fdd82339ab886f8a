import { Problem, fieldProblem } from '@kurs/contract';
import { type Money, compare, format, fraction, money, scaleBy, subtract, zero } from '@kurs/money';
import { type Owner, type Statements, type Tx, orProblem } from '../../platform/index.ts';
import { type LevelLimits, levelsOf, limitsOf } from '../customers/level.ts';
import { type PayerHistory, isReversible, requireReversible, reversibleKeys } from './reversible.ts';
import type { Level } from '../customers/customer-store.ts';
import { lockKeys } from './keys.ts';
import { addUses, usedSince, writeUses } from './limit-store.ts';
import { type Subject, claimedKey, customerKeys } from '../customers/subject.ts';

const DAY = 24 * 3_600_000;
const MONTH = 30 * DAY;

export type LimitOptions = {
  /** Percent by which an owner's sum may exceed a limit when the owner is priced again. */
  readonly slackPercent?: number;
  /** Known sources of the owner's payments, each as `<currency>:<address>`. */
  readonly sources?: readonly string[];
  /** For a reversible payment: the customer's earlier reversible payments. */
  readonly payer?: PayerHistory | undefined;
};

/**
 * Data that decides the sum that a customer may exchange now. `level`: the customer's level; `used`: cents exchanged in 24 hours
 * and in 30 days.
 */
export interface Counted {
  readonly level: Level;
  readonly used: readonly [day: bigint, month: bigint];
}

/** Reads the sums that a customer has used of their limits, for the review before an order is placed. Stores nothing. */
export async function readCounted(db: Statements, subject: Subject, now: Date): Promise<Counted> {
  const [counted] = await countedOf(db, [{ subject, keys: customerKeys(subject) }], now);
  return counted as Counted;
}

/** Throws the problem with which `reserveLimits` would refuse the sum. */
export function requireWithinLimits(usd: Money<'USD'>, counted: Counted): void {
  requireWithin(usd, counted, 0);
}

/** Throws the problem with which `reserveLimits` would refuse a reversible sum. */
export async function requireWithinReversible(
  db: Statements,
  sum: { readonly usd: Money<'USD'>; readonly level: Level; readonly history: PayerHistory; readonly subject: Subject },
  now: Date,
): Promise<void> {
  await requireReversible(db, { ...sum, keys: withClaimed(sum.subject, customerKeys(sum.subject)) }, now);
}

/** A sum of an owner that will use the limits of its customer. */
export interface Reserving extends LimitOptions {
  readonly subject: Subject;
  readonly usd: Money<'USD'>;
  readonly owner: Owner;
}

/** Result of checking sums against limits. */
export interface Reserved {
  /** For each sum, the problem that stops it; undefined if the sum is within the limits. */
  readonly problems: readonly (Problem | undefined)[];
  /** Stores the sums that have no problem and for which `isCounted` returns true. `place`: the sum's index. */
  count(isCounted: (place: number) => boolean): void;
}

/**
 * Checks an owner's sum against the limits of its customer's level (at once, in 24 hours and in 30 days), and stores the sum.
 * Limits add up all open or done sums with a common proven key: account, verified mailbox, device, or payment source. Data that
 * somebody only typed never limits others. For the same owner, a new sum replaces the old one.
 *
 * Throws `validation` on `amount` with `amount_above_limit` and the remaining sum in whole cents; then nothing is stored. For
 * reversible payments, also throws the errors of `requireReversible`. Locks the customer's keys, so call it before locking
 * later rows.
 */
export async function reserveLimits(
  tx: Tx,
  subject: Subject,
  usd: Money<'USD'>,
  owner: Owner,
  options: LimitOptions = {},
): Promise<void> {
  const { problems, count } = await tryLimits(tx, [{ subject, usd, owner, ...options }]);
  if (problems[0]) throw problems[0];
  count(() => true);
}

/**
 * Checks several sums as `reserveLimits` does. Each allowed sum is added for later sums that share a key. Stores nothing until
 * `count` is called.
 */
export async function tryLimits(tx: Tx, all: readonly Reserving[]): Promise<Reserved> {
  const requests = all.map((one) => ({ ...one, ...keysOf(one) }));
  // The sequence matters: sums must be read after the keys are locked.
  const [, counted] = await Promise.all([
    lockKeys(tx, [...new Set(requests.flatMap(({ keys, countedKeys }) => [...keys, ...countedKeys]))].sort()),
    countedOf(tx, requests, tx.now),
  ]);
  const problems: (Problem | undefined)[] = [];
  const passed: (typeof requests)[number][] = [];
  for (const [at, one] of requests.entries()) {
    const problem = await problemOf(tx, one, besides(counted[at] as Counted, one, passed));
    problems.push(problem);
    if (!problem) passed.push(one);
  }
  return {
    problems,
    count(isCounted) {
      const uses = requests
        .filter((_, at) => !problems[at] && isCounted(at))
        .map(({ owner, countedKeys, usd }) => ({ owner, keys: countedKeys, usd: usd.parts }));
      if (uses.length > 0) writeUses(tx, uses);
    },
  };
}

type Keyed = Reserving & { readonly keys: readonly string[]; readonly countedKeys: readonly string[] };

/** Returns the keys under which a sum is checked, and the keys under which it is stored. */
function keysOf({ subject, sources = [], payer }: Reserving): Pick<Keyed, 'keys' | 'countedKeys'> {
  const own = customerKeys(subject);
  // An account for refunds is only typed, so the sum is checked but not stored under it. The account becomes a source once a
  // payment comes from the account.
  const keys = subject.holder ? own : [...new Set([...own, ...sources.map((source) => `source:${source}`)])].sort();
  const named = withClaimed(subject, own);
  return { keys, countedKeys: payer ? [...named, ...reversibleKeys(named)].sort() : named };
}

/** Adds the earlier sums of the same call that passed the check and share a key with this sum. */
function besides(counted: Counted, one: Keyed, passed: readonly Keyed[]): Counted {
  const sharing = (keys: readonly string[]): bigint =>
    passed
      .filter(({ countedKeys }) => countedKeys.some((key) => keys.includes(key)))
      .reduce((sum, { usd }) => sum + usd.parts, 0n);
  const sum = sharing(one.keys);
  const [day, month] = counted.used;
  return { level: counted.level, used: [day + sum, month + sum] };
}

async function problemOf(tx: Tx, one: Keyed, counted: Counted): Promise<Problem | undefined> {
  const outcome = await orProblem(requireCounted(tx, one, counted));
  return outcome instanceof Problem ? outcome : undefined;
}

async function requireCounted(
  tx: Tx,
  { subject, usd, owner, keys, slackPercent = 0, payer }: Keyed,
  counted: Counted,
): Promise<void> {
  requireWithin(usd, counted, slackPercent);
  const all = withClaimed(subject, keys);
  if (payer) await requireReversible(tx, { usd, level: counted.level, history: payer, keys: all, owner }, tx.now);
}

/** Returns the identity keys. Adds the key of the typed e-mail if the customer has no verified mailbox. */
function withClaimed(subject: Subject, keys: readonly string[]): string[] {
  const claimed = claimedKey(subject);
  return claimed === undefined ? [...keys] : [...keys, claimed].sort();
}

async function countedOf(
  db: Statements,
  requests: readonly { readonly subject: Subject; readonly keys: readonly string[]; readonly owner?: Owner }[],
  now: Date,
): Promise<Counted[]> {
  const since = (length: number): Date => new Date(now.getTime() - length);
  const [levels, used] = await Promise.all([
    levelsOf(
      db,
      requests.map(({ subject }) => subject.holder?.id),
    ),
    usedSince(
      db,
      requests.map(({ keys, owner: except }) => ({ keys, except })),
      since(DAY),
      since(MONTH),
    ),
  ]);
  return requests.map((_, at) => ({ level: levels[at] ?? 0, used: used[at] ?? [0n, 0n] }));
}

function widened(limits: LevelLimits, percent: number): LevelLimits {
  const factor = fraction(100n + BigInt(percent), 100n);
  const wider = (limit: Money<'USD'>): Money<'USD'> => scaleBy(limit, factor, 'down');
  return { maxAtOnce: wider(limits.maxAtOnce), day: wider(limits.day), month: limits.month && wider(limits.month) };
}

function requireWithin(usd: Money<'USD'>, { level, used }: Counted, slackPercent: number): void {
  const left = leftOf(widened(limitsOf(level), slackPercent), used);
  if (compare(usd, left) > 0) throw fieldProblem('amount', 'amount_above_limit', { left: format(left) });
}

function leftOf(limits: LevelLimits, [day, month]: Counted['used']): Money<'USD'> {
  const left = [limits.maxAtOnce, rest(limits.day, day), ...(limits.month ? [rest(limits.month, month)] : [])];
  return left.reduce((a, b) => (compare(a, b) <= 0 ? a : b));
}

const rest = (limit: Money<'USD'>, used: bigint): Money<'USD'> =>
  used >= limit.parts ? zero('USD') : subtract(limit, money('USD', used));

/**
 * Adds the sources of payments (`<currency>:<address>`), once they are known, to the keys under which limits add up the payments'
 * owners.
 */
export async function addSources(tx: Tx, found: readonly { readonly owner: Owner; readonly source: string }[]): Promise<void> {
  if (found.length === 0) return;
  const uses = found.flatMap(({ owner, source }) => {
    const keys = [`source:${source}`];
    if (isReversible(source.split(':')[0] ?? '')) keys.push(`reversible:source:${source}`);
    return keys.map((key) => ({ owner, key }));
  });
  await addUses(tx, uses);
}
