import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import Fastify from 'fastify';
import { openScreening } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'kurs-screening-'));
after(() => rmSync(folder, { recursive: true }));

test('it requires its key, returns the results that tests set, and never reveals the key', async () => {
  const screening = openScreening({ folder });
  const app = Fastify();
  await app.register(async (scope) => screening.mount(scope), { prefix: '/sandbox/screening' });
  const { KURS_SCREENING_KEY_FILE: file = '' } = screening.environment({ base: 'http://x/sandbox/screening', pages: '' });
  assert.equal(statSync(file).mode & 0o077, 0);
  const key = readFileSync(file, 'utf8').trim();
  const payload = {
    version: 1,
    accounts: [
      { currency: 'BTC', fields: { address: 'a' } },
      { currency: 'BTC', fields: { address: 'b' } },
    ],
  };
  const ask = (authorization: string) =>
    app.inject({ method: 'POST', url: '/sandbox/screening/accounts', headers: { authorization }, payload });
  assert.equal((await ask('Bearer another')).statusCode, 401);
  await screening.tricks['judge']?.({ account: 'b', score: 70, labels: [{ name: 'mixer', kind: 'soft' }] });
  assert.deepEqual((await ask(`Bearer ${key}`)).json(), {
    version: 1,
    results: [
      { score: 0, labels: [] },
      { score: 70, labels: [{ name: 'mixer', kind: 'soft' }] },
    ],
  });
  await screening.tricks['answer-wrongly']?.({ how: 'too-few' });
  assert.equal((await ask(`Bearer ${key}`)).json<{ results: unknown[] }>().results.length, 1);
  await assert.rejects(async () => screening.tricks['answer-wrongly']?.({ how: 'in a way that there is not' }));
  await screening.tricks['answer-wrongly']?.({});
  assert.equal((await ask(`Bearer ${key}`)).json<{ results: unknown[] }>().results.length, 2);
});
