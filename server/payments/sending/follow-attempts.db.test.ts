import assert from 'node:assert/strict';
import { it } from 'node:test';
import { bumpStuck } from './follow-attempts.ts';
import { openDesk, resume } from '../scenarios/world.testing.ts';

it('a stuck send whose fee can’t be raised delays no other', async () => {
  const desk = await openDesk();
  try {
    const ids: string[] = [];
    // One by one, so that each is an attempt of its own.
    for (let each = 0; each < 6; each += 1) {
      ids.push(await desk.request(1_000_000n));
      await desk.turn();
    }
    await desk.pass(61 * 60_000);
    desk.world.inject('bump', { kind: 'error' }, 5);
    assert.equal(await bumpStuck(desk.deps, desk.rail), 0, 'the five oldest can’t be raised');
    assert.equal(await bumpStuck(desk.deps, desk.rail), 1, 'the next turn goes on behind them');
    assert.equal(await bumpStuck(desk.deps, desk.rail), 5, 'and the one after it begins anew');
    await resume(desk, 9);
    for (const id of ids) assert.equal(desk.world.executions(id), 1);
  } finally {
    await desk.close();
  }
});

it('a send whose replacement is mined is not raised to the same fee again', async () => {
  const desk = await openDesk();
  try {
    const id = await desk.request(1_000_000n);
    await desk.turn();
    await desk.pass(61 * 60_000);
    assert.equal(await bumpStuck(desk.deps, desk.rail), 1);
    await resume(desk, 9);
    await desk.pass(61 * 60_000);
    // State after a reorg from which both returned, until the first is looked up.
    await desk.db.run(`update payment_attempt set status = 'sent' where $1 = any (items) and status = 'replaced'`, [id]);
    assert.equal(await bumpStuck(desk.deps, desk.rail), 0);
    const attempts = await desk.db.rows<{ status: string }>('select status from payment_attempt order by id');
    assert.deepEqual(
      attempts.map(({ status }) => status),
      ['sent', 'final'],
    );
    assert.equal(desk.world.executions(id), 1);
  } finally {
    await desk.close();
  }
});
