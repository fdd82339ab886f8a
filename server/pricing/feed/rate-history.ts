import type { Output, Routes } from '@kurs/contract';
import { assetOf, formatRate } from '@kurs/money';
import { type Db, LastGood } from '../../platform/index.ts';
import { latest, now, readHistory } from '../../rates/index.ts';
import { directionOf, listedCurrency } from '../known/view.ts';

type RateHistory = Output<Routes['rateHistory']>;

const DAY_MS = 24 * 3_600_000;
const DAYS = 7;
/** Time for which a pair's rate history is cached, in ms. The history gets a new point each hour. */
const RETENTION_MS = 60_000;

const cached = new Map<string, LastGood<RateHistory>>();

/**
 * Returns the hourly market rate of a direction for the last seven days. Empty before there are rates, if both currencies have
 * the same asset, or if the history could never be read. Throws `direction_unknown`.
 */
export async function rateHistory(db: Db, from: string, to: string): Promise<RateHistory> {
  const direction = directionOf(from, to);
  const [give, get] = [listedCurrency(direction.from), listedCurrency(direction.to)];
  if (!give || !get) return { points: [] };
  const pair = [assetOf(give.unit), assetOf(get.unit)] as const;
  const key = pair.join(' ');
  const history = cached.get(key) ?? new LastGood<RateHistory>(`rates of ${key}`, RETENTION_MS);
  cached.set(key, history);
  return (await history.ask(() => read(db, pair)))?.value ?? { points: [] };
}

async function read(db: Db, pair: readonly [string, string]): Promise<RateHistory> {
  const snapshot = latest();
  if (!snapshot || pair.some((asset) => !snapshot.body.assets[asset])) return { points: [] };
  const { base, quote, points } = await readHistory(db, pair, snapshot, new Date(now().getTime() - DAYS * DAY_MS));
  return { base, quote, points: points.map(({ at, rate }) => ({ at: at.toISOString(), value: formatRate(rate) })) };
}
