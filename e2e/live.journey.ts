import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type System, startSystem } from './system.ts';

let system: System;
before(async () => {
  system = await startSystem({ env: { KURS_MODE: 'live', BASE_URL: 'https://kurs.example' } });
});
after(() => system.stop());

test('with real money there is no sandbox: no process, no calls, no pages, no words', async () => {
  assert.equal('sandbox' in (await system.run()).pids, false);
  for (const path of [
    '/api/v1/sandbox/mail',
    '/api/v1/sandbox/balance?currency=BTC&account=x',
    '/sandbox/mail',
    '/sandbox/rates/kraken/0/public/Ticker',
  ]) {
    assert.equal((await fetch(system.url + path)).status, 404, path);
  }
  const pay = await fetch(`${system.url}/api/v1/sandbox/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  assert.equal(pay.status, 404);
  const page = await (await fetch(`${system.url}/En`)).text();
  assert.doesNotMatch(page, /sandbox/i);
  const document = await (await fetch(`${system.url}/api/v1/openapi.json`)).text();
  assert.doesNotMatch(document, /\/api\/v1\/sandbox/);
});

test('nothing can be ordered until an operator has configured a rail and switched a direction on', async () => {
  assert.deepEqual((await system.client().directions({})).directions, []);
});
