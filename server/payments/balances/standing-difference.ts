// A difference that stands: a rail that has less than the books, or that nobody could compare for too long. Its currency then
// promises nothing, until both agree again or people have booked the difference.

import { type Money, money } from '@kurs/money';
import type { Statements } from '../../platform/index.ts';
import { differenceBounds, settings } from '../rails/settings.ts';
import type { Values } from '../rails/values.ts';

const MINUTE = 60_000;

/** The shortfall from which it counts, and the milliseconds after which a comparison is too old. */
export interface DifferenceBounds {
  /** Cents of USD, and hundredths of a percent of the books: more than both. */
  readonly usd: bigint;
  readonly permyriad: bigint;
  readonly staleMs: number;
}

/** The last comparison of a place with the books of a known moment. */
export interface Judged {
  readonly unit: string;
  readonly books: bigint;
  /** What the rail had more than the books, unexplained; below zero: less. */
  readonly parts: bigint;
  /** When it was made; where the rail says of when its balance is, that moment. */
  readonly at: Date;
}

/** Whether a rail has so much less than the books that it counts. What has no price counts by its share of the books. Pure. */
export function isShort({ unit, books, parts }: Omit<Judged, 'at'>, bounds: DifferenceBounds, usd: Values['usd']): boolean {
  if (parts >= 0n) return false;
  const worth = usd(money(unit, -parts) as Money);
  return (worth === null || worth > bounds.usd) && -parts * 10_000n > books * bounds.permyriad;
}

/**
 * Since when a place is off: short, or not compared for too long; undefined while it isn't. `was`: what it was before. Pure.
 */
export function offSince(
  judged: Judged,
  was: Date | undefined,
  now: Date,
  bounds: DifferenceBounds,
  usd: Values['usd'],
): Date | undefined {
  if (isShort(judged, bounds, usd)) return was ?? now;
  return now.getTime() - judged.at.getTime() > bounds.staleMs ? judged.at : undefined;
}

/** So far behind a rail's word of its balance may be, in milliseconds. */
export const lagMs = (rail: string): number => (settings.get('payments.balance_lag_minutes')[rail] ?? 0) * MINUTE;

/** Minutes that a difference stands before its currency promises nothing. */
export const minutesOfDifference = (): number => settings.get('payments.difference_minutes');

/** Currencies that promise nothing now, since their rail has less than the books or nobody can tell. */
export async function offCurrencies(db: Statements): Promise<ReadonlySet<string>> {
  const rows = await db.rows<{ currency: string }>(
    `select distinct currency from reconciliation where place in ('hot', 'deposit')
       and off_since <= clock_now() - $1 * interval '1 minute'`,
    [minutesOfDifference()],
    { name: 'payments.off_currencies' },
  );
  return new Set(rows.map(({ currency }) => currency));
}

/** Whether booking such a difference takes two people: as much as stops promises. `parts` may be either way. */
export function takesTwoToBook(unit: string, parts: bigint, { usd }: Pick<Values, 'usd'>): boolean {
  const worth = usd(money(unit, parts < 0n ? -parts : parts) as Money);
  return worth === null || worth > differenceBounds('').usd;
}
