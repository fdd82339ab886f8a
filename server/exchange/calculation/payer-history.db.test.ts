// Only as much of a customer's payment history is read as can make a difference, however many orders they have.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clearingCount } from '../../compliance/index.ts';
import { putSetting, watchSettings } from '../../platform/index.ts';
import { apart, pagesOf } from '../../platform/testing.ts';
import { fillHistory } from '../history/fill-history.testing.ts';
import { completeBothWays } from '../history/sample-orders.testing.ts';
import { openWorld } from '../scenarios/world.testing.ts';
import { payerHistories } from './payer-history.ts';

const OF_CUSTOMER = 4_000;
/** Pages for the orders that count, in each reversible currency; reading all of a customer’s orders takes twice as many. */
const MAX_PAGES = 25;

test('reads only as many of a customer’s orders as make a difference', async (t) => {
  const world = await openWorld();
  await completeBothWays(world);
  await world.db.tx((tx) => putSetting(tx, 'compliance.reversible_currencies', ['USDT_ERC20'], 'test'));
  const settings = await watchSettings(world.db);
  t.after(async () => {
    await settings.stop();
    await world.close();
  });
  let email = '';
  await apart(world.db, world.owner.url, async (owner) => {
    ({ email } = await fillHistory(owner, { orders: OF_CUSTOMER, ofHolder: OF_CUSTOMER }));
    await owner.run('update customer_order set give_currency = $2 where customer = $1', [email, 'USDT_ERC20']);
    await owner.run('vacuum (analyze) customer_order');
  });
  const first = await world.db.row<{ since: Date }>('select min(finished_at) as since from customer_order where customer = $1', [
    email,
  ]);
  const found = await payerHistories(world.db, [email]);
  assert.deepEqual(found, new Map([[email, { since: first?.since, finished: clearingCount() }]]));
  const pages = await pagesOf(world.db, world.owner.url, (db) => payerHistories(db, [email]));
  assert.ok((pages.get('customer_order') ?? 0) <= MAX_PAGES, `${pages.get('customer_order')} pages of orders`);
});
