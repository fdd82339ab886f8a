import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '../../platform/index.ts';
import { type TestDb, testDb } from '../../platform/testing.ts';
import { accounts } from '../chart/chart.ts';
import { type Journal, type JournalKind, type Leg, leg } from '../chart/journal.ts';
import { post } from '../post/post.ts';
import type { Fault, BooksCheck, RowBalance } from './checks.ts';
import { verify } from './verify.ts';

const U = 'USDT';
const hot = accounts.custody('USDT_ERC20', 'hot', U);
const free = accounts.deskFree(U);
const fee = accounts.income('fee', U);
const wallet = accounts.wallet('u', U);

describe('verify', () => {
  let world: TestDb;
  const enter = (kind: JournalKind, ...legs: Leg[]) => {
    const journal: Journal = { id: newId(), kind, cause: newId(), legs, prices: { [U]: '1.01', BTC: '9' } };
    return world.db.tx((tx) => post(tx, [journal]));
  };

  before(async () => {
    world = await testDb();
    await enter('capital_in', leg(hot, free, 500n));
    await enter('deposit', leg(hot, wallet, 40n));
    await enter('deposit', leg(wallet, fee, 15n), leg(wallet, fee, 25n), leg(hot, wallet, 1n));
    await enter('deposit', leg(accounts.custody('BTC', 'hot', 'BTC'), accounts.wallet('u', 'BTC'), 3n));
  });
  after(() => world.drop());

  test('finds no fault in correct books', async () => {
    const report = await verify(world.db);
    assert.deepEqual(report.faults, []);
    assert.deepEqual([report.accounts, report.postings], [6, 6]);
    assert.deepEqual(report.units[1], { unit: U, held: 541n, owed: 1n, own: 540n });
  });

  const FREE = `(select id from account where name = 'desk:free:USDT')`;
  const WALLET = `(select id from account where name = 'wallet:u:USDT')`;
  // Changes that somebody with access to the database could make, and the faults that must be reported.
  const tampered: [what: string, sql: string, words: RegExp][] = [
    [
      'a stored balance',
      `update account set balance = balance + 1 where id = ${FREE}`,
      /stored balance 501, sum of its entries 500/,
    ],
    ['a count of entries', `update account set seq = seq + 1 where id = ${FREE}`, /counts \d+ entries and has/],
    [
      'an amount',
      `update posting set parts = parts + 1 where from_id = ${WALLET} and leg = 0`,
      /is not the one before plus its change/,
    ],
    [
      'a balance of the past',
      `update posting set to_balance = to_balance + 1 where to_id = ${FREE} and leg = 0`,
      /is not the one before plus/,
    ],
    ['a number', `update posting set from_seq = 99 where from_id = ${WALLET} and leg = 0`, /a gap or a double/],
    ['a missing posting', `delete from posting where to_id = ${WALLET} and leg = 0`, /a gap or a double/],
    ['a time', `update posting set at = at - interval '1 day' where leg = 2`, /times go back/],
    ['an account', `delete from account where id = ${WALLET}`, /entries of an account that does not exist/],
    ['a name', `update account set name = 'wallet:thief:USDT' where id = ${WALLET}`, /id is not minted from its name/],
    ['a unit', `update account set unit = 'BTC' where id = ${WALLET}`, /BTC became USDT/],
    ['a floor', `update account set floor = 2 where id = ${WALLET}`, /stood at 1, below its floor 2/],
    ['a ceiling', `update account set ceiling = 499 where id = ${FREE}`, /stood at 500, above its ceiling 499/],
    ['a floor taken away', `update account set floor = null where id = ${WALLET}`, /its floor is none, and by its name 0/],
    ['a class', `update account set class = 'own' where id = ${WALLET}`, /is own, and by its name owed/],
    [
      'a unit everywhere',
      `update account set unit = 'BTC' where unit = 'USDT'`,
      /is counted in BTC, which its name does not say/,
    ],
    [
      'a name of no type',
      `update account set name = 'purse:u:USDT' where id = ${WALLET}`,
      /no account of the chart is called so/,
    ],
    ['a kind', `update posting set kind = 3 where kind = 80`, /no leg of it makes it of the kind payin/],
    [
      'a kind that there isn’t',
      `update posting set kind = 999 where kind = 80`,
      /the kind 999 has no leg custody:hot → desk:free/,
    ],
    [
      'a time of next year',
      `update posting set at = at + interval '400 days' where to_id = ${WALLET} and leg = 0`,
      /which is yet to come/,
    ],
  ];
  for (const [what, sql, words] of tampered) {
    test(`finds ${what} that was changed`, async () => {
      const faults = await faultsAfter(sql);
      assert.ok(
        faults.some((fault) => words.test(fault.words)),
        JSON.stringify(faults),
      );
    });
  }

  test('finds balances that no row explains, and rows whose balance is missing', async () => {
    const check = (...statuses: RowBalance[]): BooksCheck => ({
      accountTypes: ['wallet'],
      causes: [],
      balances: async () => statuses,
    });
    const says = async (...checks: BooksCheck[]) =>
      (await verify(world.db, { checks })).faults.map(({ account, words }) => `${account}: ${words}`);
    const bitcoin = { account: accounts.wallet('u', 'BTC'), parts: 3n, of: 'the row b' };
    const [one, other] = [1n, 0n].map((parts) => ({ account: wallet, parts, of: 'the row u' })) as [RowBalance, RowBalance];
    assert.deepEqual(await says(check(one, bitcoin)), []);
    // Two rooms may explain one account type together, and two rows one account.
    assert.deepEqual(await says(check(one), check(bitcoin, other)), []);
    assert.deepEqual(await says(check(bitcoin)), ['wallet:u:USDT: the balance is 1, and no row explains it']);
    assert.deepEqual(await says(check(one, one, bitcoin)), [
      'wallet:u:USDT: the row u, the row u: the balance should be 2, not 1',
    ]);
    const nobody = { account: accounts.wallet('nobody', U), parts: 5n, of: 'the row n' };
    assert.deepEqual(await says(check(one, bitcoin, nobody)), ['wallet:nobody:USDT: the row n: the balance should be 5, not 0']);
  });

  test('finds journals whose cause is no row of the room that posts their kind', async () => {
    const rows = 'select distinct cause from posting where kind = 80';
    const check = (kinds: JournalKind[]): BooksCheck => ({
      accountTypes: [],
      causes: [{ kinds, rows }],
      balances: async () => [],
    });
    const said = async (kinds: JournalKind[], isWhole: boolean) =>
      (await verify(world.db, { checks: [check(kinds)], isWhole })).faults.map(
        ({ words }) => /kind (\w+) is about/.exec(words)?.[1],
      );
    assert.deepEqual(await said(['capital_in'], false), []);
    assert.deepEqual(await said(['capital_in', 'deposit'], false), ['deposit', 'deposit', 'deposit']);
    assert.deepEqual(await said(['capital_in'], true), ['deposit', 'deposit', 'deposit']);
  });

  /** Returns the faults that verify finds after a change that bypasses the tables' triggers. The change is then undone. */
  async function faultsAfter(sql: string): Promise<readonly Fault[]> {
    const tables = ['account', 'posting'];
    await past(
      ...tables.map((table) => `create table kept_${table} as table ${table}`),
      'alter table account drop constraint if exists account_floor, drop constraint if exists account_ceiling',
      sql,
    );
    try {
      return (await verify(world.db)).faults;
    } finally {
      await past(
        ...tables.flatMap((table) => [
          `delete from ${table}`,
          `insert into ${table} table kept_${table}`,
          `drop table kept_${table}`,
        ]),
      );
    }
  }

  async function past(...statements: string[]): Promise<void> {
    await world.owner.tx(async (tx) => {
      await tx.run('set local session_replication_role = replica');
      for (const statement of statements) await tx.run(statement);
    });
  }
});
