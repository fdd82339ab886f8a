// The ledger's rows of the table of speed: `post` as the product calls it, in groups of those who ask at the same moment and
// alone, against what the same PostgreSQL gives the same driver, and against pgledger where its folder is given.
//
// Goals are ratios of neighbours measured in turn within the same seconds, for a shared machine is never twice the
// same.

import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { JournalRefused, alone, inGroups } from '../server/collecting/index.ts';
import { type Journal, accounts, leg, post } from '../server/ledger/index.ts';
import { type Db, configureMacs, migrate, newId, openDb } from '../server/platform/index.ts';
import { openPgledger, transferIn } from './harness/pgledger.ts';
import { openSimple } from './harness/simple.ts';

/** One line of the table. */
export interface SpeedRow {
  readonly what: string;
  readonly goal: string;
  readonly measured: string;
  readonly reached: boolean;
}

/** A durable PostgreSQL: the address of its superuser and the process id of its server. */
export interface BenchServer {
  readonly url: string;
  readonly pid: number;
}

export interface LedgerBench {
  /** Length of one measurement; 3 by default. */
  readonly seconds?: number;
  /** Rounds, of which the median counts; 5 by default. */
  readonly rounds?: number;
  /** Entries of the grown ledger; 5 million by default, which takes minutes to write. */
  readonly entries?: number;
}

interface World extends BenchServer {
  readonly client: pg.Client;
  readonly db: Db;
  /** The process that seals meanwhile, whose time counts too. */
  readonly sealer?: number | undefined;
}

/** Operations in a second, and microseconds of processor time for one, ours and PostgreSQL's. */
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

/** Between two wallets. */
function uniform(): Journal {
  const [from, to] = [wallet(), wallet()];
  return from === to ? uniform() : { ...BASICS, id: newId(), legs: [leg(from, to, amount())] };
}

/** Between a wallet and the one account that everybody pays or is paid by. */
function hot(): Journal {
  const legs = below(2) === 0 ? [leg(wallet(), HOUSE, amount())] : [leg(HOUSE, wallet(), amount())];
  return { ...BASICS, id: newId(), legs };
}

/** Runs `callers` loops of `act`, which gives how much it did, and measures `seconds` of it after a warm-up. */
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
  // One that fails while others are measured is told where all are waited for.
  ended.catch(() => {});
  const look = async () => ({ done, at: performance.now(), cpu: await processorTime(world) });
  await pause(500);
  const from = await look();
  await pause(seconds * 1000);
  const to = await look();
  isOver = true;
  await ended;
  return { rate: ((to.done - from.done) * 1000) / (to.at - from.at), cpu: (to.cpu - from.cpu) / (to.done - from.done) };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Microseconds of processor time so far: this process, who seals, PostgreSQL and its children (Linux; 0 for them elsewhere).
 */
async function processorTime({ pid: postgres, sealer }: World): Promise<number> {
  const own = process.cpuUsage();
  let ticks = 0;
  for (const entry of await readdir('/proc').catch(() => [])) {
    if (!/^[0-9]+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    const [, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isServer = entry === String(postgres);
    // proc_pid_stat(5): utime, stime and, for children that ended, cutime, cstime; in hundredths of a second.
    if (isServer || parent === String(postgres) || entry === String(sealer)) ticks += +(rest[9] ?? 0) + +(rest[10] ?? 0);
    if (isServer) ticks += +(rest[11] ?? 0) + +(rest[12] ?? 0);
  }
  return own.user + own.system + ticks * 10_000;
}

/** Postings a second of callers who each ask for one journal. What the ledger refuses is answered, too, and doesn't count. */
async function postings(
  world: World,
  callers: number,
  seconds: number,
  ask: (journal: Journal) => Promise<unknown>,
  make: () => Journal,
): Promise<Measured> {
  return drive(world, callers, seconds, async () => {
    try {
      await ask(make());
      return 1;
    } catch (error) {
      if (error instanceof JournalRefused) return 0;
      throw error;
    }
  });
}

/** By groups, as wallets' transfers are done. */
const inGroupsOf = ({ db }: World): ((journal: Journal) => Promise<unknown>) =>
  inGroups<Journal, undefined>(db, async (_tx, members) => members.map(({ asked, unit }) => unit.post(asked) as undefined));

/** Each in a transaction of its own. */
const aloneIn =
  ({ db }: World): ((journal: Journal) => Promise<unknown>) =>
  (journal) =>
    alone(db, async (unit) => unit.post(journal));

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** An empty database on the server. */
export async function freshDatabase({ url }: BenchServer, name: string): Promise<string> {
  const admin = await connect(url);
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.query(`create database ${name}`);
  await admin.end();
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

/** A fresh database on the server with a ledger of ten thousand funded wallets. */
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

/** Writes until the ledger has that many entries, then lets PostgreSQL come to rest. */
async function grow({ db, client }: World, entries: number): Promise<void> {
  for (let left = entries / 2; left > 0; left -= 512) {
    const journals = Array.from({ length: Math.min(512, left) }, uniform);
    await db.tx((tx) => post(tx, journals));
  }
  await client.query('vacuum analyze');
  await client.query('checkpoint');
}

/** Measures while another process seals journals, as the worker does; what was posted before is sealed first. */
async function whileSealing(world: World, measure: (world: World) => Promise<Measured>): Promise<Measured> {
  const sealer = fork(new URL('harness/sealer.ts', import.meta.url), [world.url, KEY.toString('hex')]);
  const ended = once(sealer, 'exit');
  const isReady = await Promise.race([once(sealer, 'message').then(() => true), ended.then(() => false)]);
  if (!isReady) throw new Error('the process that seals has ended');
  const measured = await measure({ ...world, sealer: sealer.pid });
  const { rows } = await world.client.query<{ left: number; wrong: number }>(SEALED);
  sealer.disconnect();
  await ended;
  const { left = 0, wrong = 0 } = rows[0] ?? {};
  // It seals each second and takes a moment for it; who falls further behind doesn't keep up.
  const behind = left / measured.rate;
  if (behind > 3 || wrong > 0) throw new Error(`sealing is ${behind.toFixed(1)} s behind and finds ${wrong} journals wrong`);
  return measured;
}

const SEALED = `select (select sum(wrong) from journal_seal)::int as wrong,
  (select coalesce(sum(octet_length(pack)) / 32, 0) from journal_macs
   where xid >= (select upto from journal_seal order by number desc limit 1))::int as left`;

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/**
 * Measures everything in turn, `rounds` times, each second time in the opposite order: what comes later finds a larger
 * database. Gives each measurement's medians and the medians of ratios.
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

const row = (what: string, sign: '≥' | '≤', goal: number, value: number, unit: string, words: string): SpeedRow => ({
  what,
  goal: `${sign} ${goal}${unit}`,
  measured: `${value.toFixed(unit === ' B' ? 0 : 2)}${unit} (${words})`,
  reached: sign === '≥' ? value >= goal : value <= goal,
});

/** The ledger's rows of the table of speed. Makes databases `bench_…` on the server. */
export async function ledgerRows(server: BenchServer, { seconds = 3, rounds = 5, entries = 5_000_000 }: LedgerBench = {}) {
  configureMacs(new Map([[1, KEY]]));
  const world = await openWorld(server, 'bench_ledger');
  const simple = await openSimple(server.url);
  const [groups, single] = [inGroupsOf(world), aloneIn(world)];
  const other = await pgledgerOf(server, world, seconds);
  const at = await alternate<string>(rounds, {
    ...of([1, 16, 64], 'groups at', (callers) => postings(world, callers, seconds, groups, uniform)),
    ...of([1, 16, 64], 'alone at', (callers) => postings(world, callers, seconds, single, uniform)),
    ...of([1, 16, 64], 'simple at', async (callers) => ({ rate: await simple.measure(callers, seconds), cpu: 0 })),
    ...of([16, 64], 'hot groups at', (callers) => postings(world, callers, seconds, groups, hot)),
    ...other,
    'sealed at 64': () => whileSealing(world, (sealed) => postings(sealed, 64, seconds, groups, uniform)),
  });
  await simple.close();
  const size = await world.client.query<{ bytes: string }>(
    `select (pg_total_relation_size('posting') + pg_total_relation_size('journal_macs')) / count(*) as bytes from posting`,
  );
  const grown = await openWorld(server, 'bench_ledger_grown');
  await grow(grown, entries);
  const empty = await openWorld(server, 'bench_ledger_empty');
  const later = await alternate(rounds, {
    grown: () => postings(grown, 64, seconds, inGroupsOf(grown), uniform),
    empty: () => postings(empty, 64, seconds, inGroupsOf(empty), uniform),
  });
  for (const { client, db } of [world, grown, empty]) await Promise.all([client.end(), db.close()]);
  const against = (name: string, goal: number, base: string): SpeedRow =>
    row(`post ${name} callers ÷ ${base.replace(/ at .*/, '')}`, '≥', goal, at.ratio(name, base), '×', at.words(name, base));
  return [
    against('groups at 1', 0.5, 'simple at 1'), against('groups at 16', 2, 'simple at 16'), against('groups at 64', 4, 'simple at 64'),
    against('alone at 1', 0.5, 'simple at 1'), against('alone at 16', 0.5, 'simple at 16'), against('alone at 64', 0.5, 'simple at 64'),
    ...('pgledger at 16' in other
      ? [
          against('groups at 16', 4, 'pgledger at 16'), against('groups at 64', 4, 'pgledger at 64'),
          against('hot groups at 16', 8, 'pgledger, hot at 16'), against('hot groups at 64', 8, 'pgledger, hot at 64'),
        ]
      : []),
    row('one hot account ÷ uniform, in groups of 64 callers', '≥', 1, at.ratio('hot groups at 64', 'groups at 64'), '', at.words('hot groups at 64', 'groups at 64')),
    row('transfers with sealing ÷ without, at 64 callers', '≥', 0.9, at.ratio('sealed at 64', 'groups at 64'), '', at.words('sealed at 64', 'groups at 64')),
    row('storage per transfer', '≤', 330, +(size.rows[0]?.bytes ?? 0), ' B', 'with its indexes and its MAC'),
    row(`transfers/s at ${entries} entries ÷ empty`, '≥', 0.95, later.ratio('grown', 'empty'), '', later.words('grown', 'empty')),
  ];
} // prettier-ignore

type Measures = Record<string, () => Promise<Measured>>;

/** The same measure of several numbers of callers. */
const of = (all: readonly number[], name: string, measure: (callers: number) => Promise<Measured>): Measures =>
  Object.fromEntries(all.map((callers) => [`${name} ${callers}`, () => measure(callers)]));

/** pgledger's measures, where its folder is given. */
async function pgledgerOf(server: BenchServer, world: World, seconds: number): Promise<Measures> {
  const folder = process.env['PGLEDGER'];
  if (folder === undefined) return {};
  const pgledger = await openPgledger(folder, await freshDatabase(server, 'bench_pgledger'), ACCOUNTS);
  const measure = async (callers: number, isHot: boolean): Promise<Measured> => {
    const clients = await Promise.all(Array.from({ length: callers }, () => connect(pgledger.url)));
    const measured = await drive(world, callers, seconds, async (caller) => {
      await transferIn(clients[caller] as pg.Client, pgledger, isHot);
      return 1;
    });
    await Promise.all(clients.map((client) => client.end()));
    return measured;
  };
  return {
    ...of([16, 64], 'pgledger at', (callers) => measure(callers, false)),
    ...of([16, 64], 'pgledger, hot at', (callers) => measure(callers, true)),
  };
}
