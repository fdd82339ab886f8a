import { arrivedMinutes } from '../../exchange/index.ts';
import { type Db, LastGood } from '../../platform/index.ts';

const FRESH_MS = 60_000;
const known = new LastGood<ReadonlyMap<string, number>>('times until payments are final', FRESH_MS);

/**
 * Returns the median minutes until a payment was final, by currency; currencies with too few orders are left out. Read in the
 * background, so the first caller of a process gets none.
 */
export function minutesUntilFinal(db: Db): ReadonlyMap<string, number> {
  known.renew(() => arrivedMinutes(db));
  return known.last?.value ?? new Map();
}
