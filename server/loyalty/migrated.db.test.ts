// What orders from before there was loyalty gave counts, too.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDbBefore } from '../platform/testing.ts';

test('completed orders of the last 30 days are turnover of their contacts', async (t) => {
  const { owner, upgrade, drop } = await testDbBefore('0169');
  t.after(() => drop());
  await owner.run(
    `insert into customer_order (id, number, kind, state, version, created_at, updated_at, finished_at, give_currency, give_parts, usd,
       email, customer, locale, pinned, body)
     select gen_random_uuid(), 'N' || n, kind, state, 1, now(), now(), now() - days * interval '1 day', 'BTC', 1, usd, customer, customer, 'en', '{}', '{}'
     from (values (1, 'order', 'completed', 1, 100, 'a@example.org'), (2, 'order', 'completed', 1, 50, 'a@example.org'),
       (3, 'order', 'completed', 40, 7, 'a@example.org'), (4, 'order', 'refunded', 1, 9, 'a@example.org'),
       (5, 'stray', 'completed', 1, 9, 'a@example.org'), (6, 'order', 'completed', 0, 3, 'b@example.org')
     ) as o (n, kind, state, days, usd, customer)`,
  );
  await upgrade();
  const rows = await owner.rows<{ customer: string; cents: string }>(
    'select customer, sum(cents)::text as cents from turnover_day group by 1 order by 1',
  );
  assert.deepEqual(rows, [
    { customer: 'a@example.org', cents: '150' },
    { customer: 'b@example.org', cents: '3' },
  ]);
});
