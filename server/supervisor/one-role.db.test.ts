// Machines with one process each and one shared PostgreSQL: the keys that each needs, what it waits for, and what it refuses.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { fingerprintsOf, keyVariable, loadConfig, makeKeys, onlyKeysIn, rotateKey, secret } from '../platform/index.ts';
import { startTestServer } from '../platform/testing.ts';
import { on } from './database-roles.ts';
import { type OneRole, NEEDS, addressOf, keysOf, readyAddress, requireNeeded } from './one-role.ts';
import { RESTORE_MARK, newRestoreMark } from './restored.ts';
import { shareKeys } from './share-keys.ts';
import { inFullRun } from '../../tools/runner/full-run.ts';

const { NODE_COMPILE_CACHE = '' } = process.env;
const home = mkdtempSync(join(tmpdir(), 'kurs-one-role-'));
const folderOf = (name: string): string => join(home, name);
const keysIn = (name: string): string[] => readdirSync(join(folderOf(name), 'keys')).sort();
const full = folderOf('full');
const started: ChildProcess[] = [];
let server: { url: string; stop(): Promise<void> };
let ownerUrl: string;

before(async () => {
  server = await startTestServer();
  await on(server.url, async (client) => {
    await client.query(`create role maker login createrole password 'own'`);
    await client.query('create database kurs owner maker');
  });
  ownerUrl = Object.assign(new URL(server.url), { pathname: '/kurs', username: 'maker', password: 'own' }).href;
  makeKeys(full);
});
after(async () => {
  for (const child of started) child.kill('SIGKILL');
  await server?.stop();
  rmSync(home, { recursive: true, force: true });
});

const withoutPassword = (user: string): string => Object.assign(new URL(ownerUrl), { username: user, password: '' }).href;
/** Configuration of a machine with one role; the passwords are among its keys. */
const reported = (role: OneRole, folder: string) => ({
  ...{
    KURS_ROLE: role,
    KURS_DATA: folder,
    KURS_MODE: 'live' as const,
    BASE_URL: 'https://kurs.example',
    PORT: '0',
    DATABASE_URL: '',
  },
  ...{ KURS_APP_DATABASE_URL: role === 'signer' ? '' : withoutPassword('kurs_app') },
  ...{ KURS_SIGNER_DATABASE_URL: role === 'signer' ? withoutPassword('kurs_signer') : '' },
});

interface Running {
  readonly child: ChildProcess;
  text(): string;
  readonly ended: Promise<number | null>;
}

function run(file: string, args: readonly string[], env: Readonly<Record<string, string>>): Running {
  const path = fileURLToPath(new URL(`../bin/${file}`, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], {
    env: { ...env, NODE_COMPILE_CACHE, PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, text: () => text, ended: once(child, 'close').then(([code]) => code as number | null) };
}

async function migrated(): Promise<void> {
  const { ended, text } = run('migrate.ts', [], {
    KURS_DATA: full,
    KURS_MODE: 'live',
    BASE_URL: 'https://kurs.example',
    DATABASE_URL: ownerUrl,
  });
  assert.equal(await ended, 0, text());
  assert.match(text(), /^applied 0001_platform/);
}

test('a role waits until the database is at its version and knows its keys, no matter which process migrates it', async () => {
  mkdirSync(folderOf('early'));
  makeKeys(folderOf('early'));
  for (const name of readdirSync(join(full, 'keys')))
    copyFileSync(join(full, 'keys', name), join(folderOf('early'), 'keys', name));
  const said: string[] = [];
  const waiting = readyAddress('signer', reported('signer', folderOf('early')), (words) => void said.push(words));
  await sleep(300);
  await migrated();
  assert.match(await waiting, /^postgres.*kurs_signer:[0-9a-f]{64}@/);
  assert.match(said[0] ?? '', /waiting: /);
});

test('each machine gets the keys that its role needs and no others, and no file is overwritten', async () => {
  const config = loadConfig({ KURS_DATA: full, KURS_MODE: 'live', BASE_URL: 'https://kurs.example', DATABASE_URL: ownerUrl });
  for (const role of ['api', 'console', 'worker', 'signer'] as const) await shareKeys(config, role, folderOf(role));
  assert.deepEqual(
    keysIn('api'),
    ['bot.key', 'books-v1.key', 'database.password', 'public.json', 'receipt-v1.key', 'references.key', 'server-v1.key'].sort(),
  );
  assert.deepEqual(
    keysIn('console'),
    ['books-v1.key', 'database.password', 'public.json', 'receipt-v1.key', 'references.key', 'server-v1.key'].sort(),
  );
  assert.deepEqual(keysIn('worker'), ['books-v1.key', 'database.password', 'public.json', 'references.key', 'server-v1.key']);
  assert.deepEqual(keysIn('signer'), ['books-v1.key', 'seed', 'signer-database.password']);
  await assert.rejects(shareKeys(config, 'api', folderOf('api')), /keys is there already/);
});

test('restored keys are marked on each machine that could pay out or that shows the mode to the desk', async () => {
  const config = loadConfig({ KURS_DATA: full, KURS_MODE: 'live', BASE_URL: 'https://kurs.example', DATABASE_URL: ownerUrl });
  const mark = join(full, 'keys', RESTORE_MARK);
  writeFileSync(mark, newRestoreMark(new Date()));
  try {
    const marked: string[] = [];
    for (const role of ['api', 'console', 'worker', 'signer'] as const) {
      const folder = `${folderOf(role)}-marked`;
      if ((await shareKeys(config, role, folder)).includes(RESTORE_MARK)) marked.push(role);
      rmSync(folder, { recursive: true });
    }
    assert.deepEqual(marked, ['api', 'console', 'worker']);
  } finally {
    rmSync(mark);
  }
});

test('refuses a role if a needed key is missing or differs, and creates none', () => {
  const known = fingerprintsOf(full);
  for (const role of ['api', 'console', 'worker', 'signer'] as const) {
    const folder = folderOf(role);
    requireNeeded(role, folder, known);
    for (const name of fingerprintsOf(folder).keys()) {
      if (name === NEEDS[role].password) continue;
      const path = join(folder, 'keys', name);
      const stored = readFileSync(path);
      for (const change of [() => rmSync(path), () => writeFileSync(path, 'ab'.repeat(32))]) {
        change();
        const before = keysIn(role);
        assert.throws(
          () => requireNeeded(role, folder, known),
          new RegExp(`KURS_ROLE=${role} needs[^]*  ${name} (?:is missing|differs)[^]*keys -- share ${role}`),
        );
        assert.deepEqual(keysIn(role), before);
        writeFileSync(path, stored, { mode: 0o600 });
      }
    }
    requireNeeded(role, folder, known);
  }
  rotateKey(folderOf('api'), 'server');
  assert.throws(() => requireNeeded('api', folderOf('api'), known), /server-v2\.key is not known to the database/);
  rmSync(join(folderOf('api'), 'keys/server-v2.key'));
});

test('refuses a missing address, and one with the owner’s rights', async () => {
  assert.throws(
    () => addressOf('api', { ...reported('api', folderOf('api')), KURS_APP_DATABASE_URL: '' }),
    /needs KURS_APP_DATABASE_URL/,
  );
  const strong = { ...reported('worker', folderOf('worker')), KURS_APP_DATABASE_URL: ownerUrl };
  await assert.rejects(
    readyAddress('worker', strong, () => {}),
    /may do what only the owner may/,
  );
  const other = { ...reported('worker', folderOf('worker')), KURS_MODE: 'sandbox' as const };
  await assert.rejects(
    readyAddress('worker', other, () => {}),
    /of live mode, and KURS_MODE is sandbox/,
  );
});

/** Starts the supervisor of one role, and waits for its last output. */
async function serve(role: OneRole, more: Readonly<Record<string, string>> = {}): Promise<Running> {
  const running = run('start.ts', [], { ...reported(role, folderOf(role)), ...more });
  const last = role === 'api' ? /\nhttps:\/\/kurs\.example\n/ : new RegExp(`The ${role} runs`);
  for (let tries = 0; !last.test(running.text()) && running.child.exitCode === null && tries < 2_400; tries += 1) await sleep(50);
  assert.match(running.text(), last);
  return running;
}

// Eight processes, each of which loads the whole product. The tests above cover what each needs and refuses.
inFullRun('each role starts with its own keys alone, and the api serves without the seed', async () => {
  const port = '14871';
  const all = [serve('api', { PORT: port }), serve('console', { PORT: port }), serve('worker'), serve('signer')];
  const running = await Promise.all(all);
  for (const at of [port, Number(port) + 1]) assert.equal((await fetch(`http://127.0.0.1:${at}/health/ready`)).status, 200);
  const statusAt = async (at: number | string): Promise<number> =>
    (await fetch(`http://127.0.0.1:${at}/api/v1/operator/orders`)).status;
  assert.deepEqual([await statusAt(port), await statusAt(Number(port) + 1)], [404, 401], 'only the console serves the desk');
  for (const { child, ended } of running) {
    child.kill('SIGTERM');
    assert.equal(await ended, 0);
  }
  for (const role of ['api', 'console', 'worker'] as const) assert.equal(keysIn(role).includes('seed'), false);
  assert.equal(keysIn('signer').includes('receipt-v1.key'), false);
});

test('accepts keys from the environment; a child process gets those of its role alone', async () => {
  const folder = folderOf('no-files');
  mkdirSync(folder);
  const inEnvironment = Object.fromEntries(
    [...fingerprintsOf(full).keys()].map((name) => [keyVariable(name), secret(full, name)]),
  );
  assert.equal(inEnvironment['KURS_KEY_SERVER_V1'], secret(full, 'server-v1.key'));
  const before = { ...process.env };
  Object.assign(process.env, inEnvironment);
  try {
    assert.deepEqual(fingerprintsOf(folder), fingerprintsOf(full));
    for (const role of ['api', 'console', 'worker', 'signer'] as const) {
      requireNeeded(role, folder, fingerprintsOf(full));
      const { KURS_KEY_SEED: seed, KURS_KEY_RECEIPT_V1: receipt, PATH: path } = onlyKeysIn({ ...process.env }, keysOf(role));
      assert.deepEqual(
        [seed !== undefined, receipt !== undefined, path],
        [role === 'signer', role === 'api' || role === 'console', before['PATH']],
      );
    }
    assert.deepEqual(Object.keys(onlyKeysIn({ ...inEnvironment }, keysOf('sandbox'))), []);
    makeKeys(folder);
    assert.equal(existsSync(join(folder, 'keys')), false, 'none is made beside them');
  } finally {
    for (const name of Object.keys(inEnvironment)) delete process.env[name];
  }
});

test('a process with wrong keys ends before it serves, with a reason', async () => {
  writeFileSync(join(folderOf('api'), 'keys/receipt-v1.key'), 'cd'.repeat(32));
  const { ended, text } = run('start.ts', [], reported('api', folderOf('api')));
  assert.equal(await ended, 1);
  assert.match(text(), /receipt-v1\.key differs/);
  assert.doesNotMatch(text(), / {4}at /, 'no trace');
});
