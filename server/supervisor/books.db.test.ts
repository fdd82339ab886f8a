// A database in which an earlier version wrote rows without MACs is refused at the start, in both languages.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../platform/index.ts';
import { testDb } from '../platform/testing.ts';
import { refuseBooksFromBefore } from './books.ts';

const SANDBOX = { KURS_DATA: '/tmp/nowhere', KURS_MODE: 'sandbox' } as const;

/** For each table: SQL that writes a row of an earlier version (`$1`: its id), and SQL that gives the row a MAC. */
const ROWS: Readonly<Record<string, { readonly old: string; readonly marked: string }>> = {
  reward: {
    old: `insert into reward (id, order_id, tier, holder_id, state, parts, matures_at, made_at, state_at)
          values ($1, $1, 1, $1, 'pending', 1, now(), now(), now())`,
    marked: 'update reward set mac = $1',
  },
  customer_order: {
    old: `insert into customer_order (id, number, kind, state, version, created_at, updated_at, give_currency, give_parts, usd, email,
            customer, locale, pinned, body) values ($1, 'KX-1', 'order', 'expired', 1, now(), now(), 'BTC', 1, 1, 'a@b.c', 'a@b.c',
            'en', '{}', '{}')`,
    marked: 'update customer_order set mac = $1',
  },
  coupon: {
    old: `insert into coupon (id, code, kind, state, budget, most, made_by, made_at, state_at)
          values ($1, 'OLD', 'percent', 'live', 1, 1, '{ann}', now(), now())`,
    marked: 'update coupon set mac = $1',
  },
  earn_draw: {
    old: `insert into earn_draw (id, holder_id, hour, seed, prizes, most, state, counts, begun_at, ends_at)
          values ($1, $1, now(), decode(repeat('00', 32), 'hex'), '[]', 1, 'open', 1, now(), now())`,
    marked: 'update earn_draw set mac = $1',
  },
  earn_order: {
    old: `insert into earn_order (order_id, holder_id, worth, profit, keys, matures_at) values ($1, $1, 1, 1, '{}', now())`,
    marked: 'update earn_order set mac = $1',
  },
  affiliate: { old: 'insert into affiliate (holder_id) values ($1)', marked: 'update affiliate set mac = $1' },
  binding: {
    old: `insert into binding (customer, affiliate, campaign, sub, since, had_ordered) values ('a@b.c', $1, '', '', now(), false)`,
    marked: 'update binding set mac = $1',
  },
  referred_order: {
    old: `insert into referred_order (order_id, affiliate, campaign, sub, give, get, placed_at) values ($1, $1, '', '', 'BTC', 'ETH', now())`,
    marked: 'update referred_order set mac = $1',
  },
  customer_level: {
    old: `insert into customer_level (holder_id, level, by, at) values ($1, 2, 'ann', now())`,
    marked: 'update customer_level set mac = $1',
  },
  customer: {
    old: `insert into customer (email, finished, by, at) select 'a@b.c', true, 'ann', now() where $1::uuid is not null`,
    marked: 'update customer set mac = $1',
  },
  turnover_day: {
    old: `insert into turnover_day (customer, day, cents) select 'a@b.c', current_date, 1 where $1::uuid is not null`,
    marked: 'update turnover_day set mac = $1',
  },
  mail: {
    old: `insert into mail (id, key, recipient, locale, queued_at) values ($1, 'old', 'a@b.c', 'en', now())`,
    marked: 'update mail set mac = $1',
  },
};

for (const [table, { old, marked }] of Object.entries(ROWS)) {
  test(`refuses a database whose rows of ${table} have no MAC`, async (t) => {
    const { db, owner, drop } = await testDb();
    t.after(() => drop());
    await refuseBooksFromBefore(db, SANDBOX);
    await owner.tx(async (tx) => {
      // A row alone, without the rows that it refers to.
      await tx.run('set local session_replication_role = replica');
      await tx.run(old, [newId()]);
    });
    for (const mode of ['sandbox', 'live'] as const) {
      await assert.rejects(refuseBooksFromBefore(db, { ...SANDBOX, KURS_MODE: mode }), ({ name, message }: Error) => {
        assert.equal(name, 'ConfigError');
        assert.match(message, mode === 'sandbox' ? /Begin anew/ : /begin anew/);
        assert.match(message, /прежн/);
        return true;
      });
    }
    await owner.run(marked, [newId()]);
    await refuseBooksFromBefore(db, SANDBOX);
  });
}
