import { type Db, type Statements, type Tx, log, monotonicMs } from '../../platform/index.ts';
import type { Rail } from '../../rails/rail.ts';
import { type PaymentsDeps, within } from './deps.ts';
import { type RailDay, railDays } from './rail-days.ts';
import { purposesOf } from './registry.ts';
import { settings } from './settings.ts';

/** What we last knew of a rail. While it isn't up, nothing is credited or paid on it. */
export interface RailState {
  readonly rail: string;
  readonly up: boolean;
  readonly detail: string;
  readonly since: Date;
  readonly checkedAt: Date;
  /** When it last gave a good answer, within five seconds; absent: never. */
  readonly heardAt?: Date;
  readonly height: number;
  /** The greatest height that was ever seen. */
  readonly top: number;
  readonly hash: string;
}

interface Row {
  rail: string;
  up: boolean;
  detail: string;
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
 * A rail that was up counts as down after so many failures in a row and so long without a good answer. Three: of a provider
 * that loses 2 % of its answers that is one check in 125,000. Ten seconds: three can fail within a moment, and a proxy's
 * restart is no outage. Longer would let customers order what is not prepared; no money is at risk meanwhile, since what
 * isn't answered is neither credited nor sent.
 */
const FAILURES = 3;
const SILENT_MS = 10_000;
const LONGEST_PAUSE_MS = 10_000;
/** An unchanged state is written down this often, so that a silent worker shows. */
const WRITE_MS = 5_000;
const HEALTH_MS = 5_000;
/** Others may have written it since: so long what this process knows of a row is believed. */
const KNOWN_MS = 10_000;

const SELECT = `select rail, up, detail, since, checked_at, heard_at, failures, retry_at, height, top_height, hash, clock_now() as now
  from rail_state`;

/** When a rail last said that it is well, and in what words. */
const lastHealth = new WeakMap<Rail, { readonly at: number; readonly word: string }>();

/** Every rail that was ever asked, as it was last. */
export async function railStates(db: Statements): Promise<RailState[]> {
  return (await db.rows<Row>(`${SELECT} order by rail`)).map(stateOf);
}

/** Is a rail up, as of now? A rail that was never asked isn't. */
export async function isUp(db: Statements, rail: string): Promise<boolean> {
  const row = await db.row<{ up: boolean }>(`select up from rail_state where rail = $1`, [rail], { name: 'payments.is_up' });
  return row?.up ?? false;
}

function stateOf(row: Row): RailState {
  const { rail, up, detail, since, hash } = row;
  const [height, top] = [Number.parseInt(row.height, 10), Number.parseInt(row.top_height, 10)];
  const heard = row.heard_at && { heardAt: row.heard_at };
  return { rail, up, detail, since, checkedAt: row.checked_at, ...heard, height, top, hash };
}

export interface Check {
  readonly state: RailState;
  /** It gave a good answer just now. */
  readonly isWell: boolean;
  /** The database's clock as the check began. */
  readonly now: Date;
  /** The newest block is another than at the last check; `reorg`: it is no higher than what we have seen. */
  readonly moved: boolean;
  readonly reorg: boolean;
}

/** What is done where a chain has moved: to this height. */
type OnMove = (tx: Tx, moved: { readonly height: number; readonly reorg: boolean }) => Promise<void>;

/**
 * Asks a rail how it is and where its chain stands, and writes it down. After failures it is left alone for a while,
 * twice as long each time up to ten seconds, spread by jitter. No answer makes it down only after a while, its own word
 * (`health`: wrong chain, a key refused) and a height far below what it had reached at once; going down alarms, and the
 * first good answer makes it up again. `trustsMemory`: where it says what this process has read or written a moment ago, the
 * database isn't asked. `onMove`: what is done where the chain has moved, in the transaction that writes so.
 */
export async function checkRail(
  deps: PaymentsDeps,
  rail: Rail,
  { trustsMemory = false, onMove }: { readonly trustsMemory?: boolean; readonly onMove?: OnMove } = {},
): Promise<Check> {
  const { db } = deps;
  const known = trustsMemory ? knownOf(db, rail) : undefined;
  const early = known && (await hear(deps, rail, known));
  const isAsKnown = known && early && isNoNews(known, early);
  // Only its block is another: the row is written where it still says what this process knows of it.
  const isMove = known && early && isNoNews(known, { ...early, hash: known.hash });
  const before = isMove ? known : await db.row<Row>(`${SELECT} where rail = $1`, [rail.id], { name: 'payments.rail_state' });
  if (before?.retry_at && before.retry_at > before.now)
    return { state: stateOf(before), isWell: false, now: before.now, moved: false, reorg: false };
  // Another process found it down meanwhile: what was heard before is not enough to call it well again.
  const heard = early && before?.up ? early : await hear(deps, rail, before);
  const height = heard.height ?? Number.parseInt(before?.height ?? '0', 10);
  const hash = heard.hash ?? before?.hash ?? '';
  const moved = hash !== (before?.hash ?? '');
  const reorg = moved && before !== undefined && height <= Number.parseInt(before.height, 10);
  const failures = heard.failed ? (before?.failures ?? 0) + 1 : 0;
  const up = heard.failed ? before !== undefined && isStillUp(before, failures) : heard.up;
  const changed = !before || before.up !== up || before.detail !== heard.detail || moved || failures !== before.failures;
  const silent = !before || before.now.getTime() - before.checked_at.getTime() >= WRITE_MS;
  if (before && before.up !== up) report(rail.id, up, heard.detail);
  if (!changed && !silent) {
    if (!isAsKnown) keep(db, rail, before);
    return { state: stateOf(before), isWell: heard.up, now: before.now, moved, reorg };
  }
  const pause =
    failures === 0 ? null : Math.min(LONGEST_PAUSE_MS, 1_000 * 2 ** Math.min(failures, 8)) * (0.5 + deps.jitter() / 2);
  const values = [rail.id, up, heard.detail.slice(0, 300), failures, pause, height, hash, heard.up, isMove ? known.hash : null];
  const write = (to: Statements): Promise<Row | undefined> => to.row<Row>(WRITE, values, { name: 'payments.write_rail_state' });
  const row =
    moved && up && onMove
      ? await db.tx(async (tx) => {
          const written = await write(tx);
          if (written) await onMove(tx, { height, reorg });
          return written;
        })
      : await write(db);
  // Another process has written something else meanwhile.
  if (!row) return checkRail(deps, rail, { ...(onMove && { onMove }) });
  keep(db, rail, row);
  return { state: stateOf(row), isWell: heard.up, now: before?.now ?? row.now, moved, reorg };
}

/** A row that this process has read or written, and when. */
interface Known {
  readonly db: Db;
  readonly row: Row;
  readonly at: number;
}
const lastKnown = new WeakMap<Rail, Known>();

/** Keeps a row of a rail that is well. */
function keep(db: Db, rail: Rail, row: Row): void {
  if (row.up && row.failures === 0) lastKnown.set(rail, { db, row, at: monotonicMs() });
  else lastKnown.delete(rail);
}

/** The row as this process has read or written it a while ago: where a rail says what stands there, nobody needs to look. */
function knownOf(db: Db, rail: Rail): Row | undefined {
  const known = lastKnown.get(rail);
  const age = known && monotonicMs() - known.at;
  if (!known || known.db !== db || age === undefined || age > KNOWN_MS) return undefined;
  return { ...known.row, now: new Date(known.row.now.getTime() + age) };
}

const isNoNews = (row: Row, { up, failed, detail, hash = row.hash }: Heard): boolean =>
  up && !failed && detail === row.detail && hash === row.hash;

/** Whether a rail that gives no answer now still counts as up. */
function isStillUp(before: Row, failures: number): boolean {
  const silentMs = before.now.getTime() - (before.heard_at ?? before.since).getTime();
  return before.up && (failures < FAILURES || silentMs < SILENT_MS);
}

interface Heard {
  /** It gave a good answer. */
  readonly up: boolean;
  /** It gave no answer at all: another try may do. */
  readonly failed: boolean;
  readonly detail: string;
  readonly height?: number;
  readonly hash?: string;
}

async function hear(deps: PaymentsDeps, rail: Rail, before: Row | undefined): Promise<Heard> {
  try {
    const isDue = monotonicMs() - (lastHealth.get(rail)?.at ?? -Infinity) >= HEALTH_MS;
    if (isDue || !before?.up) {
      const health = await within(deps.callMs, `${rail.id} health`, () => rail.health());
      if (!health.up) return { up: false, failed: health.silent ?? false, detail: health.detail };
      lastHealth.set(rail, { at: monotonicMs(), word: health.detail });
    }
    // What a chain says names its block, which would be another word each time.
    const detail = rail.kind === 'provider' ? (lastHealth.get(rail)?.word ?? 'up') : 'up';
    if (!rail.payin) return { up: true, failed: false, detail };
    const { payin } = rail;
    const { height, hash } = await within(deps.callMs, `${rail.id} tip`, () => payin.tip());
    const top = Number.parseInt(before?.top_height ?? '0', 10);
    if (height + settings.get('payments.lag_blocks') < top) {
      return { up: false, failed: false, detail: `at height ${height}, had been at ${top}` };
    }
    return { up: true, failed: false, detail, height, hash };
  } catch (error) {
    lastHealth.delete(rail);
    return { up: false, failed: true, detail: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Notes that a rail failed to answer another call, so that it is asked how it is at the next turn. Only that decides: were
 * these counted too, a busy rail would be down sooner than a quiet one, and were it left alone for them, nobody would ask.
 */
export async function noteFailure(deps: PaymentsDeps, rail: Rail, error: unknown): Promise<void> {
  const detail = error instanceof Error ? error.message : String(error);
  lastHealth.delete(rail);
  lastKnown.delete(rail);
  log.warn('rail did not answer', { rail: rail.id, detail });
  await deps.db.run(`update rail_state set detail = $2 where rail = $1`, [rail.id, detail.slice(0, 300)]);
}

function report(rail: string, up: boolean, detail: string): void {
  if (up) log.info('rail is up', { rail });
  else log.alarm('rail is down: nothing is credited or paid on it', { rail, detail });
}

// The outage begins and ends with the state that it tells of.
const WRITE = `
  with written as (
    insert into rail_state (rail, up, detail, since, checked_at, failures, retry_at, height, top_height, hash, heard_at)
    values ($1, $2, $3, clock_now(), clock_now(), $4, clock_now() + $5 * interval '1 millisecond', $6, $6, $7,
      case when $8 then clock_now() end)
    on conflict (rail) do update set
      since = case when rail_state.up = excluded.up then rail_state.since else excluded.since end,
      up = excluded.up, detail = excluded.detail, checked_at = excluded.checked_at, failures = excluded.failures,
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

/** A rail for anyone who wants to know how well it runs. */
export interface RailHistory {
  readonly rail: string;
  readonly up: boolean;
  /** Whether people let it take payments for anything: one that is switched off may answer all the same. */
  readonly on: boolean;
  /** Since when that is so, and when it was last asked. */
  readonly since: Date;
  readonly checkedAt: Date;
  /** The last days, the present one last. */
  readonly days: readonly RailDay[];
}

/** How every rail that was ever asked runs, and how it ran on the last days. */
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
    return { rail, up, on, since, checkedAt, days: railDays(watched.getTime(), outages, now.getTime(), days) };
  });
}
