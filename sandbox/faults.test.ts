import assert from 'node:assert/strict';
import Fastify from 'fastify';
import type { AddressInfo } from 'node:net';
import { after, before, it } from 'node:test';
import { Faults } from './faults.ts';

let next = 0;
const faults = new Faults(() => next);
const app = Fastify({ forceCloseConnections: true });
let calls = 0;
let base = '';

before(async () => {
  await app.register(
    async (scope) => {
      faults.mount(scope);
      scope.get('/count', async () => ({ calls: (calls += 1) }));
      scope.post('/count', async () => ({ calls: (calls += 1) }));
    },
    { prefix: '/rail' },
  );
  app.get('/apart', async () => ({ fine: true }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
after(() => app.close());

const ask = async (method = 'GET', patience = 5_000): Promise<number | string> => {
  const response = await fetch(`${base}/rail/count`, { method, signal: AbortSignal.timeout(patience) });
  return response.ok ? ((await response.json()) as { calls: number }).calls : response.status;
};

it('makes each named fault, and none if the rates are zero', async () => {
  assert.equal(await ask(), 1);
  faults.set({ errors: 1 });
  assert.deepEqual([await ask(), calls], [503, 1], 'not done');
  faults.set({ hangs: 1 });
  await assert.rejects(ask('GET', 150), { name: 'TimeoutError' });
  assert.equal(calls, 1, 'not done');
  faults.set({ lost_replies: 1 });
  await assert.rejects(ask('POST'), { name: 'TypeError' });
  assert.equal(calls, 2, 'done');
  faults.set({ stale: 1 });
  assert.deepEqual([await ask(), calls], [1, 2], 'as it was answered before');
  assert.equal(await ask('POST'), 3, 'only reads are');
  faults.set({ delays: 1, delay_ms: 60 });
  const begin = performance.now();
  assert.equal(await ask(), 4);
  assert.ok(performance.now() - begin > 50);
  faults.set({});
  assert.equal(await ask(), 5);
});

it('draws faults for each call by their rates, and never outside its scope', async () => {
  faults.set({ errors: 0.3 });
  next = 0.29;
  assert.equal(await ask(), 503);
  assert.equal((await fetch(`${base}/apart`)).status, 200);
  next = 0.3;
  assert.equal(await ask(), 6);
});
