// A full disk: PostgreSQL on a small file system that is filled while orders run. Callers get `unavailable`; nothing is lost or
// paid twice; and everything goes on once there is room again.

import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@kurs/contract';
import { accounts, balance } from '../ledger/index.ts';
import {
  type ClusterPlace,
  clusterUrl,
  createCluster,
  runPostgres,
  placeCluster,
  waitForPostgres,
} from '../platform/process/cluster.ts';
import { freePort } from '../platform/base/ports.ts';
import { RESTING, type StoredOrder } from '../exchange/index.ts';

import { type World, openWorld } from '../exchange/testing.ts';

const MEGABYTES = 192;
const PASSWORD = 'test';
/** Nothing is written later: the effect of a full disk on a commit is the subject. */
const SETTINGS = { shared_buffers: '16MB', max_wal_size: '8MB', min_wal_size: '2MB', log_min_messages: 'panic' };
const TRIES = 60;

const home = mkdtempSync(join(tmpdir(), 'kurs-small-'));
const ballast = join(home, 'ballast');
let place: ClusterPlace;
let port: number;
let keeper: ChildProcess;
let world: World;

before(async () => {
  // Needs the right to mount, as root in a container or on a build machine.
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m,mode=755`, 'kurs-small', home]);
  place = { ...(await placeCluster(join(home, 'place'))), directory: join(home, 'cluster') };
  await createCluster(place, PASSWORD, ['--wal-segsize=1', '--no-sync']);
  port = await freePort();
  await serve();
  process.env['KURS_TEST_DATABASE_URL'] = clusterUrl(place.directory, port, { password: PASSWORD });
  world = await openWorld();
});
after(async () => {
  await world?.close();
  if (keeper?.connected) keeper.disconnect();
  if (keeper && keeper.exitCode === null && keeper.signalCode === null) await once(keeper, 'exit');
  execFileSync('umount', ['-l', home]);
  rmSync(home, { recursive: true, force: true });
});

/** Starts the server; like the supervisor, it restarts one that has ended. */
async function serve(): Promise<void> {
  keeper = await runPostgres({ place, port, settings: SETTINGS });
}

/** Fills the file system to its last byte. */
function fill(): void {
  const file = openSync(ballast, 'a');
  try {
    for (const size of [1 << 20, 1 << 12, 1]) {
      const block = Buffer.alloc(size);
      try {
        for (;;) writeSync(file, block);
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
      }
    }
  } finally {
    closeSync(file);
  }
}

/** Runs work while there is no room. Returns the error that it threw. */
async function tried(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error;
  }
}

async function roomAgain(): Promise<void> {
  rmSync(ballast);
  if (keeper.exitCode !== null || keeper.signalCode !== null) await serve();
  await waitForPostgres(clusterUrl(place.directory, port, { password: PASSWORD }));
}

test('a full disk: clear answers, nothing lost, nothing paid twice, and it goes on', { timeout: 300_000 }, async (t) => {
  const orders: StoredOrder[] = [];
  for (let at = 0; at < 4; at += 1) orders.push(await world.place(at % 2 === 0 ? {} : { from: 'USDT_ERC20', amount: '500' }));
  world.pay(orders[0]!);
  await world.mine(1);
  for (const order of orders.slice(1)) world.pay(order);

  fill();
  const thrown: unknown[] = [];
  for (let at = 0; at < TRIES && thrown.length < 8; at += 1) {
    for (const work of [() => world.mine(6), async () => void orders.push(await world.place())]) {
      const error = await tried(work);
      if (error !== undefined) thrown.push(error);
    }
    // Uses up room that was freed meanwhile.
    await tried(async () => fill());
  }
  const codes = thrown.map((error) => (error instanceof Problem ? error.code : String(error)));
  t.diagnostic(`while it was full: ${codes.length} refusals, ${new Set(codes).size} kind`);
  assert.deepEqual([...new Set(codes)], ['unavailable']);

  await roomAgain();
  for (let at = 0; at < 100 && (await open(orders)).length > 0; at += 1) {
    if (await tried(() => world.mine(6))) await sleep(200);
    for (const order of await open(orders)) if (order.view.payments.length === 0) world.pay(order);
  }
  assert.deepEqual(
    (await open(orders)).map(({ view }) => view.state),
    [],
  );
  const late = await world.place();
  world.pay(late);
  await world.mine(6);
  await world.mine(6);
  await world.mine(6);
  assert.equal((await world.order(late)).view.state, 'completed');
  await mustBeTrue();
});

/** Returns the orders that are not at rest. */
async function open(orders: readonly StoredOrder[]): Promise<StoredOrder[]> {
  const now = await Promise.all(orders.map((order) => world.order(order)));
  return now.filter(({ view }) => !RESTING.has(view.state));
}

/** Checks that the books are right, each payout happened once, and both rails hold what the books say. */
async function mustBeTrue(): Promise<void> {
  await world.audit();
  const payouts = await world.db.rows<{ id: string; rail: string; status: string }>('select id, rail, status from payout');
  for (const { id, rail, status } of payouts) {
    const { world: chain } = Object.values(world.rails).find((one) => one.rail.id === rail)!;
    assert.equal(chain.executions(id), status === 'final' ? 1 : 0, `${id} is ${status}`);
  }
  const { BTC, USDT_ERC20 } = world.rails;
  assert.equal(BTC.world.held('BTC', 'hot'), await balance(world.db, accounts.custody('BTC', 'hot', 'BTC')));
  const usdt = await Promise.all(
    (['hot', 'deposit'] as const).map((where) => balance(world.db, accounts.custody('USDT_ERC20', where, 'USDT'))),
  );
  const held = USDT_ERC20.world.held('USDT_ERC20', 'hot') + USDT_ERC20.world.held('USDT_ERC20', 'deposit');
  assert.equal(
    held,
    usdt.reduce((a, b) => a + b),
  );
}
