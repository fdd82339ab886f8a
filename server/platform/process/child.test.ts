import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './cluster.ts';
import { superviseChild, trimLog, type Child } from './child.ts';

const folder = mkdtempSync(join(tmpdir(), 'kurs-child-'));
after(() => rmSync(folder, { recursive: true }));

const childUrl = new URL('child.ts', import.meta.url).href;
const script = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(
    file,
    `import { serveAsChild } from ${JSON.stringify(childUrl)};\nimport { appendFileSync } from 'node:fs';\n${text}`,
  );
  return file;
};
const waitFor = async (isTrue: () => unknown): Promise<void> => {
  for (let i = 0; i < 200 && !isTrue(); i++) await sleep(25);
  assert.ok(isTrue(), 'waited 5 s in vain');
};

/** Starts a child from a script; returns it with a function for its current process id. */
function store(
  file: string,
  log = join(folder, 'log', 'child.log'),
  terms: Parameters<typeof superviseChild>[1] = {},
): { child: Child; pid: () => number; said: string[]; log: string; ends: number[] } {
  let pid = 0;
  const said: string[] = [];
  const ends: number[] = [];
  const changed = (pids: Record<string, number>): void => void (pid = pids['child'] ?? pid);
  const child = superviseChild(
    {
      name: 'child',
      file,
      environment: { WORD: 'hello', PATH: process.env['PATH'] },
      logFile: log,
      changed,
      ended: () => void ends.push(pid),
      say: (words) => said.push(words),
    },
    terms,
  );
  return { child, pid: () => pid, said, log, ends };
}

const SERVES = `
  const timer = setInterval(() => {}, 1000);
  console.log('serving ' + process.env.WORD);
  serveAsChild(async () => { clearInterval(timer); appendFileSync(${JSON.stringify(join(folder, 'ended'))}, 'x'); }, { environment: { FOUND: '1' } });`;

test('a child reports its ids, is started again when it is killed, and ends when it is stopped', async () => {
  const { child, pid, said, log, ends } = store(script('serves.mjs', SERVES));
  assert.deepEqual(await child.ready, { ready: true, environment: { FOUND: '1' } });
  const first = pid();
  process.kill(first, 'SIGKILL');
  await waitFor(() => pid() !== first && isAlive(pid()));
  assert.deepEqual(said, ['child ended (SIGKILL) and is started again']);
  assert.deepEqual(ends, [first]);
  await waitFor(() => readFileSync(log, 'utf8').match(/serving hello/g)?.length === 2);
  await sleep(100);
  await child.stop();
  assert.ok(!isAlive(pid()));
  assert.equal(readFileSync(join(folder, 'ended'), 'utf8'), 'x', 'it ended by itself');
  assert.equal(ends.length, 1, 'what was stopped did not end by itself');
});

test('a child whose log can’t be opened, as on a full disk, is started again once it can', async () => {
  const logs = join(folder, 'logs-of-a-full-disk');
  const { child, pid, said } = store(script('serves-on.mjs', SERVES), join(logs, 'child.log'));
  await child.ready;
  const first = pid();
  rmSync(logs, { recursive: true });
  writeFileSync(logs, 'no folder');
  process.kill(first, 'SIGKILL');
  await waitFor(() => said.some((words) => /^child can’t be started: .+; it is tried again$/.test(words)));
  rmSync(logs);
  await waitFor(() => pid() !== first && isAlive(pid()));
  assert.equal(said.filter((words) => words.includes('tried again')).length, 1, 'said once');
  await child.stop();
});

test('gives up a child that can’t start, and names its log', async () => {
  const { child } = store(script('fails.mjs', `process.exit(3);`));
  await assert.rejects(child.ready, /child can't start; its log: .*child\.log/);
  await child.stop();
});

test('a child that ends five times before it is ready ends the start, however long it lived each time', async () => {
  const { child, ends } = store(script('late.mjs', `setTimeout(() => process.exit(4), 60);`), undefined, { settledMs: 10 });
  await assert.rejects(child.ready, /child can't start; its log: .*child\.log.* 5 times .* code 4/s);
  assert.equal(ends.length, 4, 'it was begun again four times');
  await child.stop();
});

test('a child with a wrong configuration reports it to its parent, and is not started again', async () => {
  const config = new URL('../base/config.ts', import.meta.url).href;
  const wrong = `import { reportWhyAsChild } from ${JSON.stringify(childUrl)};
    import { ConfigError } from ${JSON.stringify(config)};
    reportWhyAsChild();
    await new Promise((done) => setTimeout(done, 20));
    throw new ConfigError('KURS_X is wrong');`;
  const { child, ends } = store(script('wrong.mjs', wrong));
  await assert.rejects(child.ready, (error: Error) => error.name === 'ConfigError' && error.message === 'KURS_X is wrong');
  assert.deepEqual(ends, []);
  await child.stop();
  const taken = `import { reportWhyAsChild } from ${JSON.stringify(childUrl)}; import { createServer } from 'node:net';
    reportWhyAsChild();
    createServer().listen(0, '127.0.0.1', function () { createServer().listen(this.address().port, '127.0.0.1'); });`;
  const other = store(script('taken.mjs', taken));
  await assert.rejects(other.child.ready, /^ConfigError: Port \d+ is taken/);
  await other.child.stop();
});

test('a child that fails for another reason is started again, and its log has the stack trace', async () => {
  const log = join(folder, 'log', 'broken.log');
  const broken = `import { reportWhyAsChild } from ${JSON.stringify(childUrl)}; reportWhyAsChild(); throw new Error('broken inside');`;
  const { child } = store(script('broken.mjs', broken), log);
  await assert.rejects(child.ready, /can't start/);
  assert.equal(readFileSync(log, 'utf8').match(/Error: broken inside\n +at /g)?.length, 5);
  await child.stop();
});

test('a child that doesn’t end is killed', async () => {
  const { child, pid } = store(
    script('stubborn.mjs', `setInterval(() => {}, 1000); process.on('disconnect', () => {}); process.send({ ready: true });`),
  );
  await child.ready;
  await child.stop(200);
  assert.ok(!isAlive(pid()));
});

test('children end when their supervisor is killed', async () => {
  const pidFile = join(folder, 'orphan.pid');
  const serves = script('orphan.mjs', `appendFileSync(${JSON.stringify(pidFile)}, String(process.pid));${SERVES}`);
  const supervisor = join(folder, 'supervisor.mjs');
  const spec = { name: 'child', file: serves, environment: {}, logFile: join(folder, 'log/orphan.log') };
  writeFileSync(
    supervisor,
    `import { superviseChild } from ${JSON.stringify(childUrl)}; superviseChild({ ...${JSON.stringify(spec)}, changed() {}, say() {} });`,
  );
  const parent = spawn(process.execPath, [supervisor], { stdio: 'ignore' });
  const read = (): number => {
    try {
      return Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
    } catch {
      return 0;
    }
  };
  await waitFor(() => read() > 0);
  await sleep(100);
  parent.kill('SIGKILL');
  await waitFor(() => !isAlive(read()));
});

test('a log is cut at 20 MB with one older part kept', () => {
  const log = join(folder, 'long.log');
  writeFileSync(log, Buffer.alloc(21 * 1024 * 1024));
  trimLog(log);
  assert.equal(statSync(log).size, 0);
  assert.equal(statSync(`${log}.1`).size, 21 * 1024 * 1024);
});
