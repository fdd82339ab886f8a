import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { type TestDb, testDb } from '../../platform/testing.ts';
import { newId } from '../../platform/index.ts';
import { accountId } from '../chart/account-id.ts';
import { callsOf, worldAccounts } from './journals.testing.ts';
import { accounts } from '../chart/chart.ts';
import { type Journal, type JournalStatus, type Leg, leg } from '../chart/journal.ts';
import { openMemory } from './memory.ts';
import { enter as enterAny, postAndCommit } from './post.ts';
import { balance, balanceAt, balances, entries } from '../read/store.ts';
import { verify } from '../proof/verify.ts';

const U = 'USDT';
const hot = accounts.custody('USDT_ERC20', 'hot', U);
const wallet = (name: string) => accounts.wallet(name, U);
const CAUSE = newId();
const journal = (...legs: Leg[]): Journal => ({ id: newId(), kind: 'transfer', cause: CAUSE, legs, prices: { [U]: '1' } });

describe('post', () => {
  let world: TestDb;
  // These tests use legs of any meaning, so they skip the check of legal legs.
  const enter = (...journals: Journal[]): Promise<JournalStatus[]> => world.db.tx((tx) => enterAny(tx, journals));

  before(async () => (world = await testDb()));
  after(async () => {
    // The books must be right after all tests, apart from faults about the meaning of legs.
    const faults = (await verify(world.db)).faults.filter(({ check }) => check !== 'kind' && check !== 'chart');
    assert.deepEqual(faults, []);
    await world.drop();
  });

  test('gives each journal its status; a refused one leaves the others alone', async () => {
    const [a, b] = [wallet('status-a'), wallet('status-b')];
    const statuses = await enter(
      journal(leg(a, b, 1n)),
      journal(leg(hot, a, 100n)),
      journal(leg(a, b, 60n), leg(b, hot, 61n)),
      journal(leg(a, b, 60n), leg(b, hot, 10n)),
      journal(leg(accounts.income('fee', U), hot, 10n ** 9n)),
    );
    assert.deepEqual(statuses, [
      { status: 'floor', leg: 0 },
      { status: 'posted' },
      { status: 'floor', leg: 1 },
      { status: 'posted' },
      { status: 'ceiling', leg: 0 },
    ]);
    assert.deepEqual(await balances(world.db, [a, b, wallet('nobody'), hot]), [40n, 50n, 0n, 90n]);
  });

  test('does the same as the ledger in memory, for any journals', async (t) => {
    const seed = newId();
    t.diagnostic(`seed ${seed}`);
    // All runs share one model, since income and spent accounts are shared. Ids and other accounts belong to one run.
    const model = openMemory();
    for (let run = 1; run <= 40; run += 1) {
      const name = run.toString(16);
      const [calls = []] = fc.sample(callsOf(name, 8), { numRuns: 1, seed: parseInt(seed.slice(-7), 16) + run });
      for (const call of calls) assert.deepEqual(await enter(...call), model.post(call));
      const refs = worldAccounts(name).flat();
      assert.deepEqual(await balances(world.db, refs), refs.map(model.balance));
    }
  });

  test('a known id is replayed with the same content, and a conflict with any other', async () => {
    const one = journal(leg(hot, wallet('again'), 7n), leg(wallet('again'), hot, 2n));
    assert.deepEqual(await enter(one), [{ status: 'posted' }]);
    assert.deepEqual(await enter({ ...one, prices: { [U]: '1.00' } }), [{ status: 'replayed' }]);
    const [first, second] = one.legs as [Leg, Leg];
    const others: Partial<Journal>[] = [
      { kind: 'deposit' },
      { cause: newId() },
      { prices: { [U]: '1.01' } },
      { prices: {} },
      { legs: [first] },
      { legs: [first, second, second] },
      { legs: [second, first] },
      { legs: [first, { ...second, parts: 3n }] },
      { legs: [first, { ...second, to: wallet('again-b') }] },
      { legs: [{ ...first, from: accounts.custody('USDT_ERC20', 'cold', U) }, second] },
    ];
    for (const other of others) assert.deepEqual(await enter({ ...one, ...other }), [{ status: 'conflict' }]);
    assert.equal(await balance(world.db, wallet('again')), 5n);
  });

  test('a second call in one transaction throws', async () => {
    const [first, second] = [journal(leg(hot, wallet('once'), 1n)), journal(leg(hot, wallet('once'), 1n))];
    await assert.rejects(
      world.db.tx(async (tx) => {
        await enterAny(tx, [first]);
        await enterAny(tx, [second]);
      }),
      /posts once/,
    );
    assert.equal(await balance(world.db, wallet('once')), 0n);
  });

  test('rolls back journals with their transaction', async () => {
    const one = journal(leg(hot, wallet('gone'), 1n));
    const abandoned = world.db.tx(async (tx) => {
      assert.deepEqual(await enterAny(tx, [one]), [{ status: 'posted' }]);
      throw new Error('abandoned');
    });
    await assert.rejects(abandoned, /abandoned/);
    assert.equal(await balance(world.db, wallet('gone')), 0n);
    assert.deepEqual(await enter(one), [{ status: 'posted' }]);
  });

  test('postAndCommit posts all journals or none, and returns a status for each', async () => {
    const [a, b] = [wallet('along-a'), wallet('along-b')];
    const along = (...journals: Journal[]): Promise<JournalStatus[]> => world.db.tx((tx) => postAndCommit(tx, journals));
    const first: Journal = { ...journal(leg(hot, a, 5n)), kind: 'deposit' };
    assert.deepEqual(await along(first), [{ status: 'posted' }]);
    const [fine, over] = [journal(leg(a, b, 2n)), journal(leg(a, b, 4n))] as const;
    const refused = world.db.tx(async (tx) => {
      const statuses = await postAndCommit(tx, [fine, over, first]);
      throw Object.assign(new Error('refused'), { statuses });
    });
    await assert.rejects(refused, { statuses: [{ status: 'posted' }, { status: 'floor', leg: 0 }, { status: 'replayed' }] });
    assert.deepEqual(await balances(world.db, [a, b]), [5n, 0n]);
    assert.deepEqual(await along(fine), [{ status: 'posted' }]);
    assert.deepEqual(await balances(world.db, [a, b]), [3n, 2n]);
  });

  test('sends no statement for an empty list of journals', async () => {
    assert.deepEqual(await enter(), []);
  });

  test('concurrent callers that each repeat a journal post it once, within all bounds', async () => {
    const crowd = Array.from({ length: 12 }, (_, index) => wallet(`crowd-${index}`));
    await enter(journal(...crowd.map((one) => leg(hot, one, 50n))));
    const pick = fc.sample(fc.nat(crowd.length - 1), 4_000);
    const journals = Array.from({ length: 400 }, (_, index) => {
      const [from, to, third] = [0, 1, 2].map((offset) => crowd[pick[index * 7 + offset]!]!);
      const legs = [leg(from!, to === from ? hot : to!, 13n)];
      return journal(...legs, ...(third === from ? [] : [leg(accounts.deskFree(U), third!, 1n)]).slice(0, index % 2));
    });
    await enter(journal(leg(hot, accounts.deskFree(U), 100n)));
    const poster = async (order: readonly Journal[]): Promise<JournalStatus[]> => {
      const statuses: JournalStatus[] = [];
      for (let at = 0; at < order.length; at += 5) statuses.push(...(await enter(...order.slice(at, at + 5))));
      return statuses;
    };
    const quarters = [0, 100, 200, 300].map((at) => journals.slice(at, at + 100));
    const results = await Promise.all([...quarters, ...quarters].map(poster));
    const posted = results.flat().filter(({ status }) => status === 'posted').length;
    const [row] = await world.db.rows<{ n: string }>(
      'select count(distinct journal) as n from posting where journal = any ($1::uuid[])',
      [journals.map(({ id }) => id)],
    );
    assert.equal(BigInt(posted), BigInt(row!.n));
    assert.ok(posted > 50);
    assert.ok(results.flat().every(({ status }) => status !== 'conflict'));
    const whole = await balances(world.db, [...crowd, accounts.deskFree(U)]);
    assert.ok(whole.every((one) => one >= 0n));
  });

  test('concurrent callers create a new account once', async () => {
    const before = await balance(world.db, hot);
    const fresh = Array.from({ length: 10 }, (_, index) => wallet(`fresh-${index}`));
    await Promise.all(fresh.map((_, turn) => enter(journal(...fresh.map((__, at) => leg(hot, fresh[(at + turn) % 10]!, 1n))))));
    assert.deepEqual(
      await balances(world.db, fresh),
      fresh.map(() => 10n),
    );
    assert.equal(await balance(world.db, hot), before + 100n);
  });

  test('creates accounts that this process remembers from another database', async () => {
    const other = await testDb();
    const one = journal(leg(hot, wallet('elsewhere'), 3n));
    assert.deepEqual(await enter(one), [{ status: 'posted' }]);
    assert.deepEqual(await other.db.tx((tx) => enterAny(tx, [one])), [{ status: 'posted' }]);
    assert.equal(await balance(other.db, wallet('elsewhere')), 3n);
    await other.drop();
  });

  test('refuses two names that give the same id', async () => {
    const name = 'wallet:collided:USDT';
    await world.db.run(`insert into account (id, name, unit, class, floor, at) values ($1, 'other', 'USDT', 'owed', 0, now())`, [
      accountId(name),
    ]);
    await assert.rejects(enter(journal(leg(hot, wallet('collided'), 1n))), /minted by two names/);
    await asSuperuser(`delete from account where name = 'other'`);
  });

  test('refuses updates and deletes of what is posted', async () => {
    await enter(journal(leg(hot, wallet('final'), 1n)));
    for (const sql of ['update posting set parts = 1', 'delete from posting', 'delete from account']) {
      await assert.rejects(world.db.run(sql), { code: '42501' }, sql);
      await assert.rejects(world.owner.run(sql), /is final/, `${sql}, by the owner`);
    }
    // No trigger stops TRUNCATE, so even the owner has no right to it.
    const table = await world.db.row<{ rights: string }>(`select relacl::text as rights from pg_class where relname = 'posting'`);
    assert.doesNotMatch(table!.rights, /=[^/]*[wdD]/);
  });

  test('returns entries in pages, newest first, and past balances by time', async () => {
    const one = wallet('paged');
    for (const parts of [5n, 7n, 9n]) {
      await enter(journal(leg(hot, one, parts)), journal(leg(one, hot, 1n)));
      // Gives each entry a time of its own: a Date has milliseconds only.
      await sleep(2);
    }
    const first = await entries(world.db, one, { limit: 4 });
    assert.deepEqual(
      first.map(({ seq, change, balance: then }) => [seq, change, then]),
      [
        [6n, -1n, 18n],
        [5n, 9n, 19n],
        [4n, -1n, 10n],
        [3n, 7n, 11n],
      ],
    );
    assert.deepEqual([first[0]!.kind, first[0]!.other, first[0]!.cause, first[0]!.price], ['transfer', hot.name, CAUSE, '1']);
    const rest = await entries(world.db, one, { before: first.at(-1)!.seq, limit: 4 });
    assert.deepEqual(
      rest.map(({ change }) => change),
      [-1n, 5n],
    );
    const held = await entries(world.db, hot, { limit: 1 });
    assert.deepEqual([held[0]!.change, held[0]!.balance], [-1n, await balance(world.db, hot)]);
    assert.equal(await balanceAt(world.db, one, first[2]!.at), 10n);
    assert.equal(await balanceAt(world.db, one, new Date(rest[1]!.at.getTime() - 1)), 0n);
    assert.equal(await balanceAt(world.db, one, new Date(first[0]!.at.getTime() + 1)), 18n);
  });

  async function asSuperuser(sql: string): Promise<void> {
    await world.owner.tx(async (tx) => {
      await tx.run(`set local session_replication_role = replica`);
      await tx.run(sql);
    });
  }
});
