// Calls per minute are counted in each api's memory. Each running api allows its share, so that together they allow one limit.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { route } from '@kurs/contract';
import { z } from 'zod';
import { noteLiving } from '../base/living-processes.ts';
import { putSetting, watchSettings } from '../db/settings.ts';
import { type TestDb, testDb, testSealer } from '../testing.ts';
import { type Server, buildServer } from './http.ts';

const MAX = 12;
const ping = route({
  ...{ tag: 'Test', summary: 'test', problems: [], allows: 'public', method: 'GET', path: '/ping' },
  ...{ input: z.object({}), output: z.object({}) },
} as const);

let own: TestDb;
let apis: Server[];
let settings: Awaited<ReturnType<typeof watchSettings>>;
before(async () => {
  own = await testDb();
  await own.db.tx((tx) => putSetting(tx, 'platform.reads_per_minute', MAX, 'test'));
  settings = await watchSettings(own.db);
  apis = Array.from({ length: 3 }, () => {
    const api = buildServer({
      config: { KURS_MODE: 'live', KURS_CLIENTS: ['web'], KURS_STRICT_LIMITS: false, TRUST_PROXY: ['127.0.0.1'] },
      db: own.db,
      sealer: testSealer,
    });
    api.mount(ping, async () => ({}));
    return api;
  });
});
after(async () => {
  noteLiving(1);
  await settings.stop();
  for (const api of apis) await api.close();
  await own.drop();
});

/** Returns how many calls from one network these apis accept together, called in turn until all refuse. */
async function taken(many: number, network: string): Promise<number> {
  const headers = { 'client-id': 'web', 'x-forwarded-for': network };
  let sum = 0;
  for (let call = 0; call < 2 * MAX; call += 1)
    for (const api of apis.slice(0, many))
      if ((await api.app.inject({ url: '/api/v1/ping', headers })).statusCode === 200) sum += 1;
  return sum;
}

test('one api allows the whole limit, and two or three together no more', async () => {
  for (const [living, network] of [
    [1, '203.0.113.1'],
    [2, '203.0.114.1'],
    [3, '203.0.115.1'],
  ] as const) {
    noteLiving(living);
    assert.equal(await taken(living, network), MAX, `${living} live`);
  }
});
