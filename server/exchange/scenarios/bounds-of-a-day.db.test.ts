// The daily limits for automatic payouts, of a customer and of the desk, cover the last 24 hours, not the calendar day.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { putSetting, watchSettings } from '../../platform/index.ts';
import { openWorld } from './world.testing.ts';

/** Limits of 150 USD, with the address of the customer they concern, if one. An order is worth about 99. */
const BOUNDS = [
  ['exchange.auto_customer_day_usd', 'one@example.org'],
  ['exchange.auto_desk_day_usd', undefined],
] as const;

for (const [bound, email] of BOUNDS)
  test(`${bound}: payouts of 13 and 23 hours ago count, those of 25 hours ago don’t`, async () => {
    const world = await openWorld();
    const settings = await watchSettings(world.db);
    try {
      await world.db.tx((tx) => putSetting(tx, bound, '150', 'test'));
      await settings.refresh();
      const waits = async (): Promise<boolean> => {
        const order = await world.place({ amount: '0.0011', ...(email !== undefined && { email }) });
        world.pay(order);
        await world.mine(2);
        return (await world.state(order)) === 'approving';
      };
      assert.equal(await waits(), false);
      for (const [hours, does] of [
        [13, true],
        [10, true],
        [2, false],
      ] as const) {
        await world.pass(hours * 60);
        assert.equal(await waits(), does, `${hours} hours later`);
      }
    } finally {
      await settings.stop();
      await world.close();
    }
  });
