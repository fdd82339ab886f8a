import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '../platform/index.ts';
import { type TestDb, testDb } from '../platform/testing.ts';
import { accounts } from './chart.ts';
import { type Journal, type Leg, leg } from './journal.ts';
import { post } from './post.ts';
import { type Fault, type Judge, verify } from './verify.ts';

const U = 'USDT';
const hot = accounts.custody('USDT_ERC20', 'hot', U);
const free = accounts.deskFree(U);
const wallet = accounts.wallet('u', U);

describe('verify', () => {
  let world: TestDb;
  const enter = (...legs: Leg[]) => {
    const journal: Journal = { id: newId(), kind: 'transfer', cause: newId(), legs, prices: { [U]: '1.01', BTC: '9' } };
    return world.db.tx((tx) => post(tx, [journal]));
  };

  before(async () => {
    world = await testDb();
    await enter(leg(hot, free, 500n));
    await enter(leg(free, wallet, 40n));
    await enter(leg(wallet, free, 15n), leg(wallet, free, 25n), leg(free, wallet, 1n));
    await enter(leg(accounts.custody('BTC', 'hot', 'BTC'), accounts.wallet('u', 'BTC'), 3n));
  });
  after(() => world.drop());

  test('right books have no fault', async () => {
    const report = await verify(world.db);
    assert.deepEqual(report.faults, []);
    assert.deepEqual([report.accounts, report.postings], [5, 6]);
    assert.deepEqual(report.units[1], { unit: U, held: 500n, owed: 1n, own: 499n });
  });

  const FREE = `(select id from account where name = 'desk:free:USDT')`;
  const WALLET = `(select id from account where name = 'wallet:u:USDT')`;
  // What somebody with the keys of the database could do, and what must be said of it.
  const tampered: [what: string, sql: string, words: RegExp][] = [
    [
      'a stored balance',
      `update account set balance = balance + 1 where id = ${FREE}`,
      /stored balance 500, sum of its entries 499/,
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
    ['a number', `update posting set from_seq = 99 where from_id = ${FREE} and leg = 0`, /a gap or a double/],
    ['a missing posting', `delete from posting where to_id = ${WALLET} and leg = 0`, /a gap or a double/],
    ['a time', `update posting set at = at - interval '1 day' where leg = 2`, /times go back/],
    ['an account', `delete from account where id = ${WALLET}`, /entries of an account that does not exist/],
    ['a name', `update account set name = 'wallet:thief:USDT' where id = ${WALLET}`, /id is not minted from its name/],
    ['a unit', `update account set unit = 'BTC' where id = ${WALLET}`, /BTC became USDT/],
    ['a floor', `update account set floor = 2 where id = ${WALLET}`, /stood at 1, below its floor 2/],
    ['a ceiling', `update account set ceiling = 499 where id = ${FREE}`, /stood at 500, above its ceiling 499/],
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

  test('asks judges about accounts that are not empty', async () => {
    const asked: string[] = [];
    const judge = (prefix: string): Judge => ({
      prefix,
      async judge(_, holdings) {
        asked.push(...holdings.map(({ account, balance }) => `${account} ${balance}`));
        return holdings.map(({ account }) => ({ check: 'rest', account, words: 'should be empty' }));
      },
    });
    const { faults } = await verify(world.db, { judges: [judge('wallet:'), judge('custody:USDT')] });
    assert.deepEqual(asked.toSorted(), ['custody:USDT_ERC20:hot 500', 'wallet:u:BTC 3', 'wallet:u:USDT 1']);
    assert.equal(faults.length, 3);
  });

  /** What verify says after a change of the tables past their rules, which is then taken back. */
  async function faultsAfter(sql: string): Promise<readonly Fault[]> {
    const tables = ['account', 'posting'];
    await past(...tables.map((table) => `create table kept_${table} as table ${table}`),
      'alter table account drop constraint if exists account_floor, drop constraint if exists account_ceiling', sql); // prettier-ignore
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
    await world.db.tx(async (tx) => {
      await tx.run('set local session_replication_role = replica');
      for (const statement of statements) await tx.run(statement);
    });
  }
});
