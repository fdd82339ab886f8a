import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { advanceClock } from '../db/sandbox-clock.ts';
import type { Db, Tx } from '../db/db.ts';
import { outbox, type StoredEvent, type Subscription } from './outbox.ts';
import { newId } from '../base/id.ts';
import { configureLog } from '../base/log.ts';
import { grownPages, pagesOf, testDb, type TestDb } from '../testing.ts';

let own: TestDb;
let db: Db;
let lines: string[] = [];
before(async () => {
  own = await testDb();
  db = own.db;
  configureLog({ sink: (text) => void lines.push(text) });
});
after(() => own.drop());
beforeEach(() => void (lines = []));

/** A subscriber that records each group, and fails where the test wants it to. */
function recorder(name: string, kind: string, act?: (list: StoredEvent[]) => ReturnType<Subscription['handle']>) {
  const groups: StoredEvent[][] = [];
  const subscription: Subscription = {
    subscriber: name,
    kinds: [kind],
    async handle(_tx, list) {
      groups.push(list);
      return act?.(list);
    },
  };
  return { groups, subscription };
}

const record = (kind: string, count: number) => {
  const list = Array.from({ length: count }, (_, n) => ({ id: newId(), kind, subject: `order:${n}`, body: { n } }));
  return db.tx((tx) => outbox.publish(tx, list)).then(() => list.map((event) => event.id));
};
const due = async (subscriber: string): Promise<number> =>
  (await db.rows('select 1 from event_delivery where subscriber = $1', [subscriber])).length;

describe('events', () => {
  test('are claimed at the cost of their group, however many older ones exist', async () => {
    const { subscription } = recorder('measured', 'order.measured');
    await outbox.subscribe(db, [subscription]);
    const takes = (): Promise<Map<string, number>> =>
      pagesOf(
        db,
        own.url,
        (apart) => outbox.drain(apart, subscription),
        () => record('order.measured', 200),
      );
    const few = await takes();
    await record('order.measured', 4_000);
    await outbox.drain(db, subscription);
    assert.deepEqual(grownPages(few, await takes()), []);
  });

  test('that are due are found at the cost of one, for any number of waiting events and kinds', async () => {
    const { subscription } = recorder('looked-at', 'order.looked-at');
    const many = { ...subscription, kinds: ['order.rare', 'order.rarer', 'order.looked-at', 'order.rarest'] };
    await outbox.subscribe(db, [many]);
    const polls = (): Promise<Map<string, number>> =>
      pagesOf(
        db,
        own.url,
        async (apart) => assert.deepEqual([...(await outbox.due(apart, [many]))], ['looked-at']),
        () => record('order.looked-at', 1),
      );
    const few = await polls();
    await record('order.looked-at', 4_000);
    assert.deepEqual(grownPages(few, await polls()), []);
    assert.deepEqual([...(await outbox.due(db, [{ ...many, kinds: ['order.rare'] }]))], []);
    await outbox.drain(db, many);
  });

  test('are delivered once to each subscriber of their kind, in order, in groups of at most 256', async () => {
    const a = recorder('a', 'order.done');
    const b = recorder('b', 'order.done');
    const other = recorder('other', 'order.else');
    await outbox.subscribe(db, [a.subscription, b.subscription, other.subscription]);
    const ids = await record('order.done', 600);
    assert.equal(await outbox.drain(db, a.subscription), 600);
    assert.deepEqual(
      a.groups.map((group) => group.length),
      [256, 256, 88],
    );
    assert.deepEqual(
      a.groups.flat().map((event) => event.id),
      ids,
    );
    assert.deepEqual(a.groups[0]![3]!.body, { n: 3 });
    assert.equal(await due('b'), 600);
    assert.equal(await due('other'), 0);
    assert.equal(await outbox.drain(db, a.subscription), 0);
  });

  test('exist only with the transaction they happened in, and once per id', async () => {
    const { subscription, groups } = recorder('c', 'c.it');
    await outbox.subscribe(db, [subscription]);
    const event = { id: newId(), kind: 'c.it', subject: 'x', body: {} };
    await db
      .tx(async (tx) => {
        await outbox.publish(tx, [event]);
        throw new Error('abandoned');
      })
      .catch(() => {});
    assert.equal(await outbox.drain(db, subscription), 0);
    for (const _ of [1, 2]) await db.tx((tx) => outbox.publish(tx, [event]));
    await outbox.drain(db, subscription);
    assert.equal(groups.flat().length, 1);
  });

  test('that fail are retried with growing pauses and alarms; the others of their group pass', async () => {
    let poison = '';
    let isCured = false;
    const { subscription, groups } = recorder('d', 'd.it', async (list) => {
      if (!isCured && list.some((event) => event.id === poison)) throw new Error('poison');
    });
    await outbox.subscribe(db, [subscription]);
    const ids = await record('d.it', 100);
    poison = ids[41]!;
    await outbox.drain(db, subscription);
    assert.equal(await due('d'), 1);
    assert.ok(lines.some((line) => line.includes('event could not be applied') && line.includes('"alarm":true')));
    const handled = groups.filter((group) => !group.some((event) => event.id === poison)).flat();
    assert.deepEqual(
      handled.map((event) => event.id),
      ids.filter((id) => id !== poison),
    );

    assert.equal(await outbox.drain(db, subscription), 0, 'not due yet');
    await advanceClock(db, 1_100);
    await outbox.drain(db, subscription);
    await advanceClock(db, 1_100);
    assert.equal(await outbox.drain(db, subscription), 0, 'the second pause is longer');
    isCured = true;
    await advanceClock(db, 1_100);
    assert.equal(await outbox.drain(db, subscription), 1);
    assert.equal(groups.at(-1)![0]!.tries, 2);
    assert.equal(await due('d'), 0);
  });

  test('that are left stay due with the reason while their group commits', async () => {
    const { subscription } = recorder('e', 'e.it', async (list) => ({
      leave: new Map([[list[0]!.id, 'the account would go below zero']]),
    }));
    await outbox.subscribe(db, [subscription]);
    const [first] = await record('e.it', 3);
    await outbox.drain(db, subscription);
    const rows = await db.rows(`select event_id, tries, last_error from event_delivery where subscriber = 'e'`);
    assert.deepEqual(rows, [{ event_id: first, tries: 1, last_error: 'the account would go below zero' }]);
    assert.ok(lines.some((line) => line.includes('a subscriber can’t handle an event yet')));
  });

  test('of one subject are delivered in their order, even if one of them has to wait', async () => {
    let isOpen = false;
    const { subscription, groups } = recorder('o', 'o.it', async (list) =>
      isOpen
        ? undefined
        : { leave: new Map(list.filter(({ body }) => (body as { n: number }).n === 0).map(({ id }) => [id, 'later'])) },
    );
    await outbox.subscribe(db, [subscription]);
    const report = (n: number, subject: string) =>
      db.tx((tx) => outbox.publish(tx, [{ id: newId(), kind: 'o.it', subject, body: { n } }]));
    await report(0, 'order:a');
    await outbox.drain(db, subscription);
    isOpen = true;
    await report(1, 'order:a');
    await report(2, 'order:b');
    await outbox.drain(db, subscription);
    await advanceClock(db, 1_100);
    await outbox.drain(db, subscription);
    const reported = groups.flat().map(({ body }) => (body as { n: number }).n);
    assert.deepEqual(reported, [0, 2, 0, 1]);
    assert.equal(await due('o'), 0);
  });

  test('are handled in the same transaction as their removal', async () => {
    await own.owner.run('create table done (id uuid primary key); grant all on done to kurs_app');
    let isBroken = true;
    const subscription: Subscription = {
      subscriber: 'f',
      kinds: ['f.it'],
      async handle(tx, [event]) {
        await tx.run('insert into done values ($1)', [event!.id]);
        if (isBroken) throw new Error('after the write');
      },
    };
    await outbox.subscribe(db, [subscription]);
    await record('f.it', 1);
    await outbox.drain(db, subscription);
    assert.equal((await db.rows('select 1 from done')).length, 0);
    isBroken = false;
    await advanceClock(db, 2_000);
    await outbox.drain(db, subscription);
    assert.equal((await db.rows('select 1 from done')).length, 1);
  });

  test('are each delivered to one of several concurrent drains', async () => {
    const { subscription, groups } = recorder('g', 'g.it', async () => void (await new Promise((done) => setTimeout(done, 5))));
    await outbox.subscribe(db, [subscription]);
    const ids = await record('g.it', 1_000);
    await Promise.all([1, 2, 3].map(() => outbox.drain(db, subscription)));
    await outbox.drain(db, subscription);
    assert.deepEqual(
      groups
        .flat()
        .map((event) => event.id)
        .sort(),
      ids.sort(),
    );
  });

  test('of one subject are delivered in their order by two workers as well', async () => {
    const { promise: busy, resolve: isBusy } = Promise.withResolvers<void>();
    const { promise: free, resolve: letGo } = Promise.withResolvers<void>();
    const reported: number[] = [];
    const subscription: Subscription = {
      subscriber: 'two',
      kinds: ['two.it', 'two.other'],
      async handle(_tx, list) {
        const numbers = list.map(({ body }) => (body as { n: number }).n);
        isBusy();
        if (numbers.includes(1)) await free;
        reported.push(...numbers);
      },
    };
    await outbox.subscribe(db, [subscription]);
    const report = (n: number, kind = 'two.it') =>
      db.tx((tx) => outbox.publish(tx, [{ id: newId(), kind, subject: 'order:1', body: { n } }]));
    await report(1);
    const first = outbox.drain(db, subscription);
    await busy;
    await report(2, 'two.other');
    assert.deepEqual([...(await outbox.undelivered(db, 'two', ['order:1', 'order:2']))], ['order:1']);
    assert.equal(await outbox.drain(db, subscription), 0, 'another is at it');
    letGo();
    await first;
    await outbox.drain(db, subscription);
    assert.deepEqual(reported, [1, 2]);
    assert.equal((await outbox.undelivered(db, 'two', ['order:1'])).size, 0);
  });

  test('for a newer version wait while an older one runs beside it, and are delivered in their order', async () => {
    const reported: number[] = [];
    const handle: Subscription['handle'] = async (_tx, list) =>
      void reported.push(...list.map(({ body }) => (body as { n: number }).n));
    const older: Subscription = { subscriber: 'v', kinds: ['v.old'], handle };
    const newer: Subscription = { subscriber: 'v', kinds: ['v.old', 'v.new'], handle };
    const added: Subscription = { subscriber: 'v2', kinds: ['v.old'], handle };
    await outbox.subscribe(db, [newer, added]);
    await outbox.subscribe(db, [older]);
    const report = (n: number, kind: string, subject: string) =>
      db.tx((tx) => outbox.publish(tx, [{ id: newId(), kind, subject, body: { n } }]));
    await report(1, 'v.new', 'order:1');
    await report(2, 'v.old', 'order:1');
    await report(3, 'v.old', 'order:2');
    await outbox.drain(db, older);
    assert.deepEqual(reported, [3], 'what is behind a kind that the older version doesn’t know waits for the newer');
    await outbox.drain(db, newer);
    await advanceClock(db, 1_100);
    await outbox.drain(db, newer);
    assert.deepEqual(reported, [3, 1, 2]);
    assert.equal(await due('v2'), 2, 'a subscriber that the older version doesn’t have lost nothing');

    await outbox.subscribe(db, [newer], [{ subscriber: 'v2' }, { subscriber: 'v', kind: 'v.old' }]);
    await report(4, 'v.new', 'order:1');
    assert.equal(await due('v2'), 0, 'a retired subscriber gets nothing, earlier events neither');
    await outbox.subscribe(db, [older], [{ subscriber: 'v', kind: 'v.new' }]);
    assert.equal(await due('v'), 0, 'nor is a kind that is wanted no more');
  });

  test('wake the drains of their process at once', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { subscription } = recorder('h', 'h.it', async () => resolve());
    await outbox.subscribe(db, [subscription]);
    const running = outbox.run(db, [subscription]);
    await record('h.it', 1);
    await promise;
    await running.stop();
    assert.equal(await due('h'), 0);
  });

  test('are handled by subscribers of this process in the publishing transaction, in their order', async () => {
    const here = recorder('at once', 'at.once');
    const elsewhere = recorder('elsewhere', 'at.once');
    await outbox.subscribe(db, [here.subscription, elsewhere.subscription]);
    const end = outbox.handOver(db, [here.subscription]);
    const numbers = (): unknown[] => here.groups.flat().map(({ body }) => (body as { n: number }).n);
    const publish = (tx: Tx, n: number) =>
      outbox.publish(tx, [{ id: newId(), kind: 'at.once', subject: 'order:1', body: { n } }]);
    await db.tx((tx) => publish(tx, 1));
    await outbox.tx(db, async (tx) => {
      await publish(tx, 2);
      await publish(tx, 3);
      assert.deepEqual(numbers(), []);
    });
    assert.deepEqual([numbers(), await due('at once'), await due('elsewhere')], [[1, 2, 3], 0, 3]);
    await outbox.tx(db, async (tx, later) => {
      await publish(tx, 4);
      later();
    });
    const isLost = (error: Error) => error.message === 'lost';
    await assert.rejects(
      outbox.tx(db, async (tx) => publish(tx, 5).then(() => Promise.reject(new Error('lost')))),
      isLost,
    );
    assert.deepEqual([numbers(), await due('at once')], [[1, 2, 3], 1]);
    end();
    await outbox.tx(db, (tx) => publish(tx, 6));
    assert.deepEqual([numbers(), await due('at once')], [[1, 2, 3], 2]);
  });

  test('that fail in the publishing transaction undo nothing, and are delivered by their drain', async () => {
    let isBroken = true;
    const { groups, subscription } = recorder('broken', 'broken.it', async () => {
      if (isBroken) throw new Error('broken');
    });
    await outbox.subscribe(db, [subscription]);
    const end = outbox.handOver(db, [subscription]);
    let times = 0;
    const work = async (tx: Tx): Promise<number> => {
      await outbox.publish(tx, [{ id: newId(), kind: 'broken.it', subject: 'order:1', body: {} }]);
      return (times += 1);
    };
    assert.equal(await outbox.tx(db, work), 2, 'it was done again by itself');
    assert.deepEqual([await due('broken'), groups.length], [1, 1]);
    isBroken = false;
    assert.equal(await outbox.drain(db, subscription), 1);
    end();
  });

  test('wait for their drain if another drain holds the lock, which wakes it at its end', async () => {
    const { promise: busy, resolve: isBusy } = Promise.withResolvers<void>();
    const { promise: free, resolve: letGo } = Promise.withResolvers<void>();
    const { promise: reported, resolve: isReported } = Promise.withResolvers<void>();
    const { subscription } = recorder('held up', 'held.up', async (list) => {
      isBusy();
      await free;
      if (list.some(({ subject }) => subject === 'order:2')) isReported();
    });
    await outbox.subscribe(db, [subscription]);
    const publish = (subject: string) => (tx: Tx) => outbox.publish(tx, [{ id: newId(), kind: 'held.up', subject, body: {} }]);
    const running = outbox.run(db, [subscription]);
    await db.tx(publish('order:1'));
    await busy;
    await outbox.tx(db, publish('order:2'));
    assert.equal(await due('held up'), 2);
    letGo();
    await reported;
    await running.stop();
    assert.equal(await due('held up'), 0);
  });

  test('are deleted after their days, once everyone has handled them; others never', async () => {
    const a = recorder('forgetful', 'order.told');
    await outbox.subscribe(db, [a.subscription]);
    const report = async (kind: string, days?: number): Promise<string> => {
      const id = newId();
      await db.tx((tx) => outbox.publish(tx, [{ id, kind, subject: 'order:1', body: {}, ...(days && { days }) }]));
      return id;
    };
    const [waits, gone, stored] = [
      await report('order.told', 14),
      await report('order.untold', 14),
      await report('order.untold'),
    ];
    const left = async (): Promise<string[]> => {
      const rows = await db.rows<{ id: string }>('select id from event where id = any($1) order by id', [[waits, gone, stored]]);
      return rows.map(({ id }) => id);
    };
    await outbox.forget(db);
    assert.equal((await left()).length, 3);
    await advanceClock(db, 15 * 86_400_000);
    await outbox.forget(db);
    assert.deepEqual(await left(), [waits, stored], 'nobody waits for it');
    await outbox.drain(db, a.subscription);
    await outbox.forget(db);
    assert.deepEqual(await left(), [stored]);
  });
});
