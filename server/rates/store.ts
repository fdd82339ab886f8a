import { decimal, rate, formatRate, type Fraction } from '@kurs/money';
import type { Db, Statements, Tx } from '../platform/index.ts';
import type { ClosedReason, Snapshot, SnapshotBody } from './snapshot.ts';

/** A priced asset: each source's name for it, or its peg in USD. */
export interface Asset {
  readonly code: string;
  readonly kind: 'peg' | 'stable' | 'other';
  readonly peg: string | null;
  /** End of the peg; without an end it is a peg by definition. */
  readonly pegUntil?: Date | null;
  readonly symbols: Readonly<Record<string, string>>;
}

type SnapshotRow = { version: string; at: Date; body: SnapshotBody };

const snapshotOf = ({ version, at, body }: SnapshotRow): Snapshot => ({ version: BigInt(version), at, body });

/** The product's clock, and the newest snapshot if it is newer than `version`. */
export async function readNewer(db: Statements, version: bigint): Promise<{ now: Date; snapshot?: Snapshot }> {
  const row = await db.row<{ now: Date } & (SnapshotRow | { version: null })>(
    `select clock_now() as now, newest.* from (values (1)) as one (n)
     left join rate_snapshot newest on newest.version > $1 and newest.version = (select max(version) from rate_snapshot)`,
    [version],
    { name: 'rates.newer' },
  );
  if (!row) throw new Error('a left join of one row gave none');
  return row.version === null ? { now: row.now } : { now: row.now, snapshot: snapshotOf(row) };
}

/** Returns the newest snapshot for this transaction or statement. */
export async function readLatest(db: Statements): Promise<Snapshot | undefined> {
  const row = await db.row<SnapshotRow>('select version, at, body from rate_snapshot order by version desc limit 1');
  return row && snapshotOf(row);
}

/** Stores a snapshot under the next number. The lease row's lock keeps two writers from taking one number. */
export async function recordSnapshot(tx: Tx, body: SnapshotBody): Promise<Snapshot> {
  await tx.run('select from rate_lease for update');
  const row = await tx.row<SnapshotRow>(
    `insert into rate_snapshot (version, at, body)
     select coalesce(max(version), 0) + 1, $1, $2::jsonb from rate_snapshot returning version, at, body`,
    [tx.now, JSON.stringify(body)],
  );
  if (!row) throw new Error('a snapshot was not stored');
  return snapshotOf(row);
}

/** Returns every priced asset. */
export function readAssets(db: Statements): Promise<Asset[]> {
  return db.rows<Asset>('select code, kind, peg, peg_until as "pegUntil", symbols from rate_asset order by code', [], {
    name: 'rates.assets',
  });
}

/** Adds assets. Existing ones keep the operator's changes. */
export async function insertAssets(tx: Tx, assets: readonly Asset[]): Promise<void> {
  await tx.run(
    `insert into rate_asset (code, kind, peg, symbols)
     select code, kind, peg, symbols from jsonb_to_recordset($1::jsonb) as given (code text, kind text, peg numeric, symbols jsonb)
     on conflict do nothing`,
    [JSON.stringify(assets)],
  );
}

/** Returns a person's peg of an asset without markets, if there is one, locked; undefined for any other asset. */
export async function pegOf(tx: Tx, code: string): Promise<{ usd: string | null } | undefined> {
  return tx.row<{ usd: string | null }>(
    `select peg::text as usd from rate_asset
     where code = $1 and symbols = '{}' and (kind <> 'peg' or peg_until is not null) for update`,
    [code],
  );
}

/** Pegs such an asset to a sum of USD until a moment. */
export async function setPeg(tx: Tx, code: string, usd: string, until: Date): Promise<void> {
  await tx.run(`update rate_asset set kind = 'peg', peg = $2, peg_until = $3 where code = $1`, [code, usd, until]);
}

/**
 * Takes or renews the lease for 15 s of real time. Returns false while another worker holds it. A jump back of the clock ends it.
 */
export async function takeLease(db: Db, holder: string): Promise<boolean> {
  const taken = await db.run(
    `update rate_lease set holder = $1, until = now() + interval '15 seconds'
     where holder = $1 or until is null or until < now() or until > now() + interval '15 seconds'`,
    [holder],
    { name: 'rates.lease' },
  );
  return taken === 1;
}

/** Releases the lease, so that the next worker needn't wait for its end. */
export async function returnLease(db: Db, holder: string): Promise<void> {
  await db.run('update rate_lease set holder = null, until = null where holder = $1', [holder]);
}

/** Returns true if the sandbox's clock was moved since the last snapshot. */
export async function clockMoved(db: Statements): Promise<boolean> {
  const row = await db.row<{ moved: boolean }>('select clock_offset <> clock_now() - now() as moved from rate_lease', [], {
    name: 'rates.clock_moved',
  });
  return row?.moved ?? false;
}

/**
 * Locks the lease for this transaction and notes the clock's offset. `isHeld`: this holder still has it. `hasMoved`: the clock was
 * moved since the last snapshot; all guards are then lifted without calm minutes.
 */
export async function lockLease(tx: Tx, holder: string): Promise<{ isHeld: boolean; hasMoved: boolean }> {
  const row = await tx.row<{ held: boolean }>('select holder = $1 as held from rate_lease for update', [holder]);
  const hasMoved = await clockMoved(tx);
  if (hasMoved) {
    await tx.run('update rate_lease set clock_offset = clock_now() - now()');
    await tx.run('delete from rate_guard');
  }
  return { isHeld: row?.held ?? false, hasMoved };
}

export interface Trouble {
  readonly reason: ClosedReason;
  readonly troubledAt: Date;
}

/** Returns why each asset was last refused, by asset. */
export async function readTroubles(db: Statements): Promise<Map<string, Trouble>> {
  const rows = await db.rows<{ asset: string; reason: ClosedReason; troubled_at: Date }>('select * from rate_guard');
  return new Map(rows.map((row) => [row.asset, { reason: row.reason, troubledAt: row.troubled_at }]));
}

/** Notes present trouble with an asset's price. */
export async function noteTrouble(tx: Tx, asset: string, reason: ClosedReason): Promise<void> {
  await tx.run(
    `insert into rate_guard (asset, reason, troubled_at) values ($1, $2, $3)
     on conflict (asset) do update set reason = excluded.reason, troubled_at = excluded.troubled_at`,
    [asset, reason, tx.now],
  );
}

/** Returns the snapshots since a moment, oldest first. */
export async function snapshotsSince(db: Statements, since: Date): Promise<Snapshot[]> {
  const rows = await db.rows<SnapshotRow>('select version, at, body from rate_snapshot where at >= $1 order by version', [since]);
  return rows.map(snapshotOf);
}

/** Stores an asset's first price of each minute, and of each hour. */
export async function recordMinute(tx: Tx, asset: string, mid: Fraction): Promise<void> {
  await tx.run(
    `with minute as (
       insert into rate_minute (asset, minute, mid) values ($1, date_trunc('minute', $2::timestamptz), $3)
       on conflict do nothing returning mid
     )
     insert into rate_hour (asset, hour, mid)
     select $1, date_trunc('hour', $2::timestamptz, 'UTC'), mid from minute on conflict do nothing`,
    [asset, tx.now, formatRate(rate(asset, 'USD', mid))],
  );
}

export interface Minute {
  /** Whole minutes since 1970. */
  readonly minute: number;
  readonly mid: Fraction;
}

/** Returns an asset's price by the minute since a moment, oldest first. */
export async function readMinutes(db: Statements, asset: string, since: Date): Promise<Minute[]> {
  const rows = await db.rows<{ minute: Date; mid: string }>(
    'select minute, mid from rate_minute where asset = $1 and minute >= $2 order by minute',
    [asset, since],
  );
  return rows.map((row) => ({ minute: row.minute.getTime() / 60_000, mid: decimal(row.mid) }));
}

export interface Hour {
  readonly asset: string;
  readonly hour: Date;
  /** USD of one whole asset. */
  readonly mid: Fraction;
}

/** Returns the first prices of some assets in each hour since a moment, oldest first. An hour without a price is absent. */
export async function readHours(db: Statements, assets: readonly string[], since: Date): Promise<Hour[]> {
  const rows = await db.rows<{ asset: string; hour: Date; mid: string }>(
    'select asset, hour, mid from rate_hour where asset = any($1) and hour >= $2 order by hour',
    [assets, since],
    { name: 'rates.hours' },
  );
  return rows.map((row) => ({ ...row, mid: decimal(row.mid) }));
}

/**
 * Deletes rows older than so many days: snapshots that no open quote can name, minutes that nothing is computed from, and (after
 * `hourDays`) hours that no chart shows.
 */
export async function forgetOld(db: Statements, days: number, hourDays: number): Promise<void> {
  const before = `clock_now() - $1 * interval '1 day'`;
  await db.run(`delete from rate_snapshot where at < ${before} and version < (select max(version) from rate_snapshot)`, [days]);
  await db.run(`delete from rate_minute where minute < ${before}`, [days]);
  await db.run(`delete from rate_hour where hour < ${before}`, [hourDays]);
}
