import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@kurs/contract';
import { advanceClock } from './sandbox-clock.ts';
import { isDuplicate, mayBeCommitted, openDb, type Db, type Tx } from './db.ts';
import { startTcpProxy, type TcpProxy } from '../tcp-proxy.ts';
import { testDb, type TestDb } from '../testing.ts';

let test1: TestDb;
let db: Db;
before(async () => {
  test1 = await testDb();
  db = test1.db;
  await test1.owner.run('create table item (id int primary key, n bigint not null); grant all on item to kurs_app');
});
after(() => test1.drop());

const isUnavailable = (error: unknown): boolean => error instanceof Problem && error.code === 'unavailable';

describe('statements', () => {
  test('give bigint and numeric as text, timestamptz as Date, jsonb parsed', async () => {
    const row = await db.row(`select 9007199254740993::bigint as b, 0.10::numeric as n, now() as t, '{"a":"1"}'::jsonb as j`);
    const { b, n, t, j } = row as { b: string; n: string; t: Date; j: unknown };
    assert.deepEqual([b, n, j], ['9007199254740993', '0.10', { a: '1' }]);
    assert.ok(t instanceof Date);
    assert.equal(await db.row('select 1 where false'), undefined);
  });

  test('take bigints and named statements', async () => {
    for (const n of [1n, 2n ** 62n]) {
      const row = await db.row<{ n: string }>('select $1::bigint as n', [n], { name: 'test.echo' });
      assert.equal(row?.n, String(n));
    }
  });
});

describe('a transaction', () => {
  test('commits what it did, and nothing after an error', async () => {
    await db.tx((tx) => tx.run('insert into item values (1, 1)'));
    const failed = db.tx(async (tx) => {
      await tx.run('insert into item values (2, 1)');
      throw new Problem('quote_expired');
    });
    await assert.rejects(failed, (error) => error instanceof Problem && error.code === 'quote_expired');
    assert.deepEqual(await db.rows('select id from item order by id'), [{ id: 1 }]);
  });

  test('names a violated constraint', async () => {
    const again = db.tx((tx) => tx.run('insert into item values (1, 1)'));
    await assert.rejects(again, (error) => isDuplicate(error, 'item_pkey') && !isDuplicate(error, 'other'));
  });

  test('fails when the work swallowed the error of a statement', async () => {
    const swallowed = db.tx(async (tx) => {
      await tx.run('insert into item values (3, 1)');
      await tx.run('select 1/0').catch(() => {});
    });
    await assert.rejects(swallowed, /had failed before its commit/);
    assert.equal(await db.row('select 1 from item where id = 3'), undefined);
  });

  test('writes without waiting: later statements see the write, and it is committed with them', async () => {
    const seen = await db.tx(async (tx) => {
      tx.write('insert into item values ($1, 1)', ['51']);
      return tx.rows('select id from item where id = 51');
    });
    await db.tx(async (tx) => tx.write('update item set n = 2 where id = 51'));
    assert.deepEqual([seen, await db.row('select n from item where id = 51')], [[{ id: 51 }], { n: '2' }]);
  });

  for (const [how, after] of Object.entries<(tx: Tx) => Promise<unknown>>({
    'nothing comes': async () => {},
    'a statement comes': (tx) => tx.rows('select 1'),
    'the last statement comes': (tx) => tx.last('select 1', [], { name: 'test.one' }),
    'something else is thrown': async (tx) => {
      await tx.rows('select 1');
      throw new Error('never');
    },
  })) {
    test(`fails with the error of a write that it did not wait for, if after it ${how}`, async () => {
      const failing = db.tx(async (tx) => {
        tx.write('insert into item values (52, 1)');
        tx.write('insert into item values (52, 1)');
        await after(tx);
      });
      await assert.rejects(failing, (error) => isDuplicate(error, 'item_pkey'));
      assert.equal(await db.row('select 1 from item where id = 52'), undefined);
    });
  }

  test('may send its last statement together with the commit', async () => {
    const [named, seen] = [{ name: 'test.last' }, [] as string[]];
    const insert = 'insert into item values ($1, 1) returning id';
    await db.tx(async (tx) => {
      tx.afterCommit(() => seen.push('committed'));
      assert.deepEqual(await tx.last(insert, ['41'], named), { id: 41 });
      assert.deepEqual(await db.rows('select id from item where id = 41'), [{ id: 41 }]);
      await assert.rejects(tx.run('select 1'), /is over/);
    });
    const refused = db.tx(async (tx) => {
      tx.afterCommit(() => seen.push('never'));
      await tx.run('insert into item values (42, 1)');
      await tx.last(insert, ['41'], named);
    });
    await assert.rejects(refused, (error) => isDuplicate(error, 'item_pkey') && !mayBeCommitted(error));
    assert.deepEqual([seen, await db.row('select 1 from item where id = 42')], [['committed'], undefined]);
  });

  test('reports that it may be committed if the commit was not answered', async (t) => {
    const address = new URL(test1.url);
    const line = await startTcpProxy(Number(address.port));
    Object.assign(address, { hostname: '127.0.0.1', port: line.port });
    const through = openDb({ url: address.href, name: 'in doubt', budget: 1_000 });
    t.after(async () => {
      await through.close();
      await line.close();
    });
    const slow = 'insert into item select $1::int, 1 from pg_sleep(0.2)';
    const cut = (): void => {
      line.hang();
      setTimeout(() => line.restore(), 300);
    };
    const unheard = through.tx(async (tx) => {
      setTimeout(cut, 100);
      await tx.last(slow, ['43'], { name: 'test.slow' });
    });
    await assert.rejects(unheard, (error) => isUnavailable(error) && mayBeCommitted(error));
    const broken = through.tx(async (tx) => {
      setTimeout(cut, 100);
      await tx.run('insert into item values (44, 1)');
      await tx.row('select pg_sleep(0.2)');
    });
    await assert.rejects(broken, (error) => isUnavailable(error) && !mayBeCommitted(error));
    assert.deepEqual(await db.rows('select id from item where id in (43, 44)'), [{ id: 43 }]);
  });

  test('runs effects after the commit, and only then', async () => {
    const seen: string[] = [];
    await db.tx(async (tx) => tx.afterCommit(() => seen.push('committed')));
    await db
      .tx(async (tx) => {
        tx.afterCommit(() => seen.push('never'));
        throw new Error('no');
      })
      .catch(() => {});
    assert.deepEqual(seen, ['committed']);
  });

  test('has one time and its own notes', async () => {
    await db.tx(async (tx) => {
      const row = await tx.row<{ now: Date }>('select clock_now() as now');
      assert.equal(row?.now.getTime(), tx.now.getTime());
      tx.marks.add('posted');
    });
    await db.tx(async (tx) => assert.equal(tx.marks.size, 0));
  });

  test('runs again after a deadlock', async () => {
    await db.run('insert into item values (11, 0), (12, 0)');
    let [tries, holding] = [0, 0];
    const bothHold = Promise.withResolvers<void>();
    const add = (first: number, second: number) =>
      db.tx(async (tx) => {
        tries += 1;
        await tx.run('update item set n = n + 1 where id = $1', [first]);
        holding += 1;
        if (holding === 2) bothHold.resolve();
        await bothHold.promise;
        await tx.run('update item set n = n + 1 where id = $1', [second]);
      });
    await Promise.all([add(11, 12), add(12, 11)]);
    assert.equal(tries, 3);
    assert.deepEqual(await db.rows('select n from item where id in (11, 12)'), [{ n: '2' }, { n: '2' }]);
  });

  test('may take as long as its own budget', async () => {
    // The connection must be open within the budget; on a busy machine that takes some hundred milliseconds.
    const hasty = openDb({ url: test1.url, name: 'hasty', budget: 1_500 });
    await assert.rejects(
      hasty.tx((tx) => tx.row('select pg_sleep(3)')),
      isUnavailable,
    );
    await hasty.tx((tx) => tx.row('select pg_sleep(2)'), { budget: 20_000 });
    await hasty.close();
  });

  test('skips the wait for the disk if it is soft, and only then', async () => {
    // The test cluster never waits for the disk; this connection does.
    const one = openDb({ url: `${test1.ownerUrl}?options=-c%20synchronous_commit%3Don`, name: 'one', max: 1 });
    const waits = (tx: Tx) => tx.row<{ synchronous_commit: string }>('show synchronous_commit');
    assert.deepEqual(await one.tx(waits, { isSoft: true }), { synchronous_commit: 'off' });
    assert.deepEqual(await one.tx(waits), { synchronous_commit: 'on' });
    await one.close();
  });

  test('sees one frozen state when it is a snapshot, and writes nothing', async () => {
    await db
      .tx(
        async (tx) => {
          const count = () => tx.row('select count(*) from item');
          const before = await count();
          await db.run('insert into item values (21, 0)');
          assert.deepEqual(await count(), before);
          await assert.rejects(tx.run('insert into item values (22, 0)'), /read-only/);
        },
        { isSnapshot: true },
      )
      .catch((error: Error) => assert.match(error.message, /had failed before its commit/));
  });
});

describe('the clock', () => {
  test('moves forward only, for every process at once', async () => {
    const before = await db.now();
    await advanceClock(db, 3_600_000);
    const skipped = (await db.now()).getTime() - before.getTime();
    assert.ok(skipped >= 3_600_000 && skipped < 3_660_000, `skipped ${skipped} ms`);
    await assert.rejects(advanceClock(db, -1), (error) => error instanceof Problem && error.code === 'validation');
  });

  test('is refused by the database itself in live mode', async () => {
    const moved = test1.owner.run(`update installation set mode = 'live'`);
    await assert.rejects(moved, /clock_is_real_in_live_mode/);
  });
});

test('on a busy machine a test waits for its connection as long as for its answers', async () => {
  const { db: busy, drop } = await testDb({ max: 1 });
  const answers = await Promise.all([busy.row('select 1 as one from pg_sleep(2.3)'), busy.row('select 2 as two')]);
  assert.deepEqual(answers, [{ one: 1 }, { two: 2 }]);
  await drop();
});

describe('a database in trouble', () => {
  let proxy: TcpProxy;
  let weak: Db;
  before(async () => {
    const url = new URL(test1.url);
    proxy = await startTcpProxy(Number.parseInt(url.port, 10));
    Object.assign(url, { hostname: '127.0.0.1', port: proxy.port });
    weak = openDb({ url: url.href, name: 'weak', max: 4 });
  });
  after(async () => {
    await weak.close();
    await proxy.close();
  });

  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const begin = performance.now();
    await assert.rejects(work, isUnavailable);
    return performance.now() - begin;
  };

  test('that hangs answers "unavailable" within 2.5 s to everybody, and is well again without a restart', async () => {
    await weak.tx((tx) => tx.row('select 1'));
    let hang: (() => void) | undefined = () => proxy.hang();
    const inTheMiddle = () =>
      weak.tx(async (tx) => {
        await tx.row('select 1');
        hang?.();
        hang = undefined;
        await tx.row('select 1');
      });
    const callLater = async (): Promise<number> => {
      await sleep(50);
      return timed(() => weak.row('select 1'));
    };
    const waits = await Promise.all([timed(inTheMiddle), ...Array.from({ length: 12 }, callLater)]);
    assert.ok(Math.max(...waits) < 2_500, `waited ${Math.max(...waits)} ms`);
    proxy.restore();
    assert.deepEqual(await weak.row('select 1 as one'), { one: 1 });
  });

  test('that refuses answers "unavailable" at once, and is well again without a restart', async () => {
    await weak.row('select 1');
    proxy.refuse();
    assert.ok((await timed(() => weak.tx((tx) => tx.row('select 1')))) < 500);
    proxy.restore();
    assert.deepEqual(await weak.tx((tx) => tx.row('select 1 as one')), { one: 1 });
  });

  test('whose lock is held by another answers "unavailable" within 2.5 s', async () => {
    await weak.run('insert into item values (31, 0)');
    await weak.tx(
      async (tx) => {
        await tx.run('update item set n = 1 where id = 31');
        const ms = await timed(() => weak.tx((other) => other.run('update item set n = 2 where id = 31')));
        assert.ok(ms > 1_500 && ms < 2_500, `waited ${ms} ms`);
      },
      { budget: 5_000 },
    );
  });

  test('leaves no connection behind after ten outages', async () => {
    for (let i = 0; i < 10; i++) {
      proxy.refuse();
      await timed(() => weak.row('select 1'));
      proxy.restore();
      await weak.row('select 1');
    }
    const held = await db.row<{ n: string }>(`select count(*) as n from pg_stat_activity where application_name = 'weak'`);
    assert.ok(BigInt(held!.n) <= 4n, `${held!.n} connections`);
  });
});
