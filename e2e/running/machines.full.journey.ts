// Runs several machines over one PostgreSQL: a signer, two workers and two apis, each with its own supervisor and data folder. An
// exchange works through either api, one worker takes over from a dead one, and the ledger is correct.

import assert from 'node:assert/strict';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Client, type Transport, createClient, httpTransport } from '@kurs/contract/client';
import { startOwnPostgres } from '../../tools/runner/own-postgres.ts';
import { BUY_BTC, type Exchange, SELL_BTC, type Wish, look, pay, place, reaches, review } from '../customers/customer.ts';
import { type Launch, freshFolder, isReady, launch, until } from '../harness/system.ts';

type Role = 'api' | 'worker' | 'signer';
type Environment = Readonly<Record<string, string>>;
interface Machine extends Launch {
  readonly name: string;
  readonly child: ChildProcess;
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const START_MS = 120_000;
/** Longest time of an order in ms, including the lease of a dead worker's claim. */
const DONE_MS = 120_000;

const folders: string[] = [];
const machines: Machine[] = [];
let server: { url: string; stop(): Promise<void> };
let sandbox: ChildProcess;
let common: Environment;
let owner: Environment;
let both: Client;
let apis: [Client, Client];

async function folder(): Promise<string> {
  const made = await freshFolder();
  folders.push(made);
  return made;
}

async function port(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: found } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return found;
}

/** Starts the networks that all machines use, independent of each machine. */
async function startSandbox(product: string): Promise<Environment> {
  const [site, control, smtp] = [await port(), await port(), await port()];
  const own = {
    KURS_SANDBOX_PORT: `${site}`,
    KURS_SANDBOX_CONTROL_PORT: `${control}`,
    KURS_SANDBOX_SMTP_PORT: `${smtp}`,
    KURS_SANDBOX_URL: `http://127.0.0.1:${site}`,
    KURS_SANDBOX_CONTROL_URL: `http://127.0.0.1:${control}`,
    SMTP_URL: `smtp://127.0.0.1:${smtp}`,
    SANDBOX_BLOCK_MS: '100',
    BASE_URL: product,
  };
  sandbox = fork(join(ROOT, 'sandbox/main.ts'), { env: { ...process.env, ...own, KURS_DATA: await folder() } });
  const [reported] = (await once(sandbox, 'message')) as [{ environment: Environment }];
  return { ...own, ...reported.environment };
}

/** Runs a command with the environment of a machine. */
async function command(file: string, args: readonly string[], env: Environment): Promise<void> {
  const child = spawn(process.execPath, [`server/bin/${file}`, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...common, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  assert.equal((await once(child, 'close'))[0], 0, file);
}

/** Returns the URL of the shared database for a role. The password is among the machine's keys. */
const addressFor = (user: string): string =>
  Object.assign(new URL(owner['DATABASE_URL'] as string), { username: user, password: '' }).href;

async function start(role: Role, name: string, more: Environment = {}): Promise<Machine> {
  const data = await folder();
  await command('keys.ts', ['share', role, data], owner);
  const address =
    role === 'signer'
      ? { KURS_SIGNER_DATABASE_URL: addressFor('kurs_signer') }
      : { KURS_APP_DATABASE_URL: addressFor('kurs_app') };
  const env = { ...common, ...address, KURS_ROLE: role, KURS_MACHINE: name, ...more };
  const machine = { ...(await launch({ data, env, port: Number(more['PORT'] ?? 0) })), name };
  machines.push(machine);
  await until(`${name} to run`, START_MS, async () => {
    if (machine.child.exitCode !== null) throw new Error(`${name} ended: ${machine.output()}\n${await logOf(machine, role)}`);
    return role === 'api'
      ? machine.output().includes(`\n${common['BASE_URL']}\n`)
      : machine.output().includes(`The ${role} runs`);
  });
  return machine;
}

const logOf = ({ data }: Machine, name: string): Promise<string> =>
  readFile(join(data, 'log', `${name}.log`), 'utf8').then((text) => text.slice(-3_000), String);

before(
  async () => {
    server = await startOwnPostgres();
    const [first, second] = [await port(), await port()];
    common = await startSandbox(`http://127.0.0.1:${first}`);
    owner = { DATABASE_URL: server.url, KURS_DATA: await folder() };
    await command('migrate.ts', [], owner);
    const signer = await start('signer', 's1');
    const socket = { KURS_SIGNER_SOCKET: join(signer.data, 'signer.sock') };
    await start('worker', 'w1', socket);
    await start('worker', 'w2', socket);
    await Promise.all([start('api', 'a1', { PORT: `${first}` }), start('api', 'a2', { PORT: `${second}` })]);
    const ways = [first, second].map((one) =>
      httpTransport({ base: `http://127.0.0.1:${one}`, clientId: 'web', locale: () => 'en' }),
    ) as [Transport, Transport];
    apis = [createClient(ways[0]), createClient(ways[1])];
    let calls = 0;
    both = createClient((request) => (ways[(calls += 1) % 2] as Transport)(request));
    await until('every direction to be open at both', START_MS, async () => {
      const offered = await Promise.all(apis.map((api) => api.directions({})));
      return offered.every(({ directions }) => directions.length > 0 && directions.every(isReady));
    });
  },
  { timeout: 600_000 },
);

after(async () => {
  for (const { child } of machines.toReversed()) if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
  await Promise.all(machines.map(({ ended }) => ended));
  if (sandbox?.connected) {
    sandbox.disconnect();
    await once(sandbox, 'exit');
  }
  await server?.stop();
  if (!process.env['KEEP_JOURNEYS']) await Promise.all(folders.map((one) => rm(one, { recursive: true, force: true })));
});

/** Waits until both apis report an order as done, and asserts that its customer received the money. */
async function isDone({ order, receive }: Exchange, { to }: Wish): Promise<void> {
  await reaches(apis[0], order, 'done', DONE_MS);
  assert.equal((await look(apis[1], order)).status, 'done');
  const { amount: balance } = await both.sandboxBalance({ currency: to, account: receive });
  assert.equal(Number(balance), Number(order.get?.amount), 'paid once, and exactly');
}

test('no machine has a key of another role', async () => {
  for (const { name, data } of machines) {
    const keys = await readdir(join(data, 'keys'));
    assert.equal(keys.includes('seed'), name === 's1', `${name}: ${keys.join(' ')}`);
    assert.equal(keys.includes('receipt-v1.key'), name.startsWith('a'), `${name}: ${keys.join(' ')}`);
  }
});

test('an exchange is completed through either api, call by call', { timeout: 300_000 }, async () => {
  for (const wish of [SELL_BTC, BUY_BTC]) {
    const exchange = await place(both, wish);
    await pay(both, exchange.order);
    await isDone(exchange, wish);
  }
});

test('one order request sent to both apis at once places one order', { timeout: 120_000 }, async () => {
  const { key } = await review(apis[0], SELL_BTC);
  const placed = await Promise.all(apis.map((api) => api.processOrder(key, { idempotencyKey: key.id })));
  assert.equal(placed[0]?.id, placed[1]?.id);
  assert.equal((await look(apis[1], placed[0] as Exchange['order'])).status, 'waiting');
});

test('another worker takes over when one is killed with its supervisor', { timeout: 300_000 }, async () => {
  const exchanges = await Promise.all([place(both, SELL_BTC), place(both, BUY_BTC)]);
  await Promise.all(exchanges.map(({ order }) => pay(both, order)));
  const first = machines.find(({ name }) => name === 'w1') as Machine;
  const { pids } = JSON.parse(await readFile(join(first.data, 'run.json'), 'utf8')) as { pids: Record<string, number> };
  process.kill(pids['worker'] as number, 'SIGSTOP');
  first.child.kill('SIGKILL');
  process.kill(pids['worker'] as number, 'SIGKILL');
  await first.ended;
  await Promise.all([isDone(exchanges[0] as Exchange, SELL_BTC), isDone(exchanges[1] as Exchange, BUY_BTC)]);
});

test('the books are right, and each machine proves that with its own keys', { timeout: 300_000 }, async () => {
  const worker = machines.find(({ name }) => name === 'w2') as Machine;
  await command('verify.ts', [], { KURS_DATA: worker.data, KURS_ROLE: 'worker', KURS_APP_DATABASE_URL: addressFor('kurs_app') });
  await command('verify-audit.ts', [], {
    KURS_DATA: worker.data,
    KURS_ROLE: 'worker',
    KURS_APP_DATABASE_URL: addressFor('kurs_app'),
  });
});
