// Walks the database's catalog. For growth, money out, holders and orders, the proof must report every changed column and every
// inserted, copied or deleted row. Exceptions have a reason why no money moves and no letter goes out.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { affiliateJudge } from '../../affiliates/index.ts';
import { complianceJudge } from '../../compliance/index.ts';
import { couponJudge } from '../../coupons/index.ts';
import { earnJudge } from '../../earn/index.ts';
import { orderJudge } from '../../exchange/index.ts';
import type { Judge } from '../../ledger/index.ts';
import { saidBy } from '../../ledger/testing.ts';
import { moneyOutJudge } from '../../moneyout/index.ts';
import { paymentsJudge } from '../../payments/index.ts';
import type { Tx } from '../../platform/index.ts';
import { potJudge } from '../../pots/index.ts';
import { judgesOf } from '../judges.ts';
import { attemptsOn, readCatalog, type Attempt, type Ways } from './catalog.testing.ts';
import { HARMLESS, HARMLESS_TABLES } from './catalog-reasons.testing.ts';
import { type GrowthWorld, openGrowthWorld } from './growth-world.testing.ts';
import { OWNERS } from '../owners.testing.ts';

/** A table whose changed rows must be reported, and the checks that know it. */
interface Proved extends Ways {
  readonly judges: readonly Judge[];
}

const deskJudge = judgesOf(OWNERS).at(-1) as Judge;
const EMAIL = `'other@example.org'`;

const PROVED: Readonly<Record<string, Proved>> = {
  coupon: {
    judges: [couponJudge, deskJudge],
    rows: [`code = 'PERCENT'`, `code = 'FIXED'`, `kind = 'late' and state = 'live'`, `state = 'waiting'`, `kind = 'credit'`],
    values: {
      state: `'stopped'`,
      kind: `case kind when 'percent' then 'fixed' else 'percent' end`,
      taken: 'taken + 1',
      uses: 'taken + 20',
    },
    copy: { code: `'COPY'`, earned_by: 'gen_random_uuid()', holder_id: 'gen_random_uuid()' },
  },
  coupon_use: {
    judges: [couponJudge],
    rows: [`state = 'held'`, `state = 'spent'`],
    values: { state: `'free'`, coupon_id: '(select id from coupon where id <> coupon_id limit 1)' },
    copy: { owner_id: 'gen_random_uuid()' },
  },
  affiliate: {
    judges: [affiliateJudge],
    rows: ['owed = 0 and suspended_at is null', 'suspended_at is not null'],
    values: { share: '49', split_most: '90' },
    copy: { holder_id: '(select id from account_holder where id not in (select holder_id from affiliate) limit 1)' },
  },
  affiliate_key: { judges: [affiliateJudge], copy: { key: `'email:other'` } },
  affiliate_campaign: {
    judges: [affiliateJudge],
    values: { split: '90', postback: `'https://eve.example/'` },
    copy: { name: `'copy'` },
  },
  affiliate_out: { judges: [affiliateJudge, potJudge], values: { how: `'given_up'` } },
  binding: { judges: [affiliateJudge], values: { until: 'null' }, copy: { customer: EMAIL } },
  referred_order: {
    judges: [affiliateJudge],
    rows: ['completed_at is not null', 'completed_at is null'],
    copy: { reference: 'gen_random_uuid()' },
  },
  reward: {
    judges: [affiliateJudge, potJudge],
    rows: [`state = 'case'`, `state = 'pending'`, `state = 'available'`],
    values: { state: `'reversed'`, tier: '3 - tier' },
  },
  earn_draw: {
    judges: [earnJudge, couponJudge, potJudge],
    rows: [`state = 'open'`, `state = 'claimed'`],
    values: { state: `'abandoned', prize = null, client_seed = null` },
    copy: { hour: `hour + interval '1 hour'` },
  },
  earn_task: { judges: [earnJudge, couponJudge, potJudge], copy: { task: `'two_factor'`, customer: EMAIL } },
  earn_order: { judges: [earnJudge, couponJudge, potJudge] },
  earn_out: {
    judges: [earnJudge, couponJudge, potJudge],
    rows: [`way = 'credit'`, `way = 'wallet'`],
    values: { way: `case way when 'credit' then 'wallet' else 'credit' end` },
  },
  earn_day: { judges: [earnJudge], copy: { day: `day + 1` } },
  earn_holder: { judges: [earnJudge, couponJudge, potJudge] },
  pot_funding: {
    judges: [potJudge, couponJudge, affiliateJudge, earnJudge],
    values: { pot: `case pot when 'earn' then 'late' else 'earn' end` },
  },
  turnover_day: { judges: [orderJudge], copy: { customer: EMAIL } },
  moneyout_counted: { judges: [moneyOutJudge, orderJudge], rows: [`at > clock_now() - interval '1 day'`] },
  moneyout_address: { judges: [moneyOutJudge], copy: { key: `'0xcc'` } },
  moneyout_guard: {
    judges: [moneyOutJudge],
    copy: { holder_id: '(select id from account_holder where id not in (select holder_id from moneyout_guard) limit 1)' },
  },
  account_holder: {
    judges: [deskJudge],
    rows: ['referred_by is null', 'referred_by is not null'],
    copy: { email: EMAIL, email_key: EMAIL, referral_code: `'COPY0001'`, referral_alias: 'null' },
  },
  customer_order: {
    judges: [orderJudge],
    rows: [`state = 'awaiting'`, `state = 'completed'`],
    values: {
      state: `'cancelled'`,
      kind: `'unallocated'`,
      pinned: `jsonb_set(pinned, '{pinned,other}', '"1"')`,
      body: `jsonb_set(body, '{receive,fields}', '{"address": "thief"}')`,
    },
    copy: { number: `'KX-COPY-0000'`, calculation_id: 'gen_random_uuid()' },
  },
  calculation: {
    judges: [orderJudge],
    rows: ['order_id is null'],
    values: { side: `'get'`, wallet: `'give'`, held: `jsonb_set(held, '{minimum}', '1')`, locale: `'ru'` },
  },
  customer: { judges: [complianceJudge], values: { email: EMAIL }, copy: { email: EMAIL } },
  customer_level: {
    judges: [complianceJudge],
    copy: { holder_id: '(select id from account_holder where id not in (select holder_id from customer_level) limit 1)' },
  },
  limit_use: {
    judges: [complianceJudge, orderJudge],
    rows: [
      `key like 'holder:%' and owner_id in (select id from customer_order where state in ('awaiting', 'completed') and created_at > clock_now() - interval '29 days')`,
    ],
  },
  mail: { judges: [deskJudge], copy: { key: `'copy'` } },
  delivery_event: { judges: [deskJudge], rows: [`owner = 'mail'`, `owner <> 'mail'`] },
  delivery_endpoint: { judges: [deskJudge], rows: [`kind <> 'mail'`] },
  rail_balance: { judges: [paymentsJudge], copy: { place: `'other'` } },
};

let growth: GrowthWorld;
before(async () => {
  growth = await openGrowthWorld();
});
after(() => growth.close());

/** Runs attempts one by one in a transaction that is rolled back. Returns the names of those that nobody reported. */
async function unaccused(attempts: readonly Attempt[], judges: readonly Judge[]): Promise<string[]> {
  const silent: string[] = [];
  const over = new Error('over');
  await growth.world.owner
    .tx(
      async (tx) => {
        await tx.run('set local session_replication_role = replica');
        await tx.run('set local jit = off');
        // First each check by itself; all together only if none reports, since the money in a pot may belong to several rooms.
        const asked = [...judges.map((judge) => [judge]), judges];
        const usual = await Promise.all(asked.map(async (some) => new Set(await saidBy(tx, some))));
        const isAccused = async (): Promise<boolean> => {
          for (const [at, some] of asked.entries())
            if ((await saidBy(tx, some)).some((words) => usual[at]?.has(words) !== true)) return true;
          return false;
        };
        for (const { name, sql } of attempts) {
          await tx.run('savepoint attempt');
          const changed = await tryTo(tx, sql);
          if (changed && !(await isAccused())) silent.push(name);
          await tx.run('rollback to savepoint attempt');
        }
        throw over;
      },
      { budget: 600_000 },
    )
    .catch((error: unknown) => {
      if (error !== over) throw error;
    });
  return [...new Set(silent)];
}

/** Makes a change. Returns false if the database refuses it; throws if it finds no row. */
async function tryTo(tx: Tx, sql: string): Promise<boolean> {
  await tx.run('savepoint change');
  try {
    assert.equal(await tx.run(sql), 1, `no row was changed by ${sql}`);
    return true;
  } catch (error) {
    if (error instanceof assert.AssertionError || !/constraint/.test(String(error))) throw error;
    await tx.run('rollback to savepoint change');
    return false;
  }
}

describe('the proof reports rows that were changed by SQL', () => {
  test('nothing is reported if nothing was changed', async () => {
    assert.deepEqual(await growth.world.owner.tx((tx) => saidBy(tx, judgesOf(OWNERS))), []);
  });

  test('every table is proved here, or stands in a list with its reason', async () => {
    const tables = [...(await readCatalog(growth.world.owner)).keys()];
    const known = [...Object.keys(PROVED), ...Object.keys(HARMLESS_TABLES)];
    assert.deepEqual(known.toSorted(), tables.toSorted());
  });

  for (const [table, { judges, ...ways }] of Object.entries(PROVED)) {
    test(`is accused of each change of ${table} that has no reason to stay silent`, async () => {
      const columns = (await readCatalog(growth.world.owner)).get(table) ?? assert.fail(`there is no table ${table}`);
      const silent = await unaccused(attemptsOn(table, columns, ways), judges);
      const excused = Object.keys(HARMLESS).filter((name) => name.startsWith(`${table}.`) || name.startsWith(`${table}:`));
      assert.deepEqual(silent.toSorted(), excused.toSorted());
    });
  }
});
