import assert from 'node:assert/strict';
import { it } from 'node:test';
import { stopPayout } from '../payouts/request-payout.ts';
import { events, openDesk, resume } from './world.testing.ts';

const PARTS = 100_000n;

it('a taken payout for which nothing was signed is queued again, so that a switch stops it', async () => {
  const desk = await openDesk({ id: 'bitcoin' });
  await desk.turn();
  const ids = [await desk.request(PARTS), await desk.request(PARTS)];
  const { prepare } = desk.rail.payout;
  const no = (reason: 'fee_cap' | 'unavailable', mayBeSigned?: true) => async () =>
    ({ ok: false, reason, detail: '', ...(mayBeSigned && { mayBeSigned }) }) as const;
  const turnWith = async (made: typeof prepare): Promise<string[]> => {
    (desk.rail.payout as { prepare: typeof prepare }).prepare = made;
    await desk.pass(10_000);
    await desk.turn();
    (desk.rail.payout as { prepare: typeof prepare }).prepare = prepare;
    return Promise.all(ids.map((id) => desk.status(id)));
  };
  assert.deepEqual(await turnWith(no('fee_cap')), ['queued', 'queued']);
  assert.deepEqual(await desk.payouts(ids[0] ?? ''), [], 'no event was published yet');
  assert.equal(await desk.db.tx((tx) => stopPayout(tx, ids.pop() ?? '')), true);
  assert.deepEqual(await turnWith(no('unavailable', true)), ['preparing'], 'the signer may have signed');
  assert.deepEqual(await turnWith(no('fee_cap')), ['preparing'], 'and that is not forgotten');
  assert.equal(await desk.db.tx((tx) => stopPayout(tx, ids[0] ?? '')), false);
  await resume(desk, 2);
  assert.deepEqual(events(await desk.payouts(ids[0] ?? '')), ['send', 'accepted', 'final']);
  await desk.close();
});
