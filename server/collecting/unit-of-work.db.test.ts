// Tests that a unit of work is done whole or not at all, and that in a group each action is whole or refused alone.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Problem } from '@kurs/contract';
import { type Journal, accounts, balances, leg } from '../ledger/index.ts';
import { type OutboxEvent, type Tx, newId, openDb } from '../platform/index.ts';
import { startTcpProxy } from '../platform/tcp-proxy.ts';
import { type TestDb, testDb } from '../platform/testing.ts';
import { type Action, type GroupAction, JournalRefused, UnitOfWork, alone, inGroups, together } from './unit-of-work.ts';

const U = 'USDT';
const hot = accounts.custody('USDT_ERC20', 'hot', U);

describe('a unit of work', () => {
  let world: TestDb;
  let [ann, bob] = [accounts.wallet('ann', U), accounts.wallet('bob', U)];
  before(async () => {
    world = await testDb();
    await world.owner.run('create table note (id int primary key, act xid8 default pg_current_xact_id())');
    await world.owner.run('grant all on note to kurs_app');
  });
  after(() => world.drop());
  beforeEach(async () => {
    const id = newId();
    [ann, bob] = [accounts.wallet(`ann-${id}`, U), accounts.wallet(`bob-${id}`, U)];
    await world.db.run('delete from note');
    await alone(world.db, async (unit) => unit.post(deposit(100n)));
  });

  const deposit = (parts: bigint): Journal => ({ id: newId(), kind: 'deposit', cause: newId(), legs: [leg(hot, ann, parts)] });
  const transfer = (parts: bigint): Journal => ({ id: newId(), kind: 'transfer', cause: newId(), legs: [leg(ann, bob, parts)] });
  const note = (tx: Tx, id: number): Promise<number> => tx.run('insert into note (id) values ($1)', [id]);
  const notes = async (): Promise<number[]> =>
    (await world.db.rows<{ id: number }>('select id from note order by id')).map(({ id }) => id);
  const happened = (): OutboxEvent => ({ id: newId(), kind: 'test.happened', subject: `test:${newId()}`, body: {} });
  const isPublished = async ({ id }: OutboxEvent): Promise<boolean> =>
    (await world.db.row('select from event where id = $1', [id])) !== undefined;
  /** Writes a note, publishes and pays; throws if the payer has less. */
  const pay =
    (parts: bigint, { id, event }: { readonly id: number; readonly event: OutboxEvent }): Action<number> =>
    async (unit) => {
      await note(unit.tx, id);
      unit.publish(event);
      if ((await unit.shown(ann)) < parts) throw new Problem('not_enough_money');
      unit.post(transfer(parts), 'not_enough_money');
      return id;
    };

  test('writes rows, events and journals together', async () => {
    const event = happened();
    assert.equal(await alone(world.db, pay(60n, { id: 1, event })), 1);
    assert.deepEqual(await balances(world.db, [ann, bob]), [40n, 60n]);
    assert.deepEqual([await notes(), await isPublished(event)], [[1], true]);
  });

  test('abandons everything if a bound refuses, with the problem given for that', async () => {
    const event = happened();
    const overdraw: Action<void> = async (unit) => {
      await note(unit.tx, 1);
      unit.publish(event);
      unit.post(transfer(1n));
      unit.post(transfer(100n), 'not_enough_money');
    };
    await assert.rejects(alone(world.db, overdraw), (error: Problem) => {
      assert.equal(error.code, 'not_enough_money');
      assert.ok(error.cause instanceof JournalRefused);
      return true;
    });
    const unnamed: Action<void> = async (unit) => unit.post(transfer(101n));
    await assert.rejects(alone(world.db, unnamed), { name: 'JournalRefused', status: 'floor' });
    assert.deepEqual(await balances(world.db, [ann, bob]), [100n, 0n]);
    assert.deepEqual([await notes(), await isPublished(event)], [[], false]);
  });

  test('shows an account’s future balance, whatever its class', async () => {
    await alone(world.db, async (unit) => {
      const held = await unit.shown(hot);
      unit.post(deposit(7n));
      unit.post(undefined);
      unit.post({ ...transfer(5n), legs: [] });
      unit.post(transfer(5n));
      assert.deepEqual([await unit.shown(hot), await unit.shown(ann), await unit.shown(bob)], [held + 7n, 102n, 5n]);
    });
  });

  test('in a group each action is whole or refused alone', async () => {
    const events = [1, 2, 3, 4, 5].map(happened);
    const done: number[] = [];
    const marked: boolean[] = [];
    const [first, late, broken, unseen, last] = events as [OutboxEvent, OutboxEvent, OutboxEvent, OutboxEvent, OutboxEvent];
    const outcomes = await together<number>(world.db, [
      async (unit) => {
        unit.tx.marks.add('first');
        unit.tx.afterCommit(() => done.push(1));
        return pay(50n, { id: 1, event: first })(unit);
      },
      // The journal of the first action counts already, though it is not posted yet.
      async (unit) => {
        marked.push(unit.tx.marks.has('first'));
        unit.tx.marks.add('second');
        unit.tx.afterCommit(() => done.push(2));
        return pay(51n, { id: 2, event: late })(unit);
      },
      // A failing statement ends its own action only.
      async (unit) => {
        unit.publish(broken);
        await note(unit.tx, 1);
        return 3;
      },
      // The ledger refuses what the action did not check, and the other actions are repeated without it.
      async (unit) => {
        marked.push(unit.tx.marks.has('second'));
        await note(unit.tx, 4);
        unit.publish(unseen);
        unit.tx.afterCommit(() => done.push(4));
        unit.post(transfer(51n), 'not_enough_there');
        return 4;
      },
      pay(50n, { id: 5, event: last }),
    ]);
    assert.deepEqual(
      outcomes.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason.code as string))),
      [1, 'not_enough_money', '23505', 'not_enough_there', 5],
    );
    assert.deepEqual(await balances(world.db, [ann, bob]), [0n, 100n]);
    assert.deepEqual([await notes(), done], [[1, 5], [1]]);
    assert.deepEqual(await Promise.all(events.map(isPublished)), [true, false, false, false, true]);
    // The group was tried twice; the second try left out the fourth action.
    assert.deepEqual(marked, [true, false, true], 'a mark set by a failed action is dropped');
  });

  test('a group is one transaction with one posting', async () => {
    const outcomes = await together(world.db, [pay(1n, { id: 1, event: happened() }), pay(2n, { id: 2, event: happened() })]);
    assert.deepEqual(
      outcomes.map((one) => one.status),
      ['fulfilled', 'fulfilled'],
    );
    const transactions = await world.db.rows('select distinct act::text from note');
    assert.equal(transactions.length, 1);
    assert.deepEqual(await together(world.db, []), []);
  });

  test('in a group a failed write that nobody awaited fails its own action, with its own error', async () => {
    const write =
      (...ids: readonly number[]): Action<void> =>
      async ({ tx }) => {
        for (const id of ids) tx.write('insert into note (id) values ($1)', [id]);
      };
    const outcomes = await together(world.db, [write(1), write(2, 1), write(3)]);
    assert.deepEqual(
      outcomes.map((one) => (one.status === 'fulfilled' ? 'done' : (one.reason.code as string))),
      ['done', '23505', 'done'],
    );
    assert.deepEqual(await notes(), [1, 3]);
  });

  /** Writes all notes by one statement, and pays for each member. */
  const payAll: GroupAction<{ readonly id: number; readonly parts: bigint }, number> = async ({ run }, members) => {
    await run('insert into note (id) select unnest($1::int[])', [members.map(({ request }) => request.id)]);
    return members.map(({ request: { id, parts }, unit }) => {
      if (parts === 0n) unit.abandon(new Problem('not_found'));
      else unit.post(transfer(parts), 'not_enough_money');
      return id;
    });
  };
  const outcomeOf = (one: PromiseSettledResult<number>): unknown =>
    one.status === 'fulfilled'
      ? one.value
      : one.reason instanceof Problem
        ? one.reason.code
        : (one.reason as { code: string }).code;
  const actionsOfNotes = async (): Promise<number> => (await world.db.rows('select distinct act::text from note')).length;

  test('concurrent callers share a transaction, each whole or refused alone', async () => {
    const act = inGroups(world.db, payAll);
    const requests = [
      { id: 1, parts: 50n },
      { id: 2, parts: 0n },
      { id: 3, parts: 51n },
      { id: 4, parts: 50n },
    ];
    const outcomes = await Promise.allSettled(requests.map(act));
    // The second was abandoned after its note was written. The ledger refuses the third after the first, but not the fourth.
    assert.deepEqual(outcomes.map(outcomeOf), [1, 'not_found', 'not_enough_money', 4]);
    assert.deepEqual([await notes(), await actionsOfNotes()], [[1, 4], 1]);
    assert.deepEqual(await balances(world.db, [ann, bob]), [0n, 100n]);
    assert.equal(await act({ id: 5, parts: 0n }).catch(() => 'refused alone'), 'refused alone');
  });

  test('a member that makes its group fail does not fail the others', async () => {
    await world.db.run('insert into note (id) values (2)');
    const act = inGroups(world.db, payAll);
    const outcomes = await Promise.allSettled([1, 2, 3].map((id) => act({ id, parts: 10n })));
    assert.deepEqual(outcomes.map(outcomeOf), [1, '23505', 3]);
    assert.deepEqual(await balances(world.db, [ann, bob]), [80n, 20n]);
  });

  test('a group whose commit is in doubt is refused, and not repeated', async (t) => {
    const address = new URL(world.url);
    const proxy = await startTcpProxy(Number(address.port));
    Object.assign(address, { hostname: '127.0.0.1', port: proxy.port });
    const through = openDb({ url: address.href, name: 'in doubt' });
    t.after(async () => {
      await through.close();
      await proxy.close();
    });
    let runs = 0;
    const act = inGroups<number, number>(through, async ({ run }, members) => {
      runs += 1;
      await run('insert into note (id) select unnest($1::int[])', [members.map(({ request }) => request)]);
      // From now on no answer of the server arrives, until the connection breaks.
      proxy.hang();
      setTimeout(() => proxy.restore(), 200);
      return members.map(({ request }) => request);
    });
    const outcomes = await Promise.allSettled([1, 2].map(act));
    assert.deepEqual(outcomes.map(outcomeOf), ['unavailable', 'unavailable']);
    assert.equal(runs, 1);
  });

  test('an event that can’t be stored refuses the journals of its action', async () => {
    const odd: Action<void> = async (unit) => {
      await note(unit.tx, 1);
      unit.publish({ ...happened(), body: 1n });
      unit.post(transfer(10n));
    };
    await assert.rejects(alone(world.db, odd), TypeError);
    assert.deepEqual([await notes(), await balances(world.db, [ann])], [[], [100n]]);
    const twin = { ...happened(), kind: '\0' };
    await assert.rejects(
      alone(world.db, async (unit) => (unit.publish(twin), unit.post(transfer(10n)))),
      { code: '22021' },
    );
    assert.deepEqual(await balances(world.db, [ann]), [100n]);
  });

  test('if the database fails, all are refused and nothing is done', async () => {
    const away: Action<number> = async (unit) => {
      const own = await unit.tx.row<{ pid: number }>('select pg_backend_pid() as pid');
      await world.owner.run('select pg_terminate_backend($1)', [own?.pid]);
      return note(unit.tx, 2);
    };
    const outcomes = await together(world.db, [pay(1n, { id: 1, event: happened() }), away]);
    assert.deepEqual(
      outcomes.map((one) => one.status === 'rejected' && (one.reason as Problem).code),
      ['unavailable', 'unavailable'],
    );
    assert.deepEqual([await notes(), await balances(world.db, [ann])], [[], [100n]]);
  });

  test('a unit of work posts once only', async () => {
    await assert.rejects(
      world.db.tx(async (tx) => {
        const unit = new UnitOfWork(tx);
        unit.post(transfer(1n));
        await unit.commit();
        await unit.commit();
      }),
      /posts once/,
    );
  });
});
