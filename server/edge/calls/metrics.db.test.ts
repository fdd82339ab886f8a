import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import fastify, { type FastifyInstance } from 'fastify';
import { Problem } from '@kurs/contract';
import { type TestDb, testDb } from '../../platform/testing.ts';
import { mountHealth } from './health.ts';
import { openMetrics } from './metrics.ts';

let own: TestDb;
before(async () => {
  own = await testDb();
});
after(() => own.drop());

/** Line of Prometheus' text format 0.0.4: a comment, or a name with labels and a value. */
const LINE = /^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="([^"\\\n]|\\.)*",?)+\})? (NaN|[+-]Inf|-?\d+(\.\d+)?(e[+-]?\d+)?))$/;

test('serves figures of answers, payouts, rails, alarms and processes in Prometheus’ format', async () => {
  const { db } = own;
  await db.run(`insert into alarm (key, kind, words, since, notified_at) values ('rail evm', 'rail', 'x', now(), now())`);
  await db.run(
    `insert into rail_state (rail, up, detail, since, checked_at) values ('evm', false, '', now(), now()), ('tron', true, '', now(), now())`,
  );
  await db.run(`insert into process_beat (name, machine, at) values ('worker', 'vm', now() - interval '90 seconds')`);
  const metrics = openMetrics(db);
  metrics.answered({ method: 'GET', route: '/api/v1/orders/:id', status: 200, seconds: 0.02 });
  const server = await metrics.listen(0);
  try {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    const lines = (await response.text()).trimEnd().split('\n').filter(Boolean);
    for (const line of lines) assert.match(line, LINE);
    for (const wanted of [
      'kurs_rail_up{rail="evm"} 0',
      'kurs_rail_up{rail="tron"} 1',
      'kurs_alarms{kind="rail"} 1',
      'kurs_waiting{what="mails"} 0',
      'kurs_http_seconds_count{method="GET",route="/api/v1/orders/:id",status="200"} 1',
    ])
      assert.ok(lines.includes(wanted), wanted);
    const silent = lines.find((line) => line.startsWith('kurs_silent_seconds{process="worker",machine="vm"}'));
    assert.ok(Number.parseFloat(silent?.split(' ')[1] ?? '') >= 90);
    assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 404);
  } finally {
    server.close();
  }
});

test('health names the version of package.json, the first in the changelog', async () => {
  const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const app: FastifyInstance = fastify();
  mountHealth({ app } as Parameters<typeof mountHealth>[0], own.db);
  const { version } = JSON.parse(read('package.json')) as { version: string };
  assert.equal((await app.inject('/health/live')).body, `live ${version}\n`);
  assert.equal(/^## (\S+)/m.exec(read('CHANGELOG.md'))?.[1], version);
  await app.close();
});

test('health is live while the process serves, and ready while the database answers', async () => {
  const statuses = async (db: Parameters<typeof mountHealth>[1]): Promise<number[]> => {
    const app: FastifyInstance = fastify();
    mountHealth({ app } as Parameters<typeof mountHealth>[0], db);
    const found = await Promise.all(['/health/live', '/health/ready'].map(async (url) => (await app.inject(url)).statusCode));
    await app.close();
    return found;
  };
  assert.deepEqual(await statuses(own.db), [200, 200]);
  assert.deepEqual(await statuses({ now: async () => Promise.reject(new Problem('unavailable')) }), [200, 503]);
});
