// Lasting differences: a rail has less than the books, or could not be compared for too long. Its currency then promises nothing,
// until both agree again or people have booked the difference.

import { type Money, money } from '@kurs/money';
import type { Statements } from '../../platform/index.ts';
import { differenceBounds, settings } from '../rails/settings.ts';
import type { Values } from '../rails/values.ts';

const MINUTE = 60_000;

/** Shortfall from which a difference counts, and time (ms) after which a comparison is too old. */
export interface DifferenceBounds {
  /** USD cents, and hundredths of a percent of the books; a shortfall must exceed both. */
  readonly usd: bigint;
  readonly permyriad: bigint;
  readonly staleMs: number;
}

/** Last comparison of a place with the books of a known moment. */
export interface Checked {
  readonly unit: string;
  readonly books: bigint;
  /** Unexplained excess of the rail over the books; negative: shortfall. */
  readonly parts: bigint;
  /** Time of the comparison; if the rail reports the time of its balance, that time. */
  readonly at: Date;
}

/** True if a rail's shortfall counts. A unit without a price counts by its share of the books. Pure. */
export function isShort({ unit, books, parts }: Omit<Checked, 'at'>, bounds: DifferenceBounds, usd: Values['usd']): boolean {
  if (parts >= 0n) return false;
  const worth = usd(money(unit, -parts) as Money);
  return (worth === null || worth > bounds.usd) && -parts * 10_000n > books * bounds.permyriad;
}

/**
 * Returns the time since which a place is off: short, or not compared for too long; undefined while it isn't. `was`: the previous
 * result. Pure.
 */
export function offSince(
  checked: Checked,
  was: Date | undefined,
  now: Date,
  bounds: DifferenceBounds,
  usd: Values['usd'],
): Date | undefined {
  if (isShort(checked, bounds, usd)) return was ?? now;
  return now.getTime() - checked.at.getTime() > bounds.staleMs ? checked.at : undefined;
}

/** Returns the lag that a rail's balance may have, in ms. */
export const lagMs = (rail: string): number => (settings.get('payments.balance_lag_minutes')[rail] ?? 0) * MINUTE;

/** Returns the minutes that a difference lasts before its currency promises nothing. */
export const minutesOfDifference = (): number => settings.get('payments.difference_minutes');

/** Returns currencies that promise nothing now: their rail has less than the books, or wasn't compared for too long. */
export async function offCurrencies(db: Statements): Promise<ReadonlySet<string>> {
  const rows = await db.rows<{ currency: string }>(
    `select distinct currency from reconciliation where place in ('hot', 'deposit')
       and off_since <= clock_now() - $1 * interval '1 minute'`,
    [minutesOfDifference()],
    { name: 'payments.off_currencies' },
  );
  return new Set(rows.map(({ currency }) => currency));
}

/**
 * True if booking such a difference takes two people: it is as large as one that stops promises, or of unknown value. `parts` may
 * be negative.
 */
export function takesTwoToBook(unit: string, parts: bigint, { usd }: Pick<Values, 'usd'>): boolean {
  const worth = usd(money(unit, parts < 0n ? -parts : parts) as Money);
  return worth === null || worth > differenceBounds('').usd;
}
