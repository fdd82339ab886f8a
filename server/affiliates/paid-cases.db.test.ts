// Orders whose cases people had paid before those counted count, too.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../platform/index.ts';
import { testDbBefore } from '../platform/testing.ts';

test('an order whose case was paid counts on the day of its reward, and one that waits, or was taken back, does not', async (t) => {
  const { owner, upgrade, drop } = await testDbBefore('0195');
  t.after(() => drop());
  const ann = newId();
  await owner.run(
    `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at) values ($1, 'ann@x.test', 'ann@x.test', now(), 'en', now())`,
    [ann],
  );
  for (const [state, tier, shared, reason] of [
    ['pending', 1, 'device', 'device'],
    ['available', 1, 'email', 'email'],
    ['available', 2, 'email', 'email'],
    ['case', 1, 'email', 'email'],
    ['reversed', 1, 'email', 'email'],
    ['pending', 1, null, 'suspended'],
    ['pending', 1, null, null],
  ] as const) {
    const order = newId();
    await owner.run(
      `insert into referred_order (order_id, affiliate, campaign, sub, give, get, placed_at, profit, shared)
       values ($1, $2, 'blog', '', 'BTC', 'USDT_ERC20', now(), 700, $3)`,
      [order, ann, shared],
    );
    await owner.run(
      `insert into reward (id, order_id, tier, holder_id, state, parts, reason, matures_at, made_at, state_at)
       values ($1, $1, $2, $3, $4, 100, $5, now(), '2026-01-02T23:30:00Z', now())`,
      [order, tier, ann, state, reason],
    );
  }
  await upgrade();
  const rows = await owner.rows('select day::text, campaign, orders, profit::text from affiliate_day where holder_id = $1', [
    ann,
  ]);
  assert.deepEqual(rows, [{ day: '2026-01-02', campaign: 'blog', orders: 2, profit: '1400' }]);
});
