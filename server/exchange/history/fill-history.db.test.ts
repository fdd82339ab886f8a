// A generated history resembles the rows that it is copied from.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWorld } from '../scenarios/world.testing.ts';
import { openDb } from '../../platform/index.ts';
import { fillHistory } from './fill-history.testing.ts';
import { completeBothWays } from './sample-orders.testing.ts';

test('a history is filled from one completed order of each direction', async (t) => {
  const world = await openWorld();
  t.after(() => world.close());
  await completeBothWays(world);
  const owner = openDb({ url: world.owner.url, name: 'filling', max: 1, budget: 60_000 });
  t.after(() => owner.close());
  const indexesBefore = await owner.row('select count(*)::int as indexes from pg_indexes where schemaname = $1', ['public']);
  const { holderId, email } = await fillHistory(owner, { orders: 300, ofHolder: 20 });
  const counts = await owner.row(
    `select (select count(*)::int from customer_order where state = 'completed') as orders, (select count(*)::int from order_event) as events,
       (select count(*)::int from payin where status = 'final') as payins, (select count(*)::int from payout where status = 'final') as payouts,
       (select count(*)::int from payment_attempt where status = 'final') as attempts, (select count(*)::int from wallet_deposit) as deposits`,
  );
  assert.deepEqual(counts, { orders: 302, events: 3_011, payins: 302, payouts: 302, attempts: 302, deposits: 20 });
  const unlike = await owner.rows(
    `select number, t.kind, term from customer_order o, order_terms(o.number, o.email, o.pay_to, o.body) t
     except select number, t.kind, term from order_term t join customer_order o on o.id = t.order_id`,
  );
  assert.deepEqual(unlike, [], 'each is found by its own words');
  const indexes = await owner.row('select count(*)::int as indexes from pg_indexes where schemaname = $1', ['public']);
  assert.deepEqual(indexes, indexesBefore);
  const own = await owner.rows<{ number: string }>('select number from customer_order where holder_id = $1 and email = $2', [
    holderId,
    email,
  ]);
  assert.equal(new Set(own.map(({ number }) => number)).size, 20);
});
