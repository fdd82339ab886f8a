// Walks the database's catalog. For growth, money out, holders and orders, the proof must report every changed column and every
// inserted, copied or deleted row. Exceptions have a reason why no money moves and no letter goes out.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { affiliateCheck } from '../../affiliates/index.ts';
import { complianceCheck } from '../../compliance/index.ts';
import { couponCheck } from '../../coupons/index.ts';
import { earnCheck } from '../../earn/index.ts';
import { orderCheck } from '../../exchange/index.ts';
import { INVOICE_OWNER, gateCheck } from '../../gate/index.ts';
import type { BooksCheck } from '../../ledger/index.ts';
import { saidBy } from '../../ledger/testing.ts';
import { moneyOutCheck } from '../../moneyout/index.ts';
import { paymentsCheck } from '../../payments/index.ts';
import type { Tx } from '../../platform/index.ts';
import { potCheck } from '../../pots/index.ts';
import { checksOf } from '../checks.ts';
import { attemptsOn, readCatalog, type Attempt, type Ways } from './catalog.testing.ts';
import { HARMLESS, HARMLESS_TABLES } from './catalog-reasons.testing.ts';
import { type GrowthWorld, openGrowthWorld } from './growth-world.testing.ts';
import { OWNERS } from '../owners.testing.ts';

/** A table whose changed rows must be reported, and the checks that know it. */
interface Proved extends Ways {
  readonly checks: readonly BooksCheck[];
}

const deskCheck = checksOf(OWNERS).at(-1) as BooksCheck;
const EMAIL = `'other@example.org'`;

const PROVED: Readonly<Record<string, Proved>> = {
  coupon: {
    checks: [couponCheck, deskCheck],
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
    checks: [couponCheck],
    rows: [`state = 'held'`, `state = 'spent'`],
    values: { state: `'free'`, coupon_id: '(select id from coupon where id <> coupon_id limit 1)' },
    copy: { owner_id: 'gen_random_uuid()' },
  },
  affiliate: {
    checks: [affiliateCheck],
    rows: ['owed = 0 and suspended_at is null', 'suspended_at is not null'],
    values: { share: '49', max_split: '90' },
    copy: { holder_id: '(select id from account_holder where id not in (select holder_id from affiliate) limit 1)' },
  },
  affiliate_key: { checks: [affiliateCheck], copy: { key: `'email:other'` } },
  affiliate_campaign: {
    checks: [affiliateCheck],
    values: { split: '90', postback: `'https://eve.example/'` },
    copy: { name: `'copy'` },
  },
  affiliate_out: { checks: [affiliateCheck, potCheck], values: { how: `'given_up'` } },
  binding: { checks: [affiliateCheck], values: { until: 'null' }, copy: { customer: EMAIL } },
  referred_order: {
    checks: [affiliateCheck],
    rows: ['completed_at is not null', 'completed_at is null'],
    copy: { reference: 'gen_random_uuid()' },
  },
  reward: {
    checks: [affiliateCheck, potCheck],
    rows: [`state = 'case'`, `state = 'pending'`, `state = 'available'`],
    values: { state: `'reversed'`, tier: '3 - tier' },
  },
  earn_draw: {
    checks: [earnCheck, couponCheck, potCheck],
    rows: [`state = 'open'`, `state = 'claimed'`],
    values: { state: `'abandoned', prize = null, client_seed = null` },
    copy: { hour: `hour + interval '1 hour'` },
  },
  earn_task: { checks: [earnCheck, couponCheck, potCheck], copy: { task: `'two_factor'`, customer: EMAIL } },
  earn_order: { checks: [earnCheck, couponCheck, potCheck] },
  earn_out: {
    checks: [earnCheck, couponCheck, potCheck],
    rows: [`way = 'credit'`, `way = 'wallet'`],
    values: { way: `case way when 'credit' then 'wallet' else 'credit' end` },
  },
  earn_day: { checks: [earnCheck], copy: { day: `day + 1` } },
  earn_holder: { checks: [earnCheck, couponCheck, potCheck] },
  pot_funding: {
    checks: [potCheck, couponCheck, affiliateCheck, earnCheck],
    values: { pot: `case pot when 'earn' then 'late' else 'earn' end` },
  },
  turnover_day: { checks: [orderCheck], copy: { customer: EMAIL } },
  moneyout_counted: { checks: [moneyOutCheck, orderCheck], rows: [`at > clock_now() - interval '1 day'`] },
  moneyout_address: { checks: [moneyOutCheck], copy: { key: `'0xcc'` } },
  moneyout_guard: {
    checks: [moneyOutCheck],
    copy: { holder_id: '(select id from account_holder where id not in (select holder_id from moneyout_guard) limit 1)' },
  },
  account_holder: {
    checks: [deskCheck],
    rows: ['referred_by is null', 'referred_by is not null'],
    copy: { email: EMAIL, email_key: EMAIL, referral_code: `'COPY0001'`, referral_alias: 'null' },
  },
  customer_order: {
    checks: [orderCheck],
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
    checks: [orderCheck],
    rows: ['order_id is null'],
    values: { side: `'get'`, wallet: `'give'`, held: `jsonb_set(held, '{minimum}', '1')`, locale: `'ru'` },
  },
  customer: { checks: [complianceCheck], values: { email: EMAIL }, copy: { email: EMAIL } },
  customer_level: {
    checks: [complianceCheck],
    copy: { holder_id: '(select id from account_holder where id not in (select holder_id from customer_level) limit 1)' },
  },
  limit_use: {
    checks: [complianceCheck, orderCheck],
    rows: [
      `key like 'holder:%' and owner_id in (select id from customer_order where state in ('awaiting', 'completed') and created_at > clock_now() - interval '29 days')`,
    ],
  },
  mail: { checks: [deskCheck], copy: { key: `'copy'` } },
  delivery_event: { checks: [deskCheck], rows: [`owner = 'mail'`, `owner <> 'mail'`] },
  delivery_endpoint: { checks: [deskCheck], rows: [`kind <> 'mail'`] },
  business: {
    checks: [gateCheck],
    values: { state: `'suspended'`, country: `'FR'` },
    copy: { holder_id: '(select id from account_holder where id not in (select holder_id from business) limit 1)' },
  },
  store: {
    checks: [gateCheck],
    rows: [`kind = 'business'`, `kind = 'test'`],
    values: {
      kind: `case kind when 'test' then 'personal' else 'test' end`,
      ...{ costs_bearer: `'store'`, short_preset: `'accept'`, colour: `'#ff0000'`, methods: `'{BTC}'` },
    },
  },
  store_site: { checks: [gateCheck], copy: { origin: `'https://copy.example'` } },
  invoice: {
    checks: [INVOICE_OWNER.check],
    rows: [`state = 'open'`],
    values: {
      ...{ state: `'cancelled'`, amount: '1', locale: `'ru'`, mark: `'settled'`, terms: `jsonb_set(terms, '{amount}', '"1n"')` },
      body: `jsonb_set(body, '{options,0,parts}', '"1n"')`,
    },
    copy: { number: `'KI-COPY-0000'` },
  },
  invoice_address: { checks: [INVOICE_OWNER.check], copy: { invoice_id: '(select id from invoice limit 1)', currency: `'TRX'` } },
  settled_payment: {
    checks: [INVOICE_OWNER.check],
    copy: { id: 'gen_random_uuid()' },
  },
  settlement: {
    checks: [INVOICE_OWNER.check],
    values: { direction: `'to_store'`, cause: `'daily'` },
  },
  settlement_plan: { checks: [INVOICE_OWNER.check], copy: { store_id: `(select id from store where kind = 'test' limit 1)` } },
  store_debt: { checks: [INVOICE_OWNER.check], copy: { unit: `'ETH'` } },
  store_dispute_cost: { checks: [INVOICE_OWNER.check] },
  store_write_off: { checks: [INVOICE_OWNER.check] },
  store_link: { checks: [gateCheck], rows: ['amount is not null', 'least is not null'] },
  store_invitation: {
    checks: [gateCheck],
    rows: ['ended_at is null', 'ended_at is not null'],
    values: { role: `'accountant'` },
    copy: { email_key: EMAIL },
  },
  rail_balance: { checks: [paymentsCheck], copy: { place: `'other'` } },
};

let growth: GrowthWorld;
before(async () => {
  growth = await openGrowthWorld();
});
after(() => growth.close());

/** Runs attempts one by one in a transaction that is rolled back. Returns the names of those that nobody reported. */
async function unaccused(attempts: readonly Attempt[], checks: readonly BooksCheck[]): Promise<string[]> {
  const silent: string[] = [];
  const over = new Error('over');
  await growth.world.owner
    .tx(
      async (tx) => {
        await tx.run('set local session_replication_role = replica');
        await tx.run('set local jit = off');
        // First each check by itself; all together only if none reports, since the money in a pot may belong to several rooms.
        const requests = [...checks.map((check) => [check]), checks];
        const usual = await Promise.all(requests.map(async (some) => new Set(await saidBy(tx, some))));
        const isAccused = async (): Promise<boolean> => {
          for (const [at, some] of requests.entries())
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
    assert.deepEqual(await growth.world.owner.tx((tx) => saidBy(tx, checksOf(OWNERS))), []);
  });

  test('every table is proved here, or stands in a list with its reason', async () => {
    const tables = [...(await readCatalog(growth.world.owner)).keys()];
    const known = [...Object.keys(PROVED), ...Object.keys(HARMLESS_TABLES)];
    assert.deepEqual(known.toSorted(), tables.toSorted());
  });

  for (const [table, { checks, ...ways }] of Object.entries(PROVED)) {
    test(`is accused of each change of ${table} that has no reason to stay silent`, async () => {
      const columns = (await readCatalog(growth.world.owner)).get(table) ?? assert.fail(`there is no table ${table}`);
      const silent = await unaccused(attemptsOn(table, columns, ways), checks);
      const excused = Object.keys(HARMLESS).filter((name) => name.startsWith(`${table}.`) || name.startsWith(`${table}:`));
      assert.deepEqual(silent.toSorted(), excused.toSorted());
    });
  }
});
