// Every command of package.json that can't begin ends with an explanation and an exit code, never with a stack trace.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeKeys, newSeed } from '../platform/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'kurs-cannot-'));
after(() => rmSync(folder, { recursive: true }));
const deskKey = join(folder, 'desk.key');
writeFileSync(deskKey, 'kurs_op_nobody\n', { mode: 0o600 });
const ofFolder = (name: string): string => join(folder, name);
for (const name of ['live', 'signer']) makeKeys(ofFolder(name), newSeed);

type Environment = Readonly<Record<string, string>>;
const NOWHERE = 'postgres://a:s3cret@127.0.0.1:9/x';
const LIVE: Environment = { KURS_MODE: 'live', BASE_URL: 'https://kurs.example', SMTP_URL: 'smtp://127.0.0.1:9' };

/** Runs a file of this folder without this process's environment, except the cache of compiled code. */
async function run(words: string, environment: Environment): Promise<{ code: number | null; said: string }> {
  const [file = '', ...args] = words.split(' ');
  const { NODE_COMPILE_CACHE = '', PATH = '' } = process.env;
  const env = { NODE_COMPILE_CACHE, PATH, KURS_DESK_KEY_FILE: deskKey, ...environment };
  return new Promise((done) => {
    const path = fileURLToPath(new URL(file, import.meta.url));
    const child = execFile(process.execPath, [path, ...args], { env, timeout: 60_000 }, (_error, out, err) =>
      done({ code: child.exitCode, said: `${out}${err}` }),
    );
    child.stdin?.end();
  });
}

/** Runs a command, and requires a matching explanation and an exit code. */
async function refuses(words: string, environment: Environment, why: RegExp): Promise<void> {
  const { code, said } = await run(words, environment);
  assert.equal(code, 1, `${words}: ${said}`);
  assert.doesNotMatch(said, /^ {4}at |node:internal|s3cret/m, `${words}: ${said}`);
  assert.match(said, why, words);
}

const AT_DATABASE = ['keys.ts', 'migrate.ts', 'verify.ts', 'verify-audit.ts', 'add-operator.ts maria operator', 'start.ts'];

test('with a wrong setting', { concurrency: 2 }, async (t) => {
  for (const words of [...AT_DATABASE, 'init.ts', 'desk.ts rails'])
    await t.test(words, () =>
      refuses(words, { KURS_DATA: ofFolder('none'), KURS_MODE: 'nonsense' }, /KURS_MODE .* can't be "nonsense"/),
    );
});

test('without a database', { concurrency: 2 }, async (t) => {
  const environment = { ...LIVE, KURS_DATA: ofFolder('live'), DATABASE_URL: NOWHERE, PORT: '0' };
  for (const words of AT_DATABASE)
    await t.test(words, () => refuses(words, environment, /The database can’t be used: .*ECONNREFUSED.*DATABASE_URL/s));
  await t.test('init.ts', () =>
    refuses('init.ts', { ...environment, KURS_DATA: ofFolder('empty') }, /The database can’t be used/),
  );
  await t.test('desk.ts', () => refuses('desk.ts rails --url http://127.0.0.1:9', environment, /Nobody answers at/));
});

test('without keys', { concurrency: 2 }, async (t) => {
  for (const words of ['verify.ts', 'verify-audit.ts', 'add-operator.ts maria operator'])
    await t.test(words, () => refuses(words, { ...LIVE, KURS_DATA: ofFolder('none'), DATABASE_URL: NOWHERE }, /There is no key/));
});

test('on a signer’s machine, what needs another one', { concurrency: 2 }, async (t) => {
  const environment = { ...LIVE, KURS_ROLE: 'signer', KURS_DATA: ofFolder('signer'), KURS_SIGNER_DATABASE_URL: NOWHERE };
  for (const words of ['add-operator.ts maria operator', 'verify.ts', 'verify-audit.ts'])
    await t.test(words, () => refuses(words, environment, /KURS_ROLE=signer.*a machine with an api or a worker/s));
});

test('with its port in use', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((listens) => server.once('listening', listens));
  const { port } = server.address() as { port: number };
  try {
    const environment = { ...LIVE, KURS_DATA: ofFolder('live'), DATABASE_URL: NOWHERE, HOST: '127.0.0.1', PORT: String(port) };
    await refuses('start.ts', environment, new RegExp(`Port ${port} is taken`));
  } finally {
    server.close();
  }
});
