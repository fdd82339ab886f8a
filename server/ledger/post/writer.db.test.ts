import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { configureLog, newId } from '../../platform/index.ts';
import { type TcpProxy, startTcpProxy } from '../../platform/tcp-proxy.ts';
import { type TestDb, testDb } from '../../platform/testing.ts';
import { accountId } from '../chart/account-id.ts';
import { accounts } from '../chart/chart.ts';
import { type Journal, type JournalStatus, type Leg, leg } from '../chart/journal.ts';
import { balance, balances } from '../read/store.ts';
import { verify } from '../proof/verify.ts';
import { type Writer, openWriter } from './writer.ts';

const U = 'USDT';
const hot = accounts.custody('USDT_ERC20', 'hot', U);
const wallet = (name: string) => accounts.wallet(name, U);
const CAUSE = newId();
const journal = (one: Leg): Journal => ({
  ...{ id: newId(), cause: CAUSE, legs: [one] },
  kind: one.to.name === hot.name ? 'deposit_reversed' : 'deposit',
});

describe('the writer', () => {
  let world: TestDb;
  let proxy: TcpProxy;
  let writer: Writer;

  before(async () => {
    // What breaks here is broken on purpose.
    configureLog({ level: 'error' });
    world = await testDb();
    const address = new URL(world.url);
    proxy = await startTcpProxy(+address.port);
    Object.assign(address, { hostname: '127.0.0.1', port: proxy.port });
    writer = openWriter({ url: address.href, name: 'writer-under-test' });
  });
  after(async () => {
    await writer.close();
    await proxy.close();
    assert.deepEqual((await verify(world.db)).faults, []);
    await world.drop();
  });

  const statusOf = async (one: Journal) => (await writer.post(one)).status;

  test('posts for many callers at once in few transactions, each with its own status', async () => {
    const one = wallet('many');
    const count = `select count(distinct xmin::text) as n from posting`;
    const statuses = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) =>
        statusOf(journal(index % 10 === 9 ? leg(one, hot, 10n ** 9n) : leg(hot, one, 1n))),
      ),
    );
    assert.equal(statuses.filter((status) => status === 'posted').length, 900);
    assert.equal(statuses.filter((status) => status === 'floor').length, 100);
    assert.equal(await balance(world.db, one), 900n);
    const transactions = await world.db.row<{ n: string }>(count);
    assert.ok(BigInt(transactions!.n) <= 3n, `${transactions!.n} transactions`);
  });

  test('twins of one id: one is posted, the others are replayed or in conflict', async () => {
    const one = journal(leg(hot, wallet('twin'), 5n));
    const statuses = await Promise.all([one, one, { ...one, legs: [leg(hot, wallet('twin'), 6n)] }, one].map(statusOf));
    assert.deepEqual(statuses, ['posted', 'replayed', 'conflict', 'replayed']);
    assert.equal(await balance(world.db, wallet('twin')), 5n);
  });

  test('a journal that no caller may make fails alone', async () => {
    const bad = { ...journal(leg(hot, wallet('alone'), 1n)), id: 'x' };
    const [good, refused] = await Promise.allSettled([writer.post(journal(leg(hot, wallet('alone'), 1n))), writer.post(bad)]);
    assert.equal(good.status, 'fulfilled');
    assert.ok(refused.status === 'rejected' && refused.reason instanceof RangeError);
  });

  test('a journal that the database can’t take fails alone', async () => {
    const usurper = wallet('usurped');
    await world.db.run(`insert into account (id, name, unit, class, floor, at) values ($1, 'other', $2, 'owed', 0, now())`, [
      accountId(usurper.name),
      U,
    ]);
    const journals = Array.from({ length: 20 }, (_, index) => journal(leg(hot, index === 7 ? usurper : wallet('spared'), 1n)));
    const results = await Promise.allSettled(journals.map((one) => writer.post(one)));
    assert.deepEqual(
      results.flatMap(({ status }, index) => (status === 'rejected' ? [index] : [])),
      [7],
    );
    assert.equal(await balance(world.db, wallet('spared')), 19n);
    await world.db.run(`update account set name = $1 where name = 'other'`, [usurper.name]);
  });

  test('an answer that gets lost: what was written is not written again', async () => {
    await writer.post(journal(leg(hot, wallet('lost'), 1n)));
    const one = journal(leg(hot, wallet('lost'), 5n));
    let pending: Promise<JournalStatus> | undefined;
    await world.db.tx(async (tx) => {
      await tx.run('select from account where id = $1 for update', [accountId(wallet('lost').name)]);
      pending = writer.post(one);
      while ((await world.owner.rows(WAITS)).length === 0) await sleep(1);
      proxy.hang();
    });
    while ((await world.db.rows('select from posting where journal = $1', [one.id])).length === 0) await sleep(1);
    proxy.restore();
    assert.deepEqual(await pending, { status: 'replayed' });
    assert.equal(await balance(world.db, wallet('lost')), 6n);
  });

  test('whatever breaks in mid-batch, each journal happens exactly once', async () => {
    const targets = Array.from({ length: 8 }, (_, index) => wallet(`broken-${index}`));
    const statuses: JournalStatus['status'][] = [];
    let stop = false;
    const callers = Array.from({ length: 40 }, async (_, caller) => {
      while (!stop) statuses.push(await statusOf(journal(leg(hot, targets[caller % 8]!, 1n))));
    });
    for (let round = 0; round < 12; round += 1) {
      const before = statuses.length;
      while (statuses.length < before + 200) await sleep(1);
      await sleep(round % 4);
      if (round % 3 === 0) await world.owner.run(KILL);
      else if (round % 3 === 1) {
        proxy.refuse();
        proxy.restore();
      } else {
        proxy.hang();
        await sleep(10);
        proxy.restore();
      }
    }
    stop = true;
    await Promise.all(callers);
    assert.ok(statuses.every((status) => status === 'posted' || status === 'replayed'));
    const sums = await balances(world.db, targets);
    assert.equal(
      sums.reduce((sum, one) => sum + one, 0n),
      BigInt(statuses.length),
    );
  });

  test('nobody is answered before what was written is on the disk', async () => {
    // Others of this server may have it written by chance, but not thirty times.
    for (let time = 0; time < 30; time += 1) {
      const { before } = (await world.db.row<{ before: string }>('select pg_current_wal_insert_lsn()::text as before'))!;
      await writer.post(journal(leg(hot, wallet('durable'), 1n)));
      const flushed = await world.db.row(`select where pg_current_wal_flush_lsn() > $1::pg_lsn`, [before]);
      assert.ok(flushed, `the log was not written beyond ${before}`);
    }
  });

  test('only a connection that was there before the write can say that it is on the disk', async () => {
    const one = journal(leg(hot, wallet('durable'), 5n));
    const fresh = openWriter({ url: world.url, name: 'witnessed' });
    let pending: Promise<JournalStatus> | undefined;
    await world.db.tx(async (tx) => {
      await tx.run('select from account where id = $1 for update', [accountId(wallet('durable').name)]);
      pending = fresh.post(one);
      const waits = `application_name = 'witnessed' and wait_event_type = 'Lock'`;
      while ((await world.owner.rows(`select from pg_stat_activity where ${waits}`)).length === 0) await sleep(1);
      // As a server that fails in mid-write would: what the next one says is no proof.
      const ended = await world.owner.rows(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'witnessed' and not (${waits})`,
      );
      assert.equal(ended.length, 1);
    });
    assert.deepEqual(await pending, { status: 'replayed' });
    await fresh.close();
  });

  test('a full queue refuses at once, a database that stays away after a while', async () => {
    const small = openWriter({ url: `postgres://nobody@127.0.0.1:1/none`, queue: 3, patience: 100 });
    const settled: number[] = [];
    const calls = Array.from({ length: 5 }, (_, index) =>
      small.post(journal(leg(hot, wallet('full'), 1n))).finally(() => settled.push(index)),
    );
    const results = await Promise.allSettled(calls);
    assert.deepEqual(settled, [3, 4, 0, 1, 2]);
    await small.close();
    for (const result of results) {
      assert.equal(result.status === 'rejected' && (result.reason as { code?: string }).code, 'unavailable');
    }
    assert.equal(await balance(world.db, wallet('full')), 0n);
  });

  test('closing writes what is queued and takes nothing more', async () => {
    const other = openWriter({ url: world.url });
    const queued = Array.from({ length: 10 }, () => other.post(journal(leg(hot, wallet('closing'), 1n))));
    await other.close();
    await assert.rejects(other.post(journal(leg(hot, wallet('closing'), 1n))));
    assert.ok((await Promise.all(queued)).every(({ status }) => status === 'posted'));
    assert.equal(await balance(world.db, wallet('closing')), 10n);
  });
});

const WAITS = `select from pg_stat_activity where application_name = 'writer-under-test' and wait_event_type = 'Lock'`;
const KILL = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'writer-under-test'`;
