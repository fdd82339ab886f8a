// The ledger's rows of the table of speed: its doors against what the same PostgreSQL gives the same driver.
//
// Goals are ratios of neighbours measured in turn within the same seconds, for a shared machine is never twice the
// same.

import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { type Journal, accounts, leg, openWriter } from '../server/ledger/index.ts';
import { configureMacs, migrate, newId } from '../server/platform/index.ts';

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
  /** The last number given to an entry of the bare tables. */
  seq: number;
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
const FEES = accounts.wallet('fees', UNIT);
const BANK = accounts.custody('USDT_ERC20', 'hot', UNIT);

const below = (limit: number): number => Math.floor(Math.random() * limit);
const wallet = () => WALLETS[below(ACCOUNTS)] as (typeof WALLETS)[number];
/** An amount; one of a hundred is more than there is. */
const amount = (): bigint => (below(100) === 0 ? 10n ** 17n : BigInt(1 + below(2_000_000)));

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

/** From one wallet to two others, and a fee. */
function threeLegs(): Journal {
  const [from, one, other] = [wallet(), wallet(), wallet()];
  if (from === one || from === other) return threeLegs();
  return { ...BASICS, id: newId(), legs: [leg(from, one, amount()), leg(from, other, 900_000n), leg(from, FEES, 15_000n)] };
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
  const look = async () => ({ done, at: performance.now(), cpu: await processorTime(world) });
  await pause(500);
  const from = await look();
  await pause(seconds * 1000);
  const to = await look();
  isOver = true;
  await Promise.all(loops);
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

/** Postings a second through the writer. One call of two hundred asks again for what the caller asked before. */
async function viaWriter(world: World, callers: number, seconds: number, make: () => Journal): Promise<Measured> {
  const writer = openWriter({ url: world.url });
  const last: Journal[] = [];
  const measured = await drive(world, callers, seconds, async (caller) => {
    const journal = (below(200) === 0 && last[caller]) || make();
    last[caller] = journal;
    const { status } = await writer.post(journal);
    return status === 'posted' ? journal.legs.length : 0;
  });
  await writer.close();
  return measured;
}

/** pgbench's "simple update", one connection for each caller: what one would write without batches. */
async function viaSimpleUpdates(world: World, callers: number, seconds: number): Promise<Measured> {
  const clients = await Promise.all(Array.from({ length: callers }, () => connect(world.url)));
  const measured = await drive(world, callers, seconds, async (caller) => {
    const client = clients[caller] as pg.Client;
    const values = [below(ACCOUNTS), below(2_000_000)];
    await client.query('begin');
    await client.query({ name: 'update', text: 'update simple set balance = balance + $2 where id = $1', values });
    await client.query({ name: 'select', text: 'select balance from simple where id = $1', values: [values[0]] });
    await client.query({ name: 'insert', text: 'insert into simple_history values ($1, $2, now())', values });
    await client.query('commit');
    return 1;
  });
  await Promise.all(clients.map((client) => client.end()));
  return measured;
}

const BARE_TABLES = `
  create table bare_posting (like posting including indexes);
  create table bare_account (like account including indexes) with (fillfactor = 60);
  create table simple (id int primary key, balance bigint, filler text) with (fillfactor = 60);
  create table simple_history (id int, change bigint, at timestamptz);
  insert into simple select id, 0, repeat('x', 60) from generate_series(0, ${ACCOUNTS - 1}) id;
  insert into bare_account table account;`;
const BARE_INSERT = `insert into bare_posting select now(), line.* from unnest($1::bigint[], $2::bigint[], $3::bigint[],
  $4::bigint[], $5::smallint[], $6::smallint[], $7::uuid[], $8::uuid[], $9::numeric[], $10::numeric[], $11::numeric[],
  $12::numeric[]) as line`;
const BARE_UPDATE = `update bare_account set balance = line.balance, seq = line.seq, at = now()
  from unnest($1::bigint[], $2::numeric[], $3::bigint[]) as line (id, balance, seq) where bare_account.id = line.id`;

/**
 * The floor of any set-based ledger with these columns and indexes: one transaction inserts a batch's rows and updates
 * its accounts. Nothing is locked, looked up, checked or answered.
 */
async function viaBareStatements(world: World, batch: number, legs: number, seconds: number): Promise<Measured> {
  const client = await connect(world.url);
  await client.query('set plan_cache_mode = force_generic_plan');
  const { rows } = await client.query<{ id: string }>(`select id from bare_account order by id limit ${ACCOUNTS}`);
  const ids = rows.map(({ id }) => id);
  const list = (values: readonly unknown[]) => `{${values.join(',')}}`;
  const fill = (length: number, value: unknown) => list(Array.from({ length }, () => value));
  const measured = await drive(world, 1, seconds, async () => {
    const rowsOfBatch = batch * legs;
    const numbers = Array.from({ length: rowsOfBatch }, (_, index) => index);
    const journals = Array.from({ length: batch }, () => newId());
    const from = numbers.map(() => below(ACCOUNTS));
    // Two of the three other sides are as many accounts as the writer's; the fee's is one.
    const to = from.map((place, index) => (index % 3 === 2 && legs === 3 ? 0 : (place + 1 + below(ACCOUNTS - 1)) % ACCOUNTS));
    if (legs === 3) for (const index of numbers) from[index] = from[index - (index % 3)] as number;
    const seqs = list(numbers.map((index) => world.seq + index));
    const parts = list(numbers.map(() => 1 + below(2_000_000)));
    const balances = list(numbers.map(() => 10 ** 12 + below(2_000_000)));
    const touched = [...new Set([...from, ...to])];
    const values = [
      list(from.map((place) => ids[place])), seqs, list(to.map((place) => ids[place])), seqs,
      list(numbers.map((index) => index % legs)), fill(rowsOfBatch, 56), list(numbers.map((index) => journals[Math.floor(index / legs)])),
      fill(rowsOfBatch, CAUSE), parts, balances, balances, fill(rowsOfBatch, '1.0003'),
    ]; // prettier-ignore
    await client.query('begin');
    await client.query({ name: 'insert', text: BARE_INSERT, values });
    const changed = [touched.map((place) => ids[place]), touched.map((place) => 10 ** 12 + place), touched.map(() => world.seq)];
    await client.query({ name: 'update', text: BARE_UPDATE, values: changed.map(list) });
    await client.query('commit');
    world.seq += rowsOfBatch;
    return rowsOfBatch;
  });
  await client.end();
  return measured;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** A fresh database on the server with a ledger of ten thousand funded wallets. */
async function openWorld(server: BenchServer, name: string): Promise<World> {
  const admin = await connect(server.url);
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.query(`create database ${name}`);
  await admin.end();
  const address = new URL(server.url);
  address.pathname = `/${name}`;
  const url = address.href;
  await migrate(url, 'sandbox');
  const writer = openWriter({ url });
  for (let at = 0; at < ACCOUNTS; at += 500) {
    const legs = WALLETS.slice(at, at + 500).map((one) => leg(BANK, one, 10n ** 12n));
    await writer.post({
      ...BASICS,
      kind: 'deposit',
      id: newId(),
      legs: at === 0 ? [...legs, leg(BANK, HOUSE, 10n ** 16n)] : legs,
    });
  }
  await writer.close();
  const client = await connect(url);
  await client.query(BARE_TABLES);
  await client.query('vacuum analyze');
  return { ...server, url, client, seq: 1 };
}

/** Writes until the ledger has that many entries, then lets PostgreSQL come to rest. */
async function grow({ url, client }: World, entries: number): Promise<void> {
  const writer = openWriter({ url });
  let left = entries / 2;
  const loops = Array.from({ length: 512 }, async () => {
    while (left > 0) {
      left -= 1;
      await writer.post(uniform());
    }
  });
  await Promise.all(loops);
  await writer.close();
  await client.query('vacuum analyze');
  await client.query('checkpoint');
}

/** Measures while another process seals journals, as the worker does; what was posted before is sealed first. */
async function whileSealing(world: World, measure: (world: World) => Promise<Measured>): Promise<Measured> {
  const sealer = fork(new URL('sealer.ts', import.meta.url), [world.url, KEY.toString('hex')]);
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

/** The ledger's rows of the table of speed. Makes and drops databases `bench_ledger…` on the server. */
export async function ledgerRows(server: BenchServer, { seconds = 3, rounds = 5, entries = 5_000_000 }: LedgerBench = {}) {
  configureMacs(new Map([[1, KEY]]));
  const world = await openWorld(server, 'bench_ledger');
  const at = await alternate(rounds, {
    'transfers at 16': () => viaWriter(world, 16, seconds, uniform),
    'simple at 16': () => viaSimpleUpdates(world, 16, seconds),
    'transfers at 64': () => viaWriter(world, 64, seconds, uniform),
    'simple at 64': () => viaSimpleUpdates(world, 64, seconds),
    'bare, one leg': () => viaBareStatements(world, 256, 1, seconds),
    'writer at 256': () => viaWriter(world, 256, seconds, uniform),
    'sealed at 256': () => whileSealing(world, (sealed) => viaWriter(sealed, 256, seconds, uniform)),
  });
  const size = await world.client.query<{ bytes: string }>(
    `select (pg_total_relation_size('posting') + pg_total_relation_size('journal_macs')) / count(*) as bytes from posting`,
  );
  const many = await openWorld(server, 'bench_ledger_many');
  const and = await alternate(rounds, {
    'hot at 64': () => viaWriter(many, 64, seconds, hot),
    'uniform at 64': () => viaWriter(many, 64, seconds, uniform),
    'bare, three legs': () => viaBareStatements(many, 256, 3, seconds),
    'writer at 256': () => viaWriter(many, 256, seconds, threeLegs),
  });
  await many.client.end();
  const grown = await openWorld(server, 'bench_ledger_grown');
  await grow(grown, entries);
  const empty = await openWorld(server, 'bench_ledger_empty');
  const later = await alternate(rounds, {
    grown: () => viaWriter(grown, 64, seconds, uniform),
    empty: () => viaWriter(empty, 64, seconds, uniform),
  });
  for (const { client } of [world, grown, empty]) await client.end();
  const words = at.words;
  return [
    row('transfers at 16 callers ÷ simple one-transaction updates', '≥', 2, at.ratio('transfers at 16', 'simple at 16'), '×', words('transfers at 16', 'simple at 16')),
    row('transfers at 64 callers ÷ simple one-transaction updates', '≥', 4, at.ratio('transfers at 64', 'simple at 64'), '×', words('transfers at 64', 'simple at 64')),
    row('one hot account ÷ uniform, at 64 callers', '≥', 1, and.ratio('hot at 64', 'uniform at 64'), '', and.words('hot at 64', 'uniform at 64')),
    row('group writer at 256 callers ÷ bare set-based floor, one-leg journals', '≥', 0.65, at.ratio('writer at 256', 'bare, one leg'), '', words('writer at 256', 'bare, one leg')),
    row('group writer at 256 callers ÷ bare set-based floor, three-leg journals', '≥', 0.55, and.ratio('writer at 256', 'bare, three legs'), '', and.words('writer at 256', 'bare, three legs')),
    row('transfers with sealing ÷ without, at 256 callers', '≥', 0.9, at.ratio('sealed at 256', 'writer at 256'), '', words('sealed at 256', 'writer at 256')),
    row('storage per transfer', '≤', 330, +(size.rows[0]?.bytes ?? 0), ' B', 'with its indexes and its MAC'),
    row(`transfers/s at ${entries} entries ÷ empty`, '≥', 0.9, later.ratio('grown', 'empty'), '', later.words('grown', 'empty')),
  ]; // prettier-ignore
}
