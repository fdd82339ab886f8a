// Does what operators do with an installation: first start, kill -9, second start, two copies, two starts on one folder, Ctrl-C.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, readFile, readdir, rm } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { partsOf, openChains } from '../customers/chains.ts';
import { type Exchange, SELL_BTC, look, pay, place, reaches } from '../customers/customer.ts';
import { familyMs, familyOf } from '../harness/cpu-time.ts';
import { isFullRun } from '../../tools/runner/full-run.ts';
import { type System, freshFolder, launch, startSystem, until } from '../harness/system.ts';

/** Maximum processor time in seconds until the second start serves. Slow, busy processors take 9 to 15 seconds. */
const MAX_SECOND_START_S = 30;

let data: string;
let otherData: string;
/** Orders of the first start: one unpaid, one paid. */
let exchange: Exchange;
let paid: Exchange;
let system: System;

before(async () => {
  [data, otherData] = await Promise.all([freshFolder(), freshFolder()]);
});
after(async () => {
  await system?.stop();
  await Promise.all([data, otherData].map((folder) => rm(folder, { recursive: true, force: true })));
});

/** Returns the processes that have the folder in their arguments or environment. After a stop there must be none. */
async function processesOf(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && name !== String(process.pid))) {
    const said = await Promise.all(
      ['cmdline', 'environ'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
    );
    if (said.some((text) => text.includes(folder))) found.push(`${pid} ${said[0]?.replaceAll('\0', ' ')}`);
  }
  return found;
}

test('the first start prints one address and serves; after kill -9 of the supervisor all processes end', async () => {
  const first = await startSystem({ data });
  assert.deepEqual(first.output().match(/http:\/\/\S+/g), [first.url]);
  exchange = await place(first.client(), SELL_BTC);
  paid = await place(first.client(), SELL_BTC);
  await pay(first.client(), paid.order);
  first.signal('SIGKILL');
  await first.ended;
  await until('every process to end', 20_000, async () => (await processesOf(data)).length === 0, 200);
});

test('the second start serves within seconds, with the chains and data of the first', async () => {
  system = await startSystem({ data });
  const seconds = familyMs((await system.run()).pid) / 1_000;
  assert.ok(seconds <= MAX_SECOND_START_S, `it had a core for ${seconds.toFixed(1)} s`);
  const client = system.client();
  assert.equal((await look(client, exchange.order)).status, 'waiting');
  const { id, token } = exchange.order;
  const page = await (await fetch(`${system.url}/En/order?${new URLSearchParams({ id, token })}`)).text();
  assert.ok(page.includes(id), 'the order’s page opens');
  await pay(client, exchange.order);
  await Promise.all([reaches(client, exchange.order, 'done'), reaches(client, paid.order, 'done', 90_000)]);
  const chains = await openChains(system);
  const promised = partsOf('USDT_ERC20', paid.order.get?.amount ?? '');
  assert.equal(await chains.holds('USDT_ERC20', paid.receive), promised, 'paid once, and exactly');
});

test('a second copy on the same folder is refused with a message, and does no harm', async () => {
  const { ended } = await launch({ data });
  const { code, output } = await ended;
  assert.equal(code, 1);
  assert.match(output, /^Kurs already runs on \S+ \(process \d+\)\. [^\n]+\n$/);
  assert.equal((await look(system.client(), exchange.order)).status, 'done');
});

test('a port in use is reported plainly', async () => {
  const { ended } = await launch({ data: otherData, port: Number.parseInt(new URL(system.url).port, 10) });
  const { code, output } = await ended;
  assert.equal(code, 1);
  assert.match(output, /^Port \d+ is taken\. [^\n]+\n$/);
});

// A second installation takes another start or two. The rules themselves are tested in supervisor/first-start.
if (isFullRun) {
  test('two copies with other ports and folders run side by side', async () => {
    const other = await startSystem({ data: otherData });
    try {
      await assert.rejects(look(other.client(), exchange.order), { code: 'order_not_found' });
      const own = await place(other.client(), SELL_BTC);
      await pay(other.client(), own.order);
      await reaches(other.client(), own.order, 'done');
      await assert.rejects(look(system.client(), own.order), { code: 'order_not_found' });
    } finally {
      await other.stop();
    }
  });

  test('a start with another installation’s keys, or without any, is refused with a message and creates none', async () => {
    const keys = `${otherData}/keys`;
    await cp(keys, `${otherData}/kept`, { recursive: true });
    await cp(`${data}/keys`, keys, { recursive: true });
    const foreign = await (await launch({ data: otherData })).ended;
    assert.equal(foreign.code, 1);
    assert.match(foreign.output, /it was made with other keys\. Nothing was changed\.[^]*npm run keys/);
    for (const name of ['postgres.password', 'database.password']) await cp(`${otherData}/kept/${name}`, `${keys}/${name}`);
    const mixed = await (await launch({ data: otherData })).ended;
    assert.match(mixed.output, /are not those that this database was begun with[^]*seed differs/);
    await rm(keys, { recursive: true });
    const none = await (await launch({ data: otherData })).ended;
    assert.match(none.output, /begun with keys that are not in/);
    assert.equal(existsSync(keys), false);
  });
}

test('the books are right', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});

test('Ctrl-C stops all of it cleanly', async () => {
  const { pids } = await system.run();
  const all = Object.values(pids).flatMap(familyOf);
  system.signal('SIGINT');
  const { code, output } = await system.ended;
  assert.equal(code, 0, output);
  // A process that only holds a pipe ends a moment after the process at the other end.
  await until('every process to end', 5_000, async () => all.every((pid) => !existsSync(`/proc/${pid}`)), 50);
  assert.deepEqual(await processesOf(data), []);
  assert.equal(existsSync(`${data}/run.json`), false);
});
