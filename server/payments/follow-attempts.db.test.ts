import assert from 'node:assert/strict';
import { it } from 'node:test';
import { bumpStuck } from './follow-attempts.ts';
import { openDesk, resume } from './world.testing.ts';

it('a stuck send that can’t be raised keeps no other waiting', async () => {
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
