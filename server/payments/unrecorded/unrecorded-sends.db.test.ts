import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { type Desk, openDesk } from '../scenarios/world.testing.ts';
import { maySend } from '../rails/settings.ts';
import { noteUnrecorded, settleUnrecordedSend, unrecordedSendById, unrecordedSends } from './unrecorded-sends.ts';
import { fundDesk } from '../balances/capital.ts';
import { newId } from '../../platform/index.ts';

let desk: Desk;
before(async () => {
  desk = await openDesk();
  await desk.db.tx((tx) => fundDesk(tx, [{ id: newId(), currency: 'BTC', place: 'hot', parts: 10_000_000_000n }]));
});
after(() => desk.close());

const found = { rail: 'bitcoin', source: 'chain', reference: 'f00d', currency: 'BTC', parts: 5_000n } as const;
const TWO = { by: ['ann', 'bob'], statement: 'seen in an explorer' };

it('sends nothing on a rail with an unrecorded send, and goes on once two people have decided', async () => {
  const id = await desk.request(100_000n);
  const [send, ...others] = await desk.db.tx((tx) => noteUnrecorded(tx, [found, { ...found, parts: 9n }]));
  assert.ok(send);
  assert.deepEqual(others, [], 'one reference is stored once');
  await desk.turn();
  assert.equal(desk.world.executions(id), 0);
  assert.equal(await maySend(desk.db, 'evm'), true, 'other rails go on');
  await assert.rejects(
    desk.db.tx((tx) => settleUnrecordedSend(tx, send.id, 'booked', { ...TWO, by: ['ann'] })),
    { code: 'second_person_required' },
  );
  await assert.rejects(
    desk.db.tx((tx) => settleUnrecordedSend(tx, send.id, 'booked', { ...TWO, by: ['ann', 'ann'] })),
    { code: 'same_person' },
  );
  await desk.db.tx((tx) => settleUnrecordedSend(tx, send.id, 'explained', TWO));
  await assert.rejects(
    desk.db.tx((tx) => settleUnrecordedSend(tx, send.id, 'booked', TWO)),
    { code: 'action_not_open' },
  );
  assert.deepEqual(await desk.db.tx((tx) => noteUnrecorded(tx, [found])), [], 'a decided send is not found again');
  await desk.turn();
  assert.equal(desk.world.executions(id), 1);
});

it('ignores a decision that was only written into the database', async () => {
  const [send] = await desk.db.tx((tx) => noteUnrecorded(tx, [{ ...found, reference: 'beef' }]));
  assert.ok(send);
  await desk.db.run(`update unrecorded_send set state = 'explained', decided_at = now() where id = $1`, [send.id]);
  assert.equal((await unrecordedSendById(desk.db, send.id))?.state, 'open');
  assert.equal(await maySend(desk.db, 'bitcoin'), false);
  assert.deepEqual(
    (await unrecordedSends(desk.db, { state: 'open', rail: 'bitcoin' })).map(({ reference }) => reference),
    ['beef'],
  );
});
