// Tests that an entered voucher is only valid in its own row, at the payment reference where its customer entered it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configureLog } from '../../platform/index.ts';
import { testSealer } from '../../platform/testing.ts';
import { openDesk } from '../scenarios/world.testing.ts';
import { enterVoucher } from './entries.ts';

/** Ways for somebody with database access to take an order's voucher for their own order, whose payment reference is `mine`. */
const MOVES: Readonly<Record<string, string>> = {
  'the row of another entry': `update payin_entry set fields = (select fields from payin_entry where number <> $1) where number = $1`,
  'another payment reference': `with gone as (delete from payin_entry where number = $1) update payin_entry set number = $1 where number <> $1`,
};

for (const [name, sql] of Object.entries(MOVES)) {
  test(`does not redeem a voucher that was moved to ${name} by SQL, and goes on with others`, async () => {
    const desk = await openDesk({ id: 'provider', provider: { hasDedupe: false, by: 'voucher' } }, { callMs: 5_000 });
    const alarms: string[] = [];
    configureLog({ onAlarm: (words) => void alarms.push(words) });
    try {
      const enter = (order: string, number: string) =>
        desk.db.tx((tx) => enterVoucher(tx, testSealer, { kind: 'order', id: order }, { number }));
      const [victim, thief, other] = [await desk.open(), await desk.open(), await desk.open()];
      for (const code of ['1234', '9999', '5555']) desk.world.vouchers.set(code, { parts: 100_000n, isUsed: false });
      await desk.turn();
      await enter(victim.order, '1234');
      await enter(thief.order, '9999');
      const mine = await desk.db.row<{ number: string }>('select number from receiving_address where owner_id = $1', [
        thief.order,
      ]);
      assert.equal(await desk.db.run(sql, [mine?.number]), 1);
      await enter(other.order, '5555');
      for (let turn = 0; turn < 3; turn += 1) {
        await desk.turn();
        await desk.pass(61_000);
      }
      assert.deepEqual(await desk.payins(thief.order), []);
      assert.equal(desk.world.vouchers.get('9999')?.isUsed, false);
      assert.equal(desk.world.vouchers.get('1234')?.isUsed, name === 'the row of another entry', 'only by its own row');
      assert.deepEqual(
        (await desk.payins(other.order)).map(({ event }) => event),
        ['final'],
      );
      assert.ok(alarms.includes('an entered voucher can’t be opened: was its row changed, or is a key of the server missing?'));
    } finally {
      configureLog({ onAlarm: () => {} });
      await desk.close();
    }
  });
}
