import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem, route } from '@kurs/contract';
import { z } from 'zod';
import type { Db } from '../db/db.ts';
import { type Server, type ServerOptions, buildServer } from './http.ts';
import { alsoAbout, configureLog, log } from '../base/log.ts';
import { openSealer } from '../secrets/secrets.ts';

const pay = route({
  allows: 'public',
  method: 'POST',
  path: '/pay/:id',
  input: z.object({ id: z.string(), how: z.enum(['well', 'away', 'broken']) }),
  output: z.object({ id: z.string() }),
  tag: 'Test',
  summary: 'test',
  problems: [],
});

describe('the log of a request', () => {
  let server: Server;
  let lines: Record<string, unknown>[] = [];
  before(() => {
    configureLog({ sink: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>), level: 'info', fields: {} });
    const sealer = openSealer(new Map([[1, Buffer.alloc(32, 7)]]), 'answers');
    const config: ServerOptions['config'] = {
      KURS_MODE: 'sandbox',
      KURS_CLIENTS: [],
      KURS_STRICT_LIMITS: false,
      TRUST_PROXY: [],
    };
    server = buildServer({ config, db: {} as Db, sealer });
    server.mount(pay, async ({ id, how }) => {
      await sleep(5);
      alsoAbout({ orderId: id });
      if (how === 'well') return { id };
      log.info('a send has failed', { attemptId: '7' });
      throw how === 'away' ? new Problem('unavailable') : new Error('inside');
    });
  });
  beforeEach(() => void (lines = []));
  after(async () => {
    configureLog({ sink: (line) => void process.stdout.write(line) });
    await server.close();
  });
  const ask = async (id: string, how: string) => {
    const answer = await server.app.inject({ method: 'POST', url: `/api/v1/pay/${id}`, payload: { how } });
    return { status: answer.statusCode, ...(answer.json() as { reference?: string }) };
  };

  test('has no line where all is well', async () => {
    assert.equal((await ask('KX-1', 'well')).status, 200);
    assert.deepEqual(lines, []);
  });

  test('has in each line the id in the answer, and the order that it was about', async () => {
    const answers = await Promise.all([ask('KX-1', 'away'), ask('KX-2', 'broken'), ask('KX-3', 'away')]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [503, 500, 503],
    );
    for (const [at, { reference }] of answers.entries()) {
      const own = lines.filter(({ requestId }) => requestId === reference);
      assert.deepEqual(
        own.map(({ words }) => words),
        ['a send has failed', 'call failed'],
      );
      assert.ok(own.every(({ orderId }) => orderId === `KX-${at + 1}`));
    }
    assert.equal(lines.length, 6);
  });
});
