import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from '@kurs/money';
import { configureCompliance } from '../../compliance/index.ts';
import { accounts, post } from '../../ledger/index.ts';
import { useRails } from '../../payments/index.ts';
import { writeBalanceMacs } from '../../payments/testing.ts';
import type { Db } from '../../platform/index.ts';
import { testDb } from '../../platform/testing.ts';
import type { Rail, RailCurrency } from '../../rails/rail.ts';
import { type SnapshotBody, recordSnapshot, seedRates, watchRates } from '../../rates/index.ts';
import { seedPricing } from '../seed.ts';
import { writeNetworkCosts } from '../directions/store.ts';
import { type PricingOptions, watchPricing } from '../known/watch.ts';

/** Contents of the product's seed file. */
const defaults = JSON.parse(readFileSync(new URL('../../bin/seed/defaults.json', import.meta.url), 'utf8')) as {
  assets: unknown;
  currencies: unknown;
  directions: { from: string; to: string }[];
  feedCodes: unknown;
};
/** True if the rails of this simulated desk carry both currencies. */
const isCarried = (one: { from: string; to: string }): boolean =>
  [one.from, one.to].every((code) => code === 'BTC' || code === 'USDT_ERC20');

const currency = (code: string, unit: string, more: Partial<RailCurrency>): RailCurrency => ({
  code,
  unit,
  railScale: 8,
  payDigits: 8,
  network: code,
  fields: [{ name: 'address', label: 'accounts.address', type: 'address', required: true }],
  dust: 546n,
  fuel: 'BTC',
  arrivesAt: 'hot',
  ...more,
});

/** Makes a rail that only has currencies and a sending cost: pricing uses nothing else of a rail. */
function quietRail(id: string, fuel: string, parts: bigint, ...currencies: RailCurrency[]): Rail {
  const never = async (): Promise<never> => {
    throw new Error(`${id} was asked for more than a price`);
  };
  return {
    id,
    kind: 'chain',
    currencies,
    payout: {
      batch: 1,
      proof: () => ({ lookUp: 'nothing', dedupeMinutes: 0 }),
      prepare: never,
      send: never,
      find: never,
      estimate: async () => ({ currency: fuel, parts }),
    },
    reserve: async () => [],
    health: async () => ({ isUp: true, detail: 'up' }),
    close: async () => {},
  } as Rail;
}

/**
 * A simulated desk for tests, with prices, money and working rails: 50 BTC and 2 000 000 USDT; a bitcoin costs 90 000 USD, and an
 * ETH 3 000.
 */
export interface PricedWorld {
  readonly db: Db;
  /** Connection as the database's owner, who has all rights. */
  readonly owner: Db;
  /** Stores a snapshot with the usual prices, changed by `assets`; `null` removes an asset. */
  rates(assets?: Readonly<Record<string, Partial<SnapshotBody['assets'][string]> | null>>): Promise<void>;
  /** Sets the amount that a rail confirms as payable, in decimals of the unit. */
  payable(code: string, unit: string, amount: string): Promise<void>;
  /** Sets the cost of sending a currency, as a decimal in `fuel`. */
  cost(code: string, fuel: string, amount: string): Promise<void>;
  railUp(rail: string, up: boolean): Promise<void>;
  /** Refreshes this process's rates and view now. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a simulated desk in a fresh database, and starts watching its rates and prices. */
export async function openPricedWorld(options: PricingOptions = {}): Promise<PricedWorld> {
  const { db, owner, drop } = await testDb();
  const bitcoin = quietRail('bitcoin', 'BTC', 1_500n, currency('BTC', 'BTC', {}));
  const usdt = { railScale: 6, payDigits: 2, dust: 10_000n, fuel: 'ETH', arrivesAt: 'deposit' } as const;
  const evm = quietRail('evm', 'ETH', 65_000n * 10n ** 9n, currency('USDT_ERC20', 'USDT', usdt));
  const dollars = { railScale: 2, payDigits: 2, dust: 1n, fuel: 'PAYEER_USD' } as const;
  const payeer = quietRail('payeer', 'PAYEER_USD', 100n, currency('PAYEER_USD', 'PAYEER_USD', dollars));
  useRails(
    new Map<string, Rail>([
      ['bitcoin', bitcoin],
      ['evm', evm],
      ['payeer', { ...payeer, kind: 'provider' }],
    ]),
  );
  configureCompliance({ botKey: 'key', isLoopbackCounted: true });
  await db.tx(async (tx) => {
    await seedRates(tx, defaults.assets);
    await seedPricing(tx, { ...defaults, directions: defaults.directions.filter(isCarried) });
    const capital = (code: string, unit: string, amount: string) => ({
      id: randomUUID(),
      kind: 'capital_in' as const,
      cause: randomUUID(),
      legs: [{ from: accounts.custody(code, 'hot', unit), to: accounts.deskFree(unit), parts: parse(unit, amount).parts }],
    });
    await post(tx, [capital('BTC', 'BTC', '50'), capital('USDT_ERC20', 'USDT', '2000000')]);
  });
  let watches: { refresh(): Promise<void>; stop(): Promise<void> }[] = [];
  const world: PricedWorld = {
    db,
    owner,
    async rates(assets = {}) {
      const at = (await db.now()).toISOString();
      const usual = { at, live: 3, deviation: '0.0500' };
      const base: SnapshotBody['assets'] = {
        USD: { bid: '1', ask: '1', live: 1, deviation: '0.0000' },
        USDT: { ...usual, bid: '1', ask: '1', deviation: '0.0100' },
        BTC: { ...usual, bid: '90000', ask: '90000' },
        ETH: { ...usual, bid: '3000', ask: '3000' },
      };
      const changed = Object.entries(base).flatMap(([code, price]) =>
        assets[code] === null ? [] : [[code, { ...price, ...assets[code] }] as const],
      );
      await db.tx((tx) => recordSnapshot(tx, { assets: Object.fromEntries(changed), sources: {}, isSeeded: true }));
      await world.refresh();
    },
    async payable(code, unit, amount) {
      await db.run(
        `insert into rail_balance (rail, currency, place, unit, parts, payable, free, read_at)
         values ($1, $2, 'hot', $3, $4, $4, $4, clock_now())
         on conflict (currency, place) do update set parts = excluded.parts, payable = excluded.payable, free = excluded.free`,
        [code === 'BTC' ? 'bitcoin' : 'evm', code, unit, parse(unit, amount).parts],
      );
      await writeBalanceMacs(db);
      await world.refresh();
    },
    async cost(code, fuel, amount) {
      await writeNetworkCosts(db, new Map([[code, { fuel, parts: parse(fuel, amount).parts }]]));
      await world.refresh();
    },
    async railUp(rail, up) {
      await db.run(
        `insert into rail_state (rail, up, detail, since, checked_at) values ($1, $2, 'test', clock_now(), clock_now())
         on conflict (rail) do update set up = excluded.up`,
        [rail, up],
      );
      await world.refresh();
    },
    refresh: async () => {
      for (const watch of watches) await watch.refresh();
    },
    async close() {
      for (const watch of watches.toReversed()) await watch.stop();
      await drop();
    },
  };
  await world.railUp('bitcoin', true);
  await world.railUp('evm', true);
  await world.payable('BTC', 'BTC', '50');
  await world.payable('USDT_ERC20', 'USDT', '2000000');
  await world.cost('BTC', 'BTC', '0.00001500');
  await world.cost('USDT_ERC20', 'ETH', '0.0002');
  await world.rates();
  watches = [await watchRates(db), await watchPricing(db, options)];
  return world;
}
