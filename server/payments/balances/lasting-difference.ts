// Lasting differences: for too long, a rail's balance has been below the books or could not be compared with them. The rail's
// currency then promises nothing, until balance and books agree again or people have booked the difference.

import { type Money, money } from '@kurs/money';
import type { Statements } from '../../platform/index.ts';
import { differenceBounds, settings } from '../rails/settings.ts';
import type { Values } from '../rails/values.ts';

const MINUTE = 60_000;

/** Limits for the comparison of a balance with the books. */
export interface DifferenceBounds {
  /** Smallest shortfall that stops promises, in USD cents. The shortfall must also exceed `permyriad`. */
  readonly usd: bigint;
  /** Smallest shortfall that stops promises, in hundredths of a percent of the books. */
  readonly permyriad: bigint;
  /** Age in ms at which a comparison is too old. */
  readonly staleMs: number;
}

/** Last comparison of a place's balance with the books of a known moment. */
export interface Checked {
  readonly unit: string;
  readonly books: bigint;
  /** Unexplained excess of the rail over the books; negative: shortfall. */
  readonly parts: bigint;
  /** Time that the rail reported with the balance; without one, the time of the comparison. */
  readonly at: Date;
}

/**
 * True if a shortfall is large enough to stop promises. For a unit without a price, only its share of the books decides. Pure.
 */
export function isShort({ unit, books, parts }: Omit<Checked, 'at'>, bounds: DifferenceBounds, usd: Values['usd']): boolean {
  if (parts >= 0n) return false;
  const worth = usd(money(unit, -parts) as Money);
  return (worth === null || worth > bounds.usd) && -parts * 10_000n > books * bounds.permyriad;
}

/**
 * Returns the time since which a place is off: its shortfall is too large, or its last comparison is too old. Returns undefined
 * if the place is not off. `was`: the previous result. Pure.
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

/** Returns the configured lag of a rail's balance behind its payments, in ms. */
export const lagMs = (rail: string): number => (settings.get('payments.balance_lag_minutes')[rail] ?? 0) * MINUTE;

/** Returns the number of minutes after which a lasting difference stops promises in its currency. */
export const minutesOfDifference = (): number => settings.get('payments.difference_minutes');

/**
 * Returns currencies that promise nothing now. For too long, their rail's balance has been below the books or could not be
 * compared with them.
 */
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
 * True if booking a difference of `parts` takes two people: its value is unknown, or exceeds the default USD limit that stops
 * promises. `parts` may be negative.
 */
export function takesTwoToBook(unit: string, parts: bigint, { usd }: Pick<Values, 'usd'>): boolean {
  const worth = usd(money(unit, parts < 0n ? -parts : parts) as Money);
  return worth === null || worth > differenceBounds('').usd;
}
