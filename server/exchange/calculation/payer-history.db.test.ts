// What a customer has paid before is read as far as it makes a difference, however much they have paid.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seasonCount } from '../../compliance/index.ts';
import { openDb, putSetting, watchSettings } from '../../platform/index.ts';
import { pagesOf } from '../../platform/testing.ts';
import { fillHistory } from '../history/fill-history.testing.ts';
import { completeBothWays } from '../history/sample-orders.testing.ts';
import { openWorld } from '../scenarios/world.testing.ts';
import { payerHistories } from './payer-history.ts';

const OF_CUSTOMER = 2_000;
/** A few pages for each order that counts; a row of each order is on some hundred. */
const MOST_PAGES = 60;

test('of one customer’s orders no more is read than makes a difference', async (t) => {
  const world = await openWorld();
  t.after(() => world.close());
  await completeBothWays(world);
  await world.db.tx((tx) => putSetting(tx, 'compliance.reversible_currencies', ['USDT_ERC20'], 'test'));
  const settings = await watchSettings(world.db);
  t.after(() => settings.stop());
  const owner = openDb({ url: world.owner.url, name: 'filling', max: 1, budget: 60_000 });
  t.after(() => owner.close());
  const { email } = await fillHistory(owner, { orders: 2 * OF_CUSTOMER, ofHolder: OF_CUSTOMER });
  await owner.run('update customer_order set give_currency = $2 where customer = $1', [email, 'USDT_ERC20']);
  await owner.run('vacuum (analyze) customer_order');
  const first = await owner.row<{ since: Date }>('select min(finished_at) as since from customer_order where customer = $1', [
    email,
  ]);
  const found = await payerHistories(world.db, [email]);
  assert.deepEqual(found, new Map([[email, { since: first?.since, finished: seasonCount() }]]));
  const pages = await pagesOf(owner, owner.url, (db) => payerHistories(db, [email]));
  assert.ok((pages.get('customer_order') ?? 0) <= MOST_PAGES, `${pages.get('customer_order')} pages of orders`);
});
