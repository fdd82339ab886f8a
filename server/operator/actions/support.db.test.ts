import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type Problem } from '@kurs/contract';
import { proveBot } from '../../compliance/index.ts';
import { type World, openWorld } from '../../exchange/testing.ts';
import type { Context } from '../../platform/index.ts';
import { freely, testSealer } from '../../platform/testing.ts';
import { supportRoutes } from '../../support/index.ts';
import { authenticate, addOperator } from '../people/people.ts';
import { operatorRoutes } from '../routes.ts';
import { OWNERS } from '../owners.testing.ts';

let world: World;
let handlers: ReturnType<typeof operatorRoutes>;
before(async () => {
  world = await openWorld();
  handlers = operatorRoutes(world.deps, {
    isSandbox: true,
    owners: OWNERS,
    name: 'Kurs',
    sealer: testSealer,
    hasAlarmSince: async () => false,
  });
});
after(() => world.close());

const base = { locale: 'en', clientId: 'web', userAgent: '', ip: '203.0.113.9', deviceKey: 'd', ...freely } as const;
const as = async (name: string, role: 'operator' | 'compliance'): Promise<Context> => {
  const person = await authenticate(world.db, (await world.db.tx((tx) => addOperator(tx, name, role))).key);
  assert.ok(person);
  return { ...base, db: world.db, operator: person };
};

test('an answer is an operator’s action, once per key, and a row of the audit; others may read', async () => {
  const [ann, kim] = [await as('ann', 'operator'), await as('kim', 'compliance')];
  const support = supportRoutes({ db: world.db, sender: world.deps.sender, proveBot, owners: OWNERS });
  const request = { topic: 'other', text: 'Hello', email: 'a@example.org', files: [], bot_token: 'sandbox' } as const;
  const { id } = await support.ticketOpen({ ...request, files: [] }, { ...base, db: world.db });
  const order = await world.place();
  assert.equal((await handlers.operatorTicket({ id }, kim)).messages.length, 1);
  const forbidden = (error: Problem): boolean => error.code === 'forbidden';
  await assert.rejects(handlers.operatorTicketAnswer({ id, text: 'No' }, kim), forbidden);
  await assert.rejects(handlers.operatorTicketClose({ id }, kim), forbidden);
  await assert.rejects(handlers.operatorSay({ order: order.number, text: 'No' }, kim), forbidden);

  const keyed = { ...ann, idempotencyKey: randomUUID() };
  await handlers.operatorTicketAnswer({ id, text: 'Hello to you' }, keyed);
  assert.equal((await handlers.operatorTicketAnswer({ id, text: 'Hello to you' }, keyed)).messages.length, 2);
  assert.equal((await handlers.operatorTicketClose({ id }, ann)).status, 'closed');
  const said = await handlers.operatorSay({ order: order.number, text: 'We look into it' }, ann);
  assert.deepEqual([said.messages.length, said.unread], [1, 1]);
  const { data: rows } = await handlers.operatorAudit({ page: 1, per_page: 20 }, ann);
  const byPeople = rows.filter(({ by }) => by !== 'console');
  assert.deepEqual(byPeople.map(({ by, action, subject }) => [by, action, subject]).toReversed(), [
    ['ann', 'ticket_answer', id],
    ['ann', 'ticket_close', id],
    ['ann', 'chat_say', order.number],
  ]);
  assert.equal(rows[2]?.details['text'], 'Hello to you');
});
