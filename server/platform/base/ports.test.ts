import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort, isFree, onFreePort } from './ports.ts';

const PORTS = fileURLToPath(new URL('ports.ts', import.meta.url));
/** Lowest port that Linux gives to outgoing connections. */
const FIRST_OUTGOING = 32_768;

test('chooses different ports below the range of outgoing connections', async () => {
  const ports = [await freePort(), await freePort(), await freePort()];
  assert.equal(new Set(ports).size, ports.length);
  for (const port of ports) assert.ok(port > 1_024 && port < FIRST_OUTGOING, `${port}`);
});

test('processes that begin together choose different ports', async () => {
  const say = `import(${JSON.stringify(PORTS)}).then(async ({ freePort }) => console.log(await freePort()))`;
  const run = async (): Promise<string> => (await promisify(execFile)(process.execPath, ['-e', say])).stdout;
  const ports = await Promise.all([run(), run(), run()]);
  assert.equal(new Set(ports).size, ports.length, ports.join(' '));
});

test('skips a port on which another server listens', async () => {
  const port = await freePort();
  const server = createServer().listen(port + 1, '127.0.0.1');
  await once(server, 'listening');
  assert.equal(await isFree(port + 1), false);
  const next = await freePort();
  server.close();
  assert.ok(next > port + 1, `${next} after ${port}`);
});

test('does not retry what fails on a free port', async () => {
  let tries = 0;
  const begin = async (): Promise<never> => {
    tries += 1;
    throw new Error('broken');
  };
  await assert.rejects(onFreePort(begin), /broken/);
  assert.equal(tries, 1);
});
