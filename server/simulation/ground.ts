// Base of all seeds: a database with a controlled clock, prices, settings, and the desk's tokens.

import { randomBytes } from 'node:crypto';
import type { Receipts, Sender } from '../exchange/index.ts';
import { subscriptionsOfAll } from '../assembly/index.ts';
import { type MemoryRail, openMemoryRail } from '../payments/memory.ts';
import { useRails } from '../payments/index.ts';
import { type Db, configureLog, outbox, openTokens, putSetting, signaturesFrom, watchSettings } from '../platform/index.ts';
import { testDb } from '../platform/testing.ts';
import { seedPricing, watchPricing } from '../pricing/index.ts';
import { type SnapshotBody, seedRates, watchRates } from '../rates/index.ts';
import { PRIZE_SETTINGS } from './audit/prize-audit.ts';

/** Name of the product, for letters. */
export const NAME = 'Kurs';
/** Start time of every seed. */
export const EPOCH = new Date(Date.UTC(2026, 0, 5, 9));

export interface Ground {
  readonly db: Db;
  readonly sender: Sender;
  readonly receipts: Receipts;
  /** Empties the world for the next seed: no orders, no books, the clock at its beginning. */
  clear(): Promise<void>;
  /** Moves the clock forward by so many milliseconds, and sets the price of a bitcoin in USD. */
  goOn(ms: number, now: Date, btc: number): Promise<void>;
  /** Throws alarms that no fault of the outside explains: events and timers that the product could not handle. */
  mustBeQuiet(): void;
  /** Deletes the alarms of a process that died: they are about its death. */
  hush(): void;
  /** Updates this process's cache of switches, reserves and rails. */
  poll(): Promise<void>;
  close(): Promise<void>;
}

const SEED = {
  assets: [
    { code: 'USD', kind: 'peg', peg: '1' },
    { code: 'USDT', kind: 'stable' },
    { code: 'BTC', kind: 'other' },
    { code: 'ETH', kind: 'other' },
    { code: 'LTC', kind: 'other' },
  ],
  currencies: [
    { code: 'BTC', name: 'Bitcoin', kind: 'crypto', confirmations: '1–6', position: 1 },
    { code: 'USDT_ERC20', name: 'Tether', kind: 'crypto', confirmations: '12–64', position: 2 },
    { code: 'LTC', name: 'Litecoin', kind: 'crypto', confirmations: '6', position: 3 },
  ],
  directions: [
    { slug: 'btc-usdt', from: 'BTC', to: 'USDT_ERC20', spread: [{ from: '0', percent: '0.5' }], isOn: true, position: 1 },
    { slug: 'usdt-btc', from: 'USDT_ERC20', to: 'BTC', spread: [{ from: '0', percent: '0.5' }], isOn: true, position: 2 },
    { slug: 'ltc-usdt', from: 'LTC', to: 'USDT_ERC20', spread: [{ from: '0', percent: '5' }], isOn: true, position: 3 },
  ],
} as const;

/** Currency whose payments clear after any wait, from any customer. */
const WIDE = { per_order: '5000', day: '500000', month: '5000000' };

/** Limits low enough that small orders reach all of them; LTC is reversible. */
const SETTINGS = {
  'compliance.levels': Array.from({ length: 4 }, () => ({ per_order: '5000', day: '50000', month: null })),
  'compliance.reversible_currencies': ['LTC'],
  'compliance.reversible_level': 0,
  'compliance.reversible_windows': { new: WIDE, known: WIDE, full: WIDE },
  'compliance.exposure_usd': '10000000',
  'exchange.mails': false,
  'exchange.auto_order_usd': '800',
  'exchange.two_people_usd': '1600',
  ...PRIZE_SETTINGS,
} as const;

/** Tables that are filled once; all others are emptied between seeds. */
const RETAINED =
  'installation setting setting_history rate_asset rate_lease rate_snapshot currency direction direction_history network_cost event_subscription migration';

/** Clock and prices in one statement: time goes on in every third step. */
const GO_ON = `
  with gone as (update installation set clock_offset = clock_offset + $1 * interval '1 millisecond')
  insert into rate_snapshot (version, at, body) select coalesce(max(version), 0) + 1, $2, $3::jsonb from rate_snapshot`;

/** Texts of alarms that mean a fault in the code. */
const NEVER = /"words":"(event could not be applied|a timer of an order failed|a timer of an invoice failed|sweeper failed)"/;

/** Opens a ground in a fresh database. One per process at a time. */
export async function openGround(): Promise<Ground> {
  const alarms: string[] = [];
  const listen = (): void =>
    configureLog({ sink: (lines) => void alarms.push(...lines.split('\n').filter((line) => NEVER.test(line))) });
  listen();
  const { db, owner, drop } = await testDb({ max: 6 });
  await owner.run(
    `create or replace function clock_now() returns timestamptz language sql stable parallel safe as
     $$ select timestamptz '${EPOCH.toISOString()}' + clock_offset from installation $$`,
  );
  const issuer = { name: NAME, url: 'http://kurs.test' };
  const sender = { tokens: openTokens(new Map([[1, randomBytes(32)]])), ...issuer };
  const receipts = { signatures: signaturesFrom([randomBytes(32)]), issuer };
  // Only for directions to find their currencies; each seed brings its own rails.
  useRails(new Map(['BTC', 'USDT', 'LTC'].map((name) => [name, placeholder(name).rail])));
  await db.tx(async (tx) => {
    await seedRates(tx, SEED.assets);
    await seedPricing(tx, SEED);
    for (const [key, value] of Object.entries(SETTINGS)) await putSetting(tx, key, value, 'simulation');
    await tx.run(`insert into network_cost (currency, fuel, parts, at)
      values ('BTC', 'BTC', 1500, 'infinity'), ('LTC', 'LTC', 1500, 'infinity'), ('USDT_ERC20', 'ETH', 200000000000000, 'infinity')`);
  });
  await outbox.subscribe(db, subscriptionsOfAll(sender));
  const deletions = await db.row<{ sql: string }>(
    `select string_agg(format('delete from %I', tablename), '; ') || ';
       delete from setting; delete from setting_history where by <> ''simulation''; insert into setting select key, value, version, by, at, mac from setting_history; update installation set clock_offset = ''0''' as sql
     from pg_tables where schemaname = 'public' and tablename <> all (string_to_array($1, ' '))`,
    [RETAINED],
  );
  const settings = await watchSettings(db);
  const rates = await watchRates(db);
  const pricing = await watchPricing(db);
  return {
    db,
    sender,
    receipts,
    async clear() {
      // As a replica: faster than `truncate`, and without the rules by which the ledger refuses deletion.
      await owner.tx((tx) => tx.run(`set local session_replication_role = replica; ${deletions?.sql}`));
      await settings.refresh();
    },
    async goOn(ms, now, btc) {
      const snapshot = { assets: pricesAt(now, btc), sources: {}, isSeeded: true };
      await db.run(GO_ON, [ms, now, JSON.stringify(snapshot)], { name: 'simulation.go_on' });
      await rates.refresh();
    },
    mustBeQuiet() {
      const [alarm] = alarms.splice(0);
      if (alarm !== undefined) throw new Error(alarm);
    },
    hush() {
      alarms.splice(0);
      // The log writes repeats of a line a minute later. A new destination drops the repeats of the dead process, too.
      listen();
    },
    async poll() {
      await settings.refresh();
      await pricing.refresh();
    },
    async close() {
      await pricing.stop();
      await rates.stop();
      await settings.stop();
      await drop();
    },
  };
}

const placeholder = (name: string): MemoryRail =>
  openMemoryRail({ id: name, currencies: [{ code: name === 'USDT' ? 'USDT_ERC20' : name, unit: name }] });

function pricesAt(now: Date, btc: number): SnapshotBody['assets'] {
  const of = (price: string) => ({ at: now.toISOString(), live: 3, deviation: '0.0100', bid: price, ask: price });
  return {
    USD: { bid: '1', ask: '1', live: 1, deviation: '0.0000' },
    USDT: of('1'),
    BTC: of(`${btc}`),
    ETH: of('3000'),
    LTC: of('80'),
  };
}
