import { type Fraction, decimal, formatRate, fraction, percent, rate } from '@kurs/money';
import { type Db, every, log, monotonicMs, newId, onWake, type Tx } from '../platform/index.ts';
import { ask, type Heard, type Unlisted } from './ask.ts';
import { NOTHING, largerShare, middle } from './compare.ts';
import { deviation, percentOfMillionths } from './deviation.ts';
import { areApart, closedBy, combine, hasMoved } from './guard.ts';
import { settings } from './settings.ts';
import { type AssetPrice, type ClosedReason, OLD_AFTER_MS, type Snapshot } from './snapshot.ts';
import type { SourceUrls } from './source-urls.ts';
import {
  type Asset,
  clockMoved,
  forgetOld,
  lockLease,
  noteTrouble,
  readAssets,
  readMinutes,
  readTroubles,
  recordMinute,
  recordSnapshot,
  returnLease,
  snapshotsSince,
  readLatest,
  takeLease,
} from './store.ts';

const TICK_MS = 1_000;
/** Interval of renewing the lease, which lasts three times as long. */
const RENEW_MS = 5_000;
/** Interval of queries after a source failed: shorter, so that a short outage closes nothing. */
const RETRY_MS = 2_500;
/** Time for which a source's price is used: it bridges a missed answer, and leaves the price young enough for the guard. */
const STANDS_MS = 15_000;
const DAY_MS = 24 * 3_600_000;

export type RatesWorkerOptions = {
  /** Returns the addresses of the sources; called before each query, so that a changed setting counts. */
  urls: () => SourceUrls;
  /** The desk's smallest share of any exchange after the greatest discount. */
  retainedSpread?: () => Promise<Fraction>;
};

export type RatesWorker = { stop(): Promise<void> };

/** State of the worker that holds the lease, between two queries. */
export interface Memory {
  readonly holder: string;
  readonly startedAt: number;
  readonly heard: Map<string, Map<string, Heard>>;
  readonly unlisted: Unlisted;
  readonly deviations: Map<string, { minute: number; millionths: bigint }>;
  dueAt: number;
  pruneAt: number;
}

/**
 * Queries the markets every 10 s and stores snapshots, in the one worker that holds the lease. The others wait until it is silent
 * for 15 s. Queries at once when the sandbox's clock was moved.
 */
export function runRates(db: Db, options: RatesWorkerOptions): RatesWorker {
  const memory = freshMemory();
  let renewAt = -Infinity;
  const sweeper = every(TICK_MS, 'rates', async () => {
    if (monotonicMs() < Math.min(memory.dueAt, renewAt)) return;
    if (!(await takeLease(db, memory.holder))) return;
    renewAt = monotonicMs() + RENEW_MS;
    if (monotonicMs() < memory.dueAt && !(await clockMoved(db))) return;
    await poll(db, memory, options);
    if (monotonicMs() < memory.pruneAt) return;
    memory.pruneAt = monotonicMs() + 3_600_000;
    await forgetOld(db, settings.get('rates.keep_days'), settings.get('rates.keep_hours_days'));
  });
  const deaf = onWake('clock', () => {
    renewAt = -Infinity;
    sweeper.wake();
  });
  return {
    async stop() {
      deaf();
      await sweeper.stop();
      await returnLease(db, memory.holder);
    },
  };
}

/** Initial state of a worker. */
export function freshMemory(): Memory {
  const startedAt = monotonicMs();
  return {
    holder: newId(),
    startedAt,
    heard: new Map(),
    unlisted: new Map(),
    deviations: new Map(),
    dueAt: 0,
    pruneAt: startedAt + 60_000,
  };
}

/** Queries every source once and stores a snapshot of the answers, unless another worker has the lease by then. */
export async function poll(db: Db, memory: Memory, options: RatesWorkerOptions): Promise<void> {
  const assets = await readAssets(db);
  const urls = options.urls();
  const [answers, retainedSpread] = await Promise.all([
    ask(assets, urls.bases, memory.unlisted),
    options.retainedSpread?.() ?? NOTHING,
  ]);
  for (const [source, books] of answers.books) {
    memory.heard.set(source, new Map([...(memory.heard.get(source) ?? []), ...books]));
  }
  const failed = answers.failed.size > 0;
  for (const [source, error] of answers.failed) log.warn('rate source failed', { source, error });
  memory.dueAt = monotonicMs() + (failed ? RETRY_MS : settings.get('rates.fetch_seconds') * 1_000);
  await db.tx((tx) => take(tx, { memory, assets, retainedSpread, isSeeded: urls.isSeeded, failed: answers.failed }));
}

interface Taking {
  readonly memory: Memory;
  readonly assets: readonly Asset[];
  readonly retainedSpread: Fraction;
  readonly isSeeded: boolean;
  readonly failed: ReadonlyMap<string, unknown>;
}

/** Makes one snapshot of the last answers. Returns undefined if another worker took the lease in the meantime. */
async function take(tx: Tx, taking: Taking): Promise<Snapshot | undefined> {
  const { isHeld, hasMoved: moved } = await lockLease(tx, taking.memory.holder);
  if (!isHeld) return undefined;
  const troubles = await readTroubles(tx);
  const lastMinute = moved ? [] : await snapshotsSince(tx, new Date(tx.now.getTime() - 60_000));
  const before = await readLatest(tx);
  const prices: Record<string, AssetPrice> = {};
  for (const asset of taking.assets) {
    const price =
      asset.peg === null ? await priceOf(tx, asset, taking, lastMinute, before) : pegged(asset.peg, asset.pegUntil, tx.now);
    if (!price) continue;
    const trouble = price.closed;
    if (trouble) await noteTrouble(tx, asset.code, trouble);
    const closed = closedBy(trouble, troubles.get(asset.code), tx.now, settings.get('rates.calm_minutes') * 60_000);
    if (closed !== before?.body.assets[asset.code]?.closed)
      log.info('rate guard changed', { asset: asset.code, closed: closed ?? 'open' });
    const { closed: _, ...open } = price;
    prices[asset.code] = closed ? { ...open, closed } : open;
  }
  const sources: Record<string, 'ok' | 'failed'> = {};
  for (const source of taking.memory.heard.keys()) sources[source] = 'ok';
  for (const source of taking.failed.keys()) sources[source] = 'failed';
  return recordSnapshot(tx, { assets: prices, sources, isSeeded: taking.isSeeded });
}

/** Returns a price by definition, or by a person's peg while it holds. */
function pegged(peg: string, until: Date | null | undefined, now: Date): AssetPrice {
  const usd = text(decimal(peg));
  const isOver = until !== null && until !== undefined && until <= now;
  return { bid: usd, ask: usd, live: 1, deviation: '0.0000', ...closing(isOver ? 'rates_old' : undefined) };
}

/** Returns an asset's current price with its trouble, or undefined if no source ever had one. */
async function priceOf(
  tx: Tx,
  asset: Asset,
  { memory, retainedSpread }: Taking,
  lastMinute: readonly Snapshot[],
  before: Snapshot | undefined,
): Promise<AssetPrice | undefined> {
  const live = [...memory.heard.values()]
    .flatMap((books) => books.get(asset.code) ?? [])
    .filter((heard) => monotonicMs() - heard.at <= STANDS_MS)
    .sort((a, b) => b.at - a.at);
  const combined = combine(live.map((heard) => heard.price));
  if (!combined) return silent(before?.body.assets[asset.code], silentFor(asset.code, memory), tx.now);
  const price = middle(combined.bid, combined.ask);
  await recordMinute(tx, asset.code, price);
  const secondNewest = live[1] as Heard;
  return {
    bid: text(combined.bid),
    ask: text(combined.ask),
    at: new Date(tx.now.getTime() - Math.max(0, monotonicMs() - secondNewest.at)).toISOString(),
    live: combined.live,
    deviation: percentOfMillionths(await deviationNow(tx, asset.code, memory)),
    ...closing(
      troubleOf(
        asset,
        live.map((heard) => heard.price),
        price,
        retainedSpread,
        lastMinute,
      ),
    ),
  };
}

/**
 * Returns the last known price, closed if two sources have not answered for longer than a price may be used. A price that is old
 * for another reason (a worker that has just started, a moved clock) needs no calm minutes: it can't be used, and opens as soon
 * as two sources answer.
 */
function silent(last: AssetPrice | undefined, silentMs: number, now: Date): AssetPrice | undefined {
  if (!last) return undefined;
  const { closed: _, ...open } = last;
  const age = last.at === undefined ? 0 : now.getTime() - Date.parse(last.at);
  return { ...open, live: 0, ...closing(age > OLD_AFTER_MS && silentMs > OLD_AFTER_MS ? 'rates' : undefined) };
}

/** Time that this worker has queried an asset without two sources' prices, by the machine's own clock. */
function silentFor(asset: string, { heard, startedAt }: Memory): number {
  const times = [...heard.values()].flatMap((books) => books.get(asset)?.at ?? []).sort((a, b) => b - a);
  return monotonicMs() - Math.max(startedAt, times[1] ?? startedAt);
}

const closing = (reason: ClosedReason | undefined): { closed?: ClosedReason } => (reason ? { closed: reason } : {});

/** Returns the trouble with present prices: sources apart, or a move too large for a minute. */
function troubleOf(
  asset: Asset,
  prices: readonly Fraction[],
  price: Fraction,
  retainedSpread: Fraction,
  lastMinute: readonly Snapshot[],
): ClosedReason | undefined {
  const halfStored = fraction(retainedSpread.numerator, retainedSpread.denominator * 2n);
  if (areApart(prices, largerShare(halfStored, percent(settings.get('rates.apart_percent'))))) return 'rates_apart';
  const max = settings.get(asset.kind === 'stable' ? 'rates.moved_stable_percent' : 'rates.moved_other_percent');
  const known = lastMinute.flatMap(({ body }) => {
    const then = body.assets[asset.code];
    return then && then.live > 0 ? [middle(decimal(then.bid), decimal(then.ask))] : [];
  });
  return hasMoved(price, known, percent(max)) ? 'rates_moving' : undefined;
}

/** Returns the deviation of an asset, computed once a minute. */
async function deviationNow(tx: Tx, asset: string, { deviations }: Memory): Promise<bigint> {
  const minute = Math.floor(tx.now.getTime() / 60_000);
  const known = deviations.get(asset);
  if (known?.minute === minute) return known.millionths;
  const millionths = deviation(await readMinutes(tx, asset, new Date(tx.now.getTime() - DAY_MS - 16 * 60_000)), tx.now);
  deviations.set(asset, { minute, millionths });
  return millionths;
}

/** Returns the USD of one whole asset as a plain decimal; every price here has a finite one. */
const text = (usd: Fraction): string => formatRate(rate('asset', 'USD', usd));
