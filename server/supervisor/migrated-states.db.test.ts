// An order and a withdrawal in each state that there was, carried over to the states of today.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { testDbBefore } from '../platform/testing.ts';

/** What each state of an order became; every other stays what it was. */
const ORDERS: Readonly<Record<string, string>> = {
  ...{ queued: 'paying', sending: 'paying', in_doubt: 'paying', sent: 'paying', payout_failed: 'undelivered' },
  ...{
    r_queued: 'refunding',
    r_sending: 'refunding',
    r_in_doubt: 'refunding',
    r_sent: 'refunding',
    refund_failed: 'undelivered',
  },
};
const STAY = [
  ...['awaiting', 'seen', 'choosing', 'holding', 'approving', 'unclaimed', 'frozen', 'expired', 'cancelled', 'completed'],
  ...['refunded', 'applied', 'reversed', 'surrendered', 'charged_back'],
];
const WITHDRAWALS: Readonly<Record<string, string>> = {
  ...{ queued: 'paying', sending: 'paying', in_doubt: 'paying', sent: 'paying' },
  ...{
    approving: 'approving',
    done: 'done',
    failed: 'failed',
    returned: 'returned',
    cancelled: 'cancelled',
    rejected: 'rejected',
  },
};

test('how far a payout is was a state of its order, or its withdrawal: each is paid now, refunded or undelivered', async (t) => {
  const { owner, upgrade, drop } = await testDbBefore('0161');
  t.after(() => drop());
  const states = [...Object.keys(ORDERS), ...STAY];
  await owner.run(
    `insert into customer_order (id, number, kind, state, version, created_at, updated_at, give_currency, give_parts, usd, email,
       customer, locale, pinned, body)
     select gen_random_uuid(), state, 'order', state, 1, now(), now(), 'BTC', 1, 1, 'a@example.org', 'a@example.org', 'en', '{}', '{}'
     from unnest($1::text[]) as state`,
    [states],
  );
  const holder = randomUUID();
  await owner.run(
    `insert into account_holder (id, email, email_key, locale, created_at) values ($1, 'a@example.org', 'a@example.org', 'en', now())`,
    [holder],
  );
  await owner.run(
    `insert into wallet_withdrawal (id, holder_id, unit, rail, currency, to_fields, to_key, parts, fee, usd, status, people, reason,
       asked_at, status_at)
     select gen_random_uuid(), $1, 'BTC', 'bitcoin', 'BTC', '{}', '', 5, 0, 1, status, 1, status, now(), now() from unnest($2::text[]) as status`,
    [holder, Object.keys(WITHDRAWALS)],
  );
  await upgrade();
  const pairs = async (sql: string): Promise<Record<string, string>> =>
    Object.fromEntries((await owner.rows<{ was: string; is: string }>(sql)).map(({ was, is }) => [was, is]));
  assert.deepEqual(await pairs('select number as was, state as is from customer_order'), {
    ...ORDERS,
    ...Object.fromEntries(STAY.map((state) => [state, state])),
  });
  assert.deepEqual(await pairs('select reason as was, status as is from wallet_withdrawal'), WITHDRAWALS);
});
