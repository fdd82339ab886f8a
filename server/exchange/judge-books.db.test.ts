import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Fault, verify } from '../ledger/index.ts';
import { withoutCauses } from '../ledger/testing.ts';
import { paymentsJudge } from '../payments/index.ts';
import { orderJudge } from './judge-books.ts';
import type { StoredOrder } from './order-store.ts';
import { type World, openWorld } from './world.testing.ts';

describe('the books, as orders know them', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(() => world.close());

  const faults = async (): Promise<readonly Fault[]> =>
    (await verify(world.db, { judges: [withoutCauses(paymentsJudge), orderJudge] })).faults;

  /** Has an order think something else, sees that found, and puts it right again. */
  async function thinks(order: StoredOrder, position: string, found: RegExp): Promise<void> {
    const { view } = await world.order(order);
    const put = (parts: string) =>
      world.db.run(`update customer_order set body = jsonb_set(body, $2, to_jsonb($3::text)) where id = $1`, [
        view.id,
        ['positions', position],
        parts,
      ]);
    await put('7n');
    const [fault] = await faults();
    assert.match(`${fault?.account} ${fault?.words}`, found);
    await put(`${view.positions[position as keyof typeof view.positions]}n`);
    assert.deepEqual(await faults(), []);
  }

  test('hold together from the promise to the payout, a stray and a refund', async () => {
    const order = await world.place();
    assert.deepEqual(await faults(), []);
    await thinks(order, 'reserve', /^order:.*:reserve:USDT the order .*: 7 should stand here, not \d+/);
    world.holdSends();
    world.pay(order, '0.02');
    await world.mine(6);
    await world.turn();
    await thinks(order, 'transfer', /^payout:.*: 7 should stand here/);
    await thinks(order, 'in', /^order:.*:in:BTC the order .*: 7 should stand here, not 0/);
    const [stray] = await world.strays(order);
    assert.ok(stray);
    await thinks(stray, 'in', /^stray:.*: 7 should stand here/);
  });

  test('an order at rest holds nothing', async () => {
    const order = await world.place();
    await world.db.run(`update customer_order set state = 'expired' where id = $1`, [order.view.id]);
    assert.match((await faults())[0]?.words ?? '', /no row says whose it is/);
  });
});
