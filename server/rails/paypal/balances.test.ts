// Tests the balances that PayPal reports, and their time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBalances } from './balances.ts';
import type { PayPal } from './client.ts';

const USD = { currency: 'USD', total_balance: { currency_code: 'USD', value: '12.34' } };

async function balances(more: object) {
  const read: PayPal['read'] = async (_path, shape) => shape.parse({ balances: [USD], ...more }) as never;
  return readBalances({ read, post: () => assert.fail('reading balances posts nothing') });
}

const [early, late] = ['2026-03-01T09:00:00Z', '2026-03-01T12:00:00+01:00'];
for (const [more, says, why] of [
  [{}, undefined, 'without a time there is none'],
  [{ as_of_time: early, last_refresh_time: late }, early, 'the earlier one is the requested time'],
  [{ as_of_time: late, last_refresh_time: early }, early, 'the earlier one is the last refresh, hours ago'],
  [{ as_of_time: late }, '2026-03-01T11:00:00Z', 'only the requested time is given'],
  [{ last_refresh_time: early }, early, 'only the last refresh is given'],
  [{ as_of_time: late, last_refresh_time: 'yesterday' }, undefined, 'an invalid time makes the time unknown'],
  [{ as_of_time: 1_772_355_600 }, undefined, 'a number is no time'],
  [{ as_of_time: '2300-01-01T00:00:00Z' }, undefined, 'an impossible time is none'],
] as const) {
  test(`${JSON.stringify(more)}: ${why}`, async () => {
    const [usd, eur] = await balances(more);
    assert.deepEqual([usd?.parts, eur?.parts], [1_234n, 0n]);
    for (const one of [usd, eur]) assert.deepEqual(one?.asOf, says && new Date(says));
  });
}
