// Measures the ledger's rows of the table of speed: `post` as the product calls it, in groups of simultaneous callers, compared
// with pgledger if its folder is given; and the storage and speed of a grown ledger.
//
// Goals are ratios of neighbours measured in turn within the same seconds, since the speed of a shared machine varies.

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { JournalRefused, inGroups } from '../server/collecting/index.ts';
import { type Journal, accounts, leg, post } from '../server/ledger/index.ts';
import { type Db, configureMacs, migrate, newId, openDb } from '../server/platform/index.ts';
import { type Rounds, cpuOf, cpuOfFamily, median } from './harness/measure.ts';
import { openPgledger, transferIn } from './harness/pgledger.ts';
import { type BenchServer, freshDatabase } from './harness/postgres.ts';
import { type SpeedRow, joined, row } from './harness/table.ts';

export interface LedgerBench extends Rounds {
  /** Entries of the grown ledger. Five million take minutes to write. */
  readonly entries: number;
}

interface World extends BenchServer {
  readonly client: pg.Client;
  readonly db: Db;
}

/** Operations in a second, and microseconds of processor time for one, of our process and of PostgreSQL. */
interface Measured {
  readonly rate: number;
  readonly cpu: number;
}

const KEY = randomBytes(32);

const ACCOUNTS = 10_000;
const UNIT = 'USDT';
const CAUSE = newId();
const BASICS = { kind: 'transfer', cause: CAUSE, prices: { [UNIT]: '1.0003' } } as const;
const WALLETS = Array.from({ length: ACCOUNTS }, (_, index) => accounts.wallet(`user-${index}`, UNIT));
const HOUSE = accounts.wallet('house', UNIT);
const BANK = accounts.custody('USDT_ERC20', 'hot', UNIT);

const below = (limit: number): number => Math.floor(Math.random() * limit);
const wallet = () => WALLETS[below(ACCOUNTS)] as (typeof WALLETS)[number];
const amount = (): bigint => BigInt(1 + below(2_000_000));

/** Journal between two wallets. */
function uniform(): Journal {
  const [from, to] = [wallet(), wallet()];
  return from === to ? uniform() : { ...BASICS, id: newId(), legs: [leg(from, to, amount())] };
}

/** Journal between a wallet and the one account that takes part in every hot transfer. */
function hot(): Journal {
  const legs = below(2) === 0 ? [leg(wallet(), HOUSE, amount())] : [leg(HOUSE, wallet(), amount())];
  return { ...BASICS, id: newId(), legs };
}

/** Runs `callers` loops of `act`, which returns its number of operations, and measures `seconds` of it after a warm-up. */
async function drive(
  world: World,
  callers: number,
  seconds: number,
  act: (caller: number) => Promise<number>,
): Promise<Measured> {
  let done = 0;
  let isOver = false;
  const loops = Array.from({ length: callers }, async (_, caller) => {
    while (!isOver) {
      const more = await act(caller);
      done += more;
    }
  });
  const ended = Promise.all(loops);
  // A loop that fails during the measurement is reported when all are awaited.
  ended.catch(() => {});
  const poll = () => ({ done, at: performance.now(), cpu: cpuOf(process.pid) + cpuOfFamily(world.pid) });
  await pause(500);
  const from = poll();
  await pause(seconds * 1000);
  const to = poll();
  isOver = true;
  await ended;
  return { rate: ((to.done - from.done) * 1000) / (to.at - from.at), cpu: (to.cpu - from.cpu) / (to.done - from.done) };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Postings a second, in groups as for transfers of wallets, with callers who post one journal at a time. */
async function postings(world: World, callers: number, seconds: number, make: () => Journal): Promise<Measured> {
  const ask = inGroups<Journal, undefined>(world.db, async (_tx, members) =>
    members.map(({ request, unit }) => unit.post(request) as undefined),
  );
  return drive(world, callers, seconds, async () => {
    try {
      await ask(make());
      return 1;
    } catch (error) {
      // A refusal is an answer that does not count.
      if (error instanceof JournalRefused) return 0;
      throw error;
    }
  });
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** Makes a fresh database on the server with a ledger of ten thousand funded wallets. */
async function openWorld(server: BenchServer, name: string): Promise<World> {
  const url = await freshDatabase(server, name);
  await migrate(url, 'sandbox');
  const db = openDb({ url, name: 'bench-ledger', max: 70, budget: 20_000, connectMs: 20_000 });
  for (let at = 0; at < ACCOUNTS; at += 500) {
    const legs = WALLETS.slice(at, at + 500).map((one) => leg(BANK, one, 10n ** 12n));
    const all = at === 0 ? [...legs, leg(BANK, HOUSE, 10n ** 16n)] : legs;
    await db.tx((tx) => post(tx, [{ ...BASICS, kind: 'deposit', id: newId(), legs: all }]));
  }
  const client = await connect(url);
  await client.query('vacuum analyze');
  return { ...server, url, client, db };
}

/** Writes until the ledger has that many entries, then waits until PostgreSQL is idle. */
async function grow({ db, client }: World, entries: number): Promise<void> {
  for (let left = entries / 2; left > 0; left -= 512) {
    const journals = Array.from({ length: Math.min(512, left) }, uniform);
    await db.tx((tx) => post(tx, journals));
  }
  await client.query('vacuum analyze');
  await client.query('checkpoint');
}

/**
 * Measures everything in turn, `rounds` times, every second time in the opposite order, since later measurements find a larger
 * database. Returns each measurement's medians and the medians of ratios.
 */
async function alternate<K extends string>(rounds: number, measures: Record<K, () => Promise<Measured>>) {
  const rates: Partial<Record<K, number[]>> = {};
  const cpus: Partial<Record<K, number[]>> = {};
  for (let round = 0; round < rounds; round += 1) {
    const names = Object.keys(measures) as K[];
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const { rate, cpu } = await measures[name]();
      (rates[name] ??= []).push(rate);
      (cpus[name] ??= []).push(cpu);
    }
  }
  const each = (name: K) => rates[name] as number[];
  return {
    ratio: (one: K, other: K) => median(each(one).map((rate, round) => rate / (each(other)[round] as number))),
    words: (...names: K[]) =>
      names
        .map((name) => `${name} ${Math.round(median(each(name)))}/s, ${Math.round(median(cpus[name] as number[]))} µs CPU`)
        .join('; '),
  };
}

/** Measures the ledger's rows of the table of speed. Makes databases `bench_…` on the server. */
export async function ledgerRows(server: BenchServer, { seconds, rounds, entries }: LedgerBench): Promise<SpeedRow[]> {
  configureMacs(new Map([[1, KEY]]));
  return [...(await pgledgerRows(server, { seconds, rounds })), ...(await grownRows(server, { seconds, rounds, entries }))];
}

/** Compares `post` with pgledger, uniform and with one hot account. Returns no rows if its folder is not given. */
async function pgledgerRows(server: BenchServer, { seconds, rounds }: Rounds): Promise<SpeedRow[]> {
  const folder = process.env['PGLEDGER'];
  if (folder === undefined) {
    process.stdout.write('PGLEDGER names no folder of pgledger: its rows are left out\n');
    return [];
  }
  const world = await openWorld(server, 'bench_ledger');
  const pgledger = await openPgledger(folder, await freshDatabase(server, 'bench_pgledger'), ACCOUNTS);
  const transfers = async (callers: number, isHot: boolean): Promise<Measured> => {
    const clients = await Promise.all(Array.from({ length: callers }, () => connect(pgledger.url)));
    const measured = await drive(world, callers, seconds, async (caller) => {
      await transferIn(clients[caller] as pg.Client, pgledger, isHot);
      return 1;
    });
    await Promise.all(clients.map((client) => client.end()));
    return measured;
  };
  const at = await alternate<string>(rounds, {
    ...of([16, 64], 'post at', (callers) => postings(world, callers, seconds, uniform)),
    ...of([16, 64], 'post hot at', (callers) => postings(world, callers, seconds, hot)),
    ...of([16, 64], 'pgledger at', (callers) => transfers(callers, false)),
    ...of([16, 64], 'pgledger hot at', (callers) => transfers(callers, true)),
  });
  await closeWorld(world);
  const against = (what: string, goal: number): SpeedRow => {
    const both = [16, 64].map((callers) => {
      const [name, base] = [`post ${what} ${callers}`, `pgledger ${what} ${callers}`];
      return row(name, '≥', goal, at.ratio(name, base), '×', at.words(name, base));
    });
    return joined(`post ${what} 16, 64 ÷ pgledger`, both);
  };
  return [against('at', 4), against('hot at', 8)];
}

/** Measures storage and speed of a ledger with so many entries. */
async function grownRows(server: BenchServer, { seconds, rounds, entries }: LedgerBench): Promise<SpeedRow[]> {
  const grown = await openWorld(server, 'bench_ledger_grown');
  await grow(grown, entries);
  const empty = await openWorld(server, 'bench_ledger_empty');
  const at = await alternate(rounds, {
    grown: () => postings(grown, 64, seconds, uniform),
    empty: () => postings(empty, 64, seconds, uniform),
  });
  // The grown ledger was written in larger groups than callers make.
  const size = await empty.client.query<{ bytes: string }>(
    `select (pg_total_relation_size('posting') + pg_total_relation_size('journal_macs')) / count(*) as bytes from posting`,
  );
  for (const world of [grown, empty]) await closeWorld(world);
  return [
    row('storage per transfer', '≤', 330, Number(size.rows[0]?.bytes), ' B', 'with its indexes and its MAC'),
    row(`transfers at ${entries} entries ÷ empty ledger`, '≥', 0.95, at.ratio('grown', 'empty'), '', at.words('grown', 'empty')),
  ];
}

async function closeWorld({ client, db }: World): Promise<void> {
  await Promise.all([client.end(), db.close()]);
}

type Measures = Record<string, () => Promise<Measured>>;

/** Repeats a measure for several numbers of callers. */
const of = (all: readonly number[], name: string, measure: (callers: number) => Promise<Measured>): Measures =>
  Object.fromEntries(all.map((callers) => [`${name} ${callers}`, () => measure(callers)]));
