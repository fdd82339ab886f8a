// Tests jumps of the database's clock: back by hours, as when a machine's clock is set, and forward.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clockCheck } from '../../platform/index.ts';
import { followRail } from '../sending/follow-attempts.ts';
import { payRail } from '../sending/send-payouts.ts';
import { type Desk, events, holdUp, resume, withDesk } from './world.testing.ts';

const PARTS = 100_000n;
const HOURS = 5;

const jump = (desk: Desk, hours: number): Promise<unknown> =>
  desk.db.run(`update installation set clock_offset = clock_offset + $1 * interval '1 hour'`, [hours]);

describe('the clock goes back by hours', () => {
  it('due times are moved back by as much, so nothing stops until then', () =>
    withDesk({}, async (desk) => {
      const poll = clockCheck(desk.db);
      assert.equal(await poll(), 0, 'the first poll compares nothing');
      const id = await desk.request(PARTS);
      const { to, order } = await desk.open();
      desk.world.pay(to, 1_000n);
      await jump(desk, -HOURS);
      await desk.turn();
      assert.equal(await desk.status(id), 'queued', 'its time has not come again yet');
      const back = await poll();
      assert.ok(Math.abs(back - HOURS * 3_600_000) < 60_000, `${back} ms`);
      assert.equal(await poll(), 0, 'once');
      await resume(desk, 3);
      assert.deepEqual([desk.world.executions(id), await desk.status(id)], [1, 'final']);
      assert.ok(events(await desk.payins(order)).includes('final'), 'what is paid is seen');
    }));

  it('a wallet lease from then is over: it would hold for hours', () =>
    withDesk({}, async (desk) => {
      const id = await desk.request(PARTS);
      await desk.db.run(
        `insert into rail_wallet (rail, token, leased_until) values ('bitcoin', 7, now() + interval '5 hours')
         on conflict (rail) do update set leased_until = excluded.leased_until`,
      );
      await payRail(desk.deps, desk.rail);
      assert.equal(desk.world.executions(id), 1);
    }));

  it('in the middle of a send: it is sent once', () =>
    withDesk({ id: 'provider', provider: { hasDedupe: false } }, async (desk) => {
      const poll = clockCheck(desk.db);
      await poll();
      const id = await desk.request(PARTS);
      const send = holdUp(desk, 'send');
      const turn = payRail(desk.deps, desk.rail);
      await send.requested;
      await jump(desk, -HOURS);
      await poll();
      await followRail(desk.deps, desk.rail);
      send.answer();
      await turn;
      await resume(desk, 3);
      assert.deepEqual([desk.world.executions(id), await desk.status(id)], [1, 'final']);
    }));
});

describe('the clock goes forward by hours', () => {
  it('in the middle of a send: another worker looks it up, and it is sent once', () =>
    withDesk({ id: 'provider', provider: { hasDedupe: false } }, async (desk) => {
      const poll = clockCheck(desk.db);
      await poll();
      const id = await desk.request(PARTS);
      const send = holdUp(desk, 'send');
      const turn = payRail(desk.deps, desk.rail);
      await send.requested;
      await jump(desk, HOURS);
      assert.equal(await poll(), 0, 'nothing is brought forward');
      await followRail(desk.deps, desk.rail);
      send.answer();
      await turn;
      await resume(desk, 3);
      assert.deepEqual([desk.world.executions(id), await desk.status(id)], [1, 'final']);
      assert.ok(!events(await desk.payouts(id)).includes('absent'));
    }));
});
