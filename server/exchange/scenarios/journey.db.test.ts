import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Problem } from '@kurs/contract';
import { placeOrder } from '../actions/place-order.ts';
import { type World, openWorld } from './world.testing.ts';

describe('the journey', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(() => world.close());

  for (const [from, amount] of [
    ['BTC', '0.005'],
    ['USDT_ERC20', '500'],
  ] as const) {
    test(`${from}: placed, paid, exchanged, paid out`, async () => {
      const placed = await world.place({ from, amount });
      assert.equal(placed.view.state, 'awaiting');
      assert.ok(placed.view.positions.reserve > 0n);
      await world.audit();
      world.pay(placed);
      await world.turn();
      await world.mine(1);
      await world.mine(70);
      await world.mine(70);
      const done = await world.order(placed);
      assert.equal(done.view.state, 'completed');
      const to = world.rails[from === 'BTC' ? 'USDT_ERC20' : 'BTC'];
      assert.equal(to.world.received(done.view.receive?.fields['address'] ?? ''), placed.view.get?.parts);
      assert.deepEqual(await world.events(done), ['placed', 'payin_seen', 'payin_final', 'send', 'accepted', 'transfer_final']);
      assert.deepEqual(await world.letters(done), ['placed', 'received', 'done']);
      await world.audit();
    });
  }

  test('fifty parallel placings of one calculation make one order', async () => {
    const known = await world.calculate();
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => placeOrder(world.deps, known)));
    const placed = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    assert.equal(placed.length, 1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.equal((outcome.reason as Problem).code, 'calculation_used');
    }
    const again = await placeOrder(world.deps, { ...known, isRepeated: true });
    assert.equal(again.number, placed[0]?.value.number);
    await world.audit();
  });

  test('several spellings of an e-mail address are one customer, whose payments add up; typing it elsewhere doesn’t count', async () => {
    const customers = async (...devices: string[]): Promise<number> => {
      const [one, other] = devices;
      const placed = [
        await world.place({ email: 'same.one+1@gmail.com', ...(one && { as: one }) }),
        await world.place({ email: 'sameone+2@gmail.com', ...(other && { as: other }) }),
      ];
      const rows = await world.db.rows('select distinct customer from receiving_address where owner_id = any($1)', [
        placed.map(({ view }) => view.id),
      ]);
      return rows.length;
    };
    assert.equal(await customers('his', 'his'), 1);
    assert.equal(await customers('hers', 'a stranger’s'), 2);
  });

  test('the market moved against the desk: nothing is placed', async () => {
    const known = await world.calculate();
    await world.price('89000');
    await assert.rejects(placeOrder(world.deps, known), (error: Problem) => error.code === 'market_moved');
    await world.price('90000');
    const { count } =
      (await world.db.row<{ count: number }>('select count(*)::int as count from customer_order where calculation_id = $1', [
        known.id,
      ])) ?? {};
    assert.equal(count, 0);
  });

  test('a quote is held for three minutes', async () => {
    const known = await world.calculate();
    await world.pass(4);
    await assert.rejects(placeOrder(world.deps, known), (error: Problem) => error.code === 'quote_expired');
  });
});
