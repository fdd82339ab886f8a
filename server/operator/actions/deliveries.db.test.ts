// The desk reads the log of deliveries and repeats one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mail, publish, putEndpoint } from '../../deliveries/index.ts';
import type { Showing } from '../../exchange/index.ts';
import { type Context, newId } from '../../platform/index.ts';
import { refusal, testDb, testSealer } from '../../platform/testing.ts';
import { authenticate, addOperator } from '../people/people.ts';
import { operatorRoutes } from '../routes.ts';
import { OWNERS } from '../owners.testing.ts';

const LETTER = { locale: 'en', name: 'Kurs', subject: 'Placed', paragraphs: ['Your order'], keep: 'Keep it.' } as const;
const reason = 'the mailbox was full';

test('letters and webhooks are listed by receiver and state, and delivered once more with an action in the audit', async () => {
  const { db, drop } = await testDb();
  try {
    const handlers = operatorRoutes({ db } as Showing, {
      isSandbox: true,
      owners: OWNERS,
      name: 'Kurs',
      sealer: testSealer,
      hasAlarmSince: async () => false,
    });
    const { key } = await db.tx((tx) => addOperator(tx, 'ann', 'operator'));
    const context = { operator: await authenticate(db, key) } as unknown as Context;
    const page = { page: 1, per_page: 10 };
    await db.tx(async (tx) => {
      await putEndpoint(tx, { id: newId(), owner: 'alarms', kind: 'alarms', url: 'https://example.org/bot1:secret/send' });
      mail.queue(tx, { ...LETTER, to: 'Bob@example.org', key: 'a letter' });
      await publish(tx, { id: newId(), owner: 'alarms', type: 'alarm', body: {} });
    });
    const { data, meta } = await handlers.operatorDeliveries(page, context);
    assert.deepEqual(
      data.map(({ owner, type, to, state }) => [owner, type, to, state]).toSorted(),
      [
        ['alarms', 'alarm', 'https://example.org', 'waiting'],
        ['mail', 'letter', 'Bob@example.org', 'waiting'],
      ],
      'of the address of a webhook only the origin, since the rest may be a secret',
    );
    assert.equal(meta.total, 2);
    const [letter] = (await handlers.operatorDeliveries({ ...page, to: 'bob@example.org' }, context)).data;
    assert.ok(letter);
    await db.run('update delivery set due_at = null, taken_at = clock_now() where id = $1', [letter.id]);
    await db.run(
      `insert into delivery_attempt (id, delivery_id, at, status, latency_ms, answer) values ($1, $2, clock_now(), 250, 7, 'ok')`,
      [newId(), letter.id],
    );
    const taken = async () => (await handlers.operatorDeliveries({ ...page, state: 'taken' }, context)).data;
    assert.deepEqual(
      (await taken()).map(({ id, said }) => [id, said]),
      [[letter.id, 'ok']],
    );
    const [attempt] = await handlers.operatorDelivery({ id: letter.id }, context);
    assert.deepEqual([attempt?.status, attempt?.latency_ms, attempt?.said], [250, 7, 'ok']);
    assert.deepEqual(await handlers.operatorReplay({ id: letter.id, reason }, context), { status: 'done' });
    assert.deepEqual(await taken(), []);
    assert.equal(await refusal(() => handlers.operatorReplay({ id: newId(), reason }, context)), 'not_found');
    const actions = await db.rows(`select action, by, subject, reason from audit where action = 'replay'`);
    assert.deepEqual(actions, [{ action: 'replay', by: 'ann', subject: letter.id, reason }]);
  } finally {
    await drop();
  }
});
