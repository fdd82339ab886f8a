import { type Db, type Statements, type Tx, log, monotonicMs } from '../../platform/index.ts';
import type { Rail } from '../../rails/rail.ts';
import { type PaymentsDeps, within } from './deps.ts';
import { type RailDay, railDays } from './rail-days.ts';
import { purposesOf } from './registry.ts';
import { settings } from './settings.ts';

/** Last known state of a rail. While it isn't up, nothing is credited or paid on it. */
export interface RailState {
  readonly rail: string;
  readonly isUp: boolean;
  readonly detail: string;
  /** Words about a right that its provider has not granted (`RailHealth`); absent if none lacks. */
  readonly lacks?: string;
  readonly since: Date;
  readonly checkedAt: Date;
  /** Time of the rail's last good answer, exact to five seconds; absent if there was no good answer. */
  readonly heardAt?: Date;
  readonly height: number;
  /** Greatest height of the rail's chain that any process has seen. */
  readonly top: number;
  readonly hash: string;
}

interface RailRow {
  rail: string;
  up: boolean;
  detail: string;
  lacks: string | null;
  since: Date;
  checked_at: Date;
  heard_at: Date | null;
  failures: number;
  retry_at: Date | null;
  height: string;
  top_height: string;
  hash: string;
  now: Date;
}

/**
 * A rail is down after `FAILURES` failed checks in a row and `SILENT_MS` without a good answer. If a provider loses 2 % of its
 * answers, three in a row occur once in 125,000 checks. But three checks can fail within a moment, for example while a proxy
 * restarts. So ten seconds must pass as well. With a longer time, customers could order exchanges that can't be prepared. No
 * money is at risk meanwhile: without an answer nothing is credited or sent.
 */
const FAILURES = 3;
const SILENT_MS = 10_000;
const LONGEST_PAUSE_MS = 10_000;
/** Interval at which an unchanged state is written, in ms. So a worker that stopped writing is noticed. */
const WRITE_MS = 5_000;
const HEALTH_MS = 5_000;
/**
 * Longest time for which a rail's cached row is used, in ms. Another process may have changed the row in the database meanwhile.
 */
const KNOWN_MS = 10_000;

const SELECT = `select rail, up, detail, lacks, since, checked_at, heard_at, failures, retry_at, height, top_height, hash, clock_now() as now
  from rail_state`;

/** Time and text of each rail's last good health answer. */
const lastHealth = new WeakMap<Rail, { readonly at: number; readonly word: string; readonly lacks: string | null }>();

/** Returns the last state of every rail ever polled. */
export async function railStates(db: Statements): Promise<RailState[]> {
  return (await db.rows<RailRow>(`${SELECT} order by rail`)).map(stateOf);
}

/** True if a rail is up now; false for a rail that was never polled. */
export async function isUp(db: Statements, rail: string): Promise<boolean> {
  const row = await db.row<{ up: boolean }>(`select up from rail_state where rail = $1`, [rail], { name: 'payments.is_up' });
  return row?.up ?? false;
}

function stateOf(row: RailRow): RailState {
  const { rail, up, detail, since, hash } = row;
  const [height, top] = [Number.parseInt(row.height, 10), Number.parseInt(row.top_height, 10)];
  const heard = row.heard_at && { heardAt: row.heard_at };
  const lacks = row.lacks !== null && { lacks: row.lacks };
  return { rail, isUp: up, detail, ...lacks, since, checkedAt: row.checked_at, ...heard, height, top, hash };
}

export interface Check {
  readonly state: RailState;
  /** True if the rail gave a good answer in this check. */
  readonly isWell: boolean;
  /** Database time when the check began. */
  readonly now: Date;
  /** True if the chain's newest block differs from that of the last check. */
  readonly hasMoved: boolean;
  /** True if the chain has moved, and its newest block is no higher than the one before. */
  readonly isReorg: boolean;
}

/** Called after a rail's chain has moved. */
type OnMove = (tx: Tx, moved: { readonly height: number; readonly isReorg: boolean }) => Promise<void>;

/**
 * Polls a rail's health and its chain's tip, and stores the result. After a failure the rail is not polled for a while. That
 * pause doubles with each failure up to ten seconds, and is spread by jitter. A rail that gives no answer is down only after some
 * failures. A rail is down at once if it reports that it isn't well (wrong chain, a refused key), or if its height is far below
 * the greatest known. A rail that goes down raises an alarm, and is up again after its first good answer. `mayTrustMemory`: skips
 * reading the rail's row if the rail's answer equals the row that this process has cached. `onMove`: called in the transaction
 * that stores the chain's move.
 */
export async function checkRail(
  deps: PaymentsDeps,
  rail: Rail,
  { mayTrustMemory = false, onMove }: { readonly mayTrustMemory?: boolean; readonly onMove?: OnMove } = {},
): Promise<Check> {
  const { db } = deps;
  const known = mayTrustMemory ? knownOf(db, rail) : undefined;
  const early = known && (await hear(deps, rail, known));
  const isAsKnown = known && early && isNoNews(known, early);
  // If only the block differs, the row is not read. It is written only if the stored row still equals the cached one.
  const isMove = known && early && isNoNews(known, { ...early, hash: known.hash });
  const before = isMove ? known : await db.row<RailRow>(`${SELECT} where rail = $1`, [rail.id], { name: 'payments.rail_state' });
  if (before?.retry_at && before.retry_at > before.now)
    return { state: stateOf(before), isWell: false, now: before.now, hasMoved: false, isReorg: false };
  // If another process has found the rail down meanwhile, the earlier answer is too old to make the rail up again. So the rail is
  // polled again.
  const heard = early && before?.up ? early : await hear(deps, rail, before);
  const height = heard.height ?? Number.parseInt(before?.height ?? '0', 10);
  const hash = heard.hash ?? before?.hash ?? '';
  const hasMoved = hash !== (before?.hash ?? '');
  const isReorg = hasMoved && before !== undefined && height <= Number.parseInt(before.height, 10);
  const failures = heard.hasFailed ? (before?.failures ?? 0) + 1 : 0;
  const up = heard.hasFailed ? before !== undefined && isStillUp(before, failures) : heard.isUp;
  const changed =
    !before ||
    before.up !== up ||
    before.detail !== heard.detail ||
    before.lacks !== (heard.lacks ?? null) ||
    hasMoved ||
    failures !== before.failures;
  const silent = !before || before.now.getTime() - before.checked_at.getTime() >= WRITE_MS;
  if (before && before.up !== up) report(rail.id, up, heard.detail);
  if (!changed && !silent) {
    if (!isAsKnown) store(db, rail, before);
    return { state: stateOf(before), isWell: heard.isUp, now: before.now, hasMoved, isReorg };
  }
  const pause =
    failures === 0 ? null : Math.min(LONGEST_PAUSE_MS, 1_000 * 2 ** Math.min(failures, 8)) * (0.5 + deps.jitter() / 2);
  const values = [
    rail.id,
    up,
    heard.detail.slice(0, 300),
    failures,
    pause,
    height,
    hash,
    heard.isUp,
    isMove ? known.hash : null,
    heard.lacks?.slice(0, 300) ?? null,
  ];
  const write = (to: Statements): Promise<RailRow | undefined> =>
    to.row<RailRow>(WRITE, values, { name: 'payments.write_rail_state' });
  const row =
    hasMoved && up && onMove
      ? await db.tx(async (tx) => {
          const written = await write(tx);
          if (written) await onMove(tx, { height, isReorg });
          return written;
        })
      : await write(db);
  // Another process has written the row meanwhile, so the check is repeated without the cache.
  if (!row) return checkRail(deps, rail, { ...(onMove && { onMove }) });
  store(db, rail, row);
  return { state: stateOf(row), isWell: heard.isUp, now: before?.now ?? row.now, hasMoved, isReorg };
}

/** A rail's row that this process has read or written. `at`: time of that, in monotonic ms. */
interface CachedRow {
  readonly db: Db;
  readonly row: RailRow;
  readonly at: number;
}
const lastKnown = new WeakMap<Rail, CachedRow>();

/** Caches a rail's row, if the rail is up without failures. */
function store(db: Db, rail: Rail, row: RailRow): void {
  if (row.up && row.failures === 0) lastKnown.set(rail, { db, row, at: monotonicMs() });
  else lastKnown.delete(rail);
}

/** Returns the rail's cached row if it is recent, so that an unchanged rail needs no query. */
function knownOf(db: Db, rail: Rail): RailRow | undefined {
  const known = lastKnown.get(rail);
  const age = known && monotonicMs() - known.at;
  if (!known || known.db !== db || age === undefined || age > KNOWN_MS) return undefined;
  return { ...known.row, now: new Date(known.row.now.getTime() + age) };
}

const isNoNews = (row: RailRow, { isUp: up, hasFailed, detail, lacks = null, hash = row.hash }: Heard): boolean =>
  up && !hasFailed && detail === row.detail && lacks === row.lacks && hash === row.hash;

/** True if a rail that was up and doesn't answer now is still considered up. */
function isStillUp(before: RailRow, failures: number): boolean {
  const silentMs = before.now.getTime() - (before.heard_at ?? before.since).getTime();
  return before.up && (failures < FAILURES || silentMs < SILENT_MS);
}

interface Heard {
  /** True if the rail gave a good answer. */
  readonly isUp: boolean;
  /** True if the rail gave no answer at all, so that another try may succeed. */
  readonly hasFailed: boolean;
  readonly detail: string;
  readonly lacks?: string | null;
  readonly height?: number;
  readonly hash?: string;
}

async function hear(deps: PaymentsDeps, rail: Rail, before: RailRow | undefined): Promise<Heard> {
  try {
    const isDue = monotonicMs() - (lastHealth.get(rail)?.at ?? -Infinity) >= HEALTH_MS;
    if (isDue || !before?.up) {
      const health = await within(deps.callMs, `${rail.id} health`, () => rail.health());
      if (!health.isUp) return { isUp: false, hasFailed: health.isSilent ?? false, detail: health.detail };
      lastHealth.set(rail, { at: monotonicMs(), word: health.detail, lacks: health.lacks ?? null });
    }
    // The text of a chain's health answer names the newest block, so it changes each time and isn't stored.
    const last = lastHealth.get(rail);
    const detail = rail.kind === 'provider' ? (last?.word ?? 'up') : 'up';
    const lacks = last?.lacks ?? null;
    if (!rail.payin) return { isUp: true, hasFailed: false, detail, lacks };
    const { payin } = rail;
    const { height, hash } = await within(deps.callMs, `${rail.id} tip`, () => payin.tip());
    const top = Number.parseInt(before?.top_height ?? '0', 10);
    if (height + settings.get('payments.lag_blocks') < top) {
      return { isUp: false, hasFailed: false, detail: `at height ${height}, had been at ${top}` };
    }
    return { isUp: true, hasFailed: false, detail, lacks, height, hash };
  } catch (error) {
    lastHealth.delete(rail);
    return { isUp: false, hasFailed: true, detail: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Records that a rail failed to answer a call other than a health poll. The rail's health is then polled at the next turn, and
 * only that poll decides. If such failures made a rail down, a busy rail would be down sooner than a quiet rail. If they delayed
 * the next health poll, nobody would poll the rail.
 */
export async function noteFailure(deps: PaymentsDeps, rail: Rail, error: unknown): Promise<void> {
  const detail = error instanceof Error ? error.message : String(error);
  lastHealth.delete(rail);
  lastKnown.delete(rail);
  log.warn('rail did not answer', { rail: rail.id, detail });
  await deps.db.run(`update rail_state set detail = $2 where rail = $1`, [rail.id, detail.slice(0, 300)]);
}

function report(rail: string, isWell: boolean, detail: string): void {
  if (isWell) log.info('rail is up', { rail });
  else log.alarm('rail is down: nothing is credited or paid on it', { rail, detail });
}

// SQL: writes a rail's state. The same statement begins or ends an outage of the rail.
const WRITE = `
  with written as (
    insert into rail_state (rail, up, detail, since, checked_at, failures, retry_at, height, top_height, hash, heard_at, lacks)
    values ($1, $2, $3, clock_now(), clock_now(), $4, clock_now() + $5 * interval '1 millisecond', $6, $6, $7,
      case when $8 then clock_now() end, $10)
    on conflict (rail) do update set
      since = case when rail_state.up = excluded.up then rail_state.since else excluded.since end,
      up = excluded.up, detail = excluded.detail, lacks = excluded.lacks, checked_at = excluded.checked_at, failures = excluded.failures,
      retry_at = excluded.retry_at, height = excluded.height, heard_at = coalesce(excluded.heard_at, rail_state.heard_at),
      top_height = greatest(rail_state.top_height, excluded.top_height), hash = excluded.hash
    where $9::text is null or (rail_state.up and rail_state.failures = 0 and rail_state.hash = $9)
    returning *
  ), began as (
    insert into rail_outage (rail, began) select rail, since from written where not up on conflict do nothing
  ), ended as (
    update rail_outage o set ended = w.since from written w where o.rail = w.rail and o.ended is null and w.up
  )
  select rail, up, detail, since, checked_at, heard_at, failures, retry_at, height, top_height, hash, clock_now() as now from written`;

/** Availability of a rail, as anyone may see it. */
export interface RailHistory {
  readonly rail: string;
  readonly isUp: boolean;
  /** True if operators let the rail take payments for any purpose. A rail that is switched off may still be up. */
  readonly isOn: boolean;
  /** Time since which `isUp` has had its value. */
  readonly since: Date;
  /** Time of the last poll of the rail's health. */
  readonly checkedAt: Date;
  /** Availability on each of the last days, today last. */
  readonly days: readonly RailDay[];
}

/** Returns the state of every rail ever polled, and its availability on the last days. */
export async function railHistories(db: Statements, days: number): Promise<RailHistory[]> {
  const rows = await db.rows<{
    rail: string;
    up: boolean;
    since: Date;
    checked_at: Date;
    watched_since: Date;
    began: Date[];
    ended: (Date | null)[];
    now: Date;
  }>(
    `select s.rail, s.up, s.since, s.checked_at, s.watched_since, clock_now() as now,
       coalesce(array_agg(o.began order by o.began) filter (where o.began is not null), '{}') as began,
       coalesce(array_agg(o.ended order by o.began) filter (where o.began is not null), '{}') as ended
     from rail_state s
     left join rail_outage o on o.rail = s.rail and coalesce(o.ended, clock_now()) > clock_now() - $1 * interval '1 day'
     group by s.rail order by s.rail`,
    [days],
    { name: 'payments.rail_histories' },
  );
  return rows.map(({ rail, up, since, checked_at: checkedAt, watched_since: watched, began, ended, now }) => {
    const outages = began.map((from, index) => {
      const to = ended[index];
      return { began: from.getTime(), ...(to && { ended: to.getTime() }) };
    });
    const on = purposesOf(settings.get('payments.rails'), rail).length > 0;
    return { rail, isUp: up, isOn: on, since, checkedAt, days: railDays(watched.getTime(), outages, now.getTime(), days) };
  });
}
