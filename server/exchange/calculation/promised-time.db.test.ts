// The promised time follows the durations of a direction's last orders, and appears in the review, the order and its receipt.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ReceiptTerms } from '@kurs/contract/receipt';
import type { Receipt } from '@kurs/contract/receipt';
import { placeOrder } from '../actions/place-order.ts';
import { type World, openWorld } from '../scenarios/world.testing.ts';
import { orderReceipt } from './receipt.ts';
import { step3 } from './calculate.ts';
import { forgetTaken, readTaken, watchTaken } from './promised-time.ts';

let world: World;
before(async () => {
  world = await openWorld();
});
after(() => world.close());

const read = ({ payload }: Receipt): ReceiptTerms => JSON.parse(Buffer.from(payload, 'base64url').toString()) as ReceiptTerms;
/** Records a number of orders with a duration in seconds, some days ago. */
const took = (orders: number, seconds: number, days = 0, from = 'BTC'): Promise<unknown> =>
  world.db.run(`insert into order_taken select (clock_now() at time zone 'UTC')::date - $3::int, $4, 'USDT_ERC20', $2, $1`, [
    orders,
    seconds,
    days,
    from,
  ]);
const review = async (people: number) => {
  const calculation = await world.calculate();
  const deps = { ...world.deps, tokens: world.deps.sender.tokens, approvalFor: () => people, operators: async () => 2 };
  const shown = await step3(deps, calculation, { locale: 'en', device: 'device', ip: '203.0.113.7' });
  return { calculation, shown };
};

test('the 95th percentile of the last 30 days’ orders decides, if they are enough', async () => {
  await took(45, 700, 1);
  await took(1, 5_000, 2);
  await took(9_000, 9_000, 31);
  await took(10, 50, 0, 'LTC');
  assert.deepEqual([...(await readTaken(world.db))], [], '46 are too few');
  await took(3, 900, 29);
  await took(1, 901);
  assert.deepEqual([...(await readTaken(world.db))], [['BTC USDT_ERC20', 900]], '48 of 50 took no longer than 900 s');
  assert.deepEqual([...(await readTaken(world.db, 10))].sort(), [
    ['BTC USDT_ERC20', 900],
    ['LTC USDT_ERC20', 50],
  ]);
  assert.equal(await forgetTaken(world.db), 1);
  assert.equal((await readTaken(world.db)).size, 1);
});

test('the review names the promised time, and its order keeps it, including an announced approval', async () => {
  const plain = await review(0);
  assert.equal(plain.shown.promised_minutes, 12, 'ten minutes at least, and two, while nothing is known');
  const watch = await watchTaken(world.db);
  try {
    const order = await placeOrder(world.deps, plain.calculation);
    assert.deepEqual(order.view.pinned.promised, { seconds: 12 * 60 });
    const receipt = orderReceipt(world.deps.receipts, order);
    assert.deepEqual(
      [receipt && read(receipt), plain.shown.receipt].map((one) => one && ('payload' in one ? read(one) : one).rules.time),
      [
        { minutes: 12, after_approval: false },
        { minutes: 12, after_approval: false },
      ],
    );
    const known = await review(1);
    assert.equal(known.shown.promised_minutes, 18, '900 s and a fifth');
    const announced = await placeOrder(world.deps, known.calculation);
    assert.deepEqual(announced.view.pinned.promised, { seconds: 18 * 60, hasApproval: true });
  } finally {
    await watch.stop();
  }
});
