import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  clusterUrl,
  createCluster,
  isAlive,
  runPostgres,
  placeCluster,
  runningPid,
  waitForPostgres,
  type ClusterPlace,
} from './cluster.ts';
import { openDb } from '../db/db.ts';
import { freePort, onFreePort } from '../base/ports.ts';

const KEEPER = fileURLToPath(new URL('../../bin/postgres.ts', import.meta.url));
const PASSWORD = "pa'ss w%rd";
let place: ClusterPlace;
let port: number;
const keepers = new Set<ChildProcess>();

before(async () => {
  const cache = fileURLToPath(new URL('../../../node_modules/.cache/kurs', import.meta.url));
  const home = await placeCluster(cache);
  place = { ...home, directory: `${home.directory}-cluster-test-${process.pid}` };
  await createCluster(place, PASSWORD, ['--wal-segsize=1', '--no-sync']);
  port = await freePort();
});
after(async () => {
  for (const keeper of keepers) if (keeper.connected) keeper.disconnect();
  await Promise.all([...keepers].map((keeper) => keeper.exitCode ?? keeper.signalCode ?? once(keeper, 'exit')));
  await rm(place.directory, { recursive: true, force: true });
});

function startKeeper(): ChildProcess {
  const request = JSON.stringify({ place, port, settings: { fsync: 'off' } });
  const keeper = fork(KEEPER, [request], { execArgv: [], detached: true, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  keepers.add(keeper);
  return keeper;
}
const url = (): string => clusterUrl(place.directory, port, { password: PASSWORD });
const serverPid = async (): Promise<number> => (await runningPid(place.directory))!;

test('a server left by a killed keeper is stopped and replaced, and keeps what was committed', async () => {
  const first = startKeeper();
  await waitForPostgres(url());
  const db = openDb({ url: url(), name: 'cluster-test' });
  await db.run('create table kept (id int)');
  const orphan = await serverPid();
  first.kill('SIGKILL');
  await once(first, 'exit');
  assert.ok(isAlive(orphan), 'PostgreSQL itself lives on');
  startKeeper();
  for (let i = 0; i < 100 && isAlive(orphan); i++) await sleep(50);
  assert.ok(!isAlive(orphan));
  await waitForPostgres(url());
  assert.deepEqual(await db.rows('select * from kept'), []);

  const second = [...keepers].at(-1)!;
  process.kill(await serverPid(), 'SIGKILL');
  await once(second, 'exit');
  startKeeper();
  await waitForPostgres(url());
  await db.run('insert into kept values (1)');
  await db.close();
});

test('a server ends with the process that forked its keeper', async () => {
  const keeper = [...keepers].at(-1)!;
  const pid = await serverPid();
  keeper.disconnect();
  await once(keeper, 'exit');
  assert.ok(!isAlive(pid));
});

test('creates a cluster whole or not at all, and once', async () => {
  assert.equal(await createCluster(place, PASSWORD), false);
  const broken = { ...place, directory: `${place.directory}-broken` };
  await assert.rejects(createCluster(broken, PASSWORD, ['--no-such-flag']));
  assert.equal(existsSync(broken.directory), false);
});

/** Starts a server of another program on a port; it answers anyone who connects. */
async function squat(wanted = 0): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => socket.end());
  server.listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

test('chooses another port if one is taken before the server listens', async () => {
  const { server, port: taken } = await squat();
  const chosen = [taken, await freePort()];
  const tried: number[] = [];
  const begun = await onFreePort(
    async (free) => {
      tried.push(free);
      return runPostgres({ place, port: free, settings: { fsync: 'off' } });
    },
    async () => chosen[tried.length] as number,
  ).finally(() => server.close());
  keepers.add(begun);
  assert.deepEqual(tried, chosen, 'what answered on the taken port was not taken for PostgreSQL');
  await waitForPostgres(clusterUrl(place.directory, chosen[1] as number, { password: PASSWORD }));
  begun.disconnect();
  await once(begun, 'exit');
});

test('a server killed long ago does not keep its cluster from starting, no matter what process has its id now', async () => {
  const other = { ...place, directory: `${place.directory}-other` };
  await createCluster(other, PASSWORD, ['--wal-segsize=1', '--no-sync']);
  const [one, two] = [await freePort(), await freePort()];
  const running = await runPostgres({ place, port: one, settings: { fsync: 'off' } });
  keepers.add(running);
  // The stale `postmaster.pid` of the other cluster names the process of the running one, which has the same user.
  const note = await readFile(join(place.directory, 'postmaster.pid'), 'utf8');
  await writeFile(join(other.directory, 'postmaster.pid'), note.replace(place.directory, other.directory));
  try {
    keepers.add(await runPostgres({ place: other, port: two, settings: { fsync: 'off' }, mayDiscard: true }));
    await waitForPostgres(clusterUrl(other.directory, two, { password: PASSWORD }));
    await waitForPostgres(clusterUrl(place.directory, one, { password: PASSWORD }));
  } finally {
    running.disconnect();
    await once(running, 'exit');
  }
});
