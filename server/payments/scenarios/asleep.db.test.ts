// Tests what happens if one of two workers is suspended (stopped, or its machine hangs) between storing a send and sending it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Db } from '../../platform/index.ts';
import { followRail } from '../sending/follow-attempts.ts';
import { DEDUPE_MINUTES } from '../memory-provider.ts';
import { resolvePayout } from '../sending/resolve-payout.ts';
import { payRail } from '../sending/send-payouts.ts';
import { type Desk, events, openDesk, resume } from './world.testing.ts';

const PARTS = 100_000n;
const MINUTE_AND_A_BIT = 61_000;

/** Opens a database whose process is suspended after the transaction with this statement, until it is woken. */
function drowsy(db: Db, statement: string): { readonly db: Db; readonly asleep: Promise<void>; wake(): void } {
  const [asleep, awake] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const tx: Db['tx'] = async (work, options) => {
    let isIt = false;
    const result = await db.tx(
      (inner) =>
        work({
          ...inner,
          run: (sql, values, named) => {
            isIt ||= named?.name === statement;
            return inner.run(sql, values, named);
          },
        }),
      options,
    );
    if (!isIt) return result;
    asleep.resolve();
    await awake.promise;
    return result;
  };
  return { db: { ...db, tx }, asleep: asleep.promise, wake: () => awake.resolve() };
}

/** Suspends a worker that is about to repeat a send in doubt. Returns a function that wakes the worker. */
async function fallAsleep(desk: Desk): Promise<() => Promise<void>> {
  const { db, asleep, wake } = drowsy(desk.db, 'payments.begin_sending');
  const turn = payRail({ ...desk.deps, db }, desk.rail);
  await asleep;
  // Its lease runs in real time, and is over before the suspension is noticed.
  await desk.db.run(`update rail_wallet set leased_until = now()`);
  return async () => {
    wake();
    await turn;
  };
}

describe('a worker suspended with a stored send', () => {
  it('sends nothing once people have decided it as not sent: its money has gone out anew', async () => {
    const desk = await openDesk({ id: 'provider', provider: { hasDedupe: false } });
    try {
      const first = await desk.request(PARTS);
      const wakeUp = await fallAsleep(desk);
      await resume(desk, 3);
      assert.equal(await desk.status(first), 'in_doubt');
      const evidence = { statement: 'the statement shows nothing', by: ['ann', 'bob'] as [string, string] };
      await desk.db.tx((tx) => resolvePayout(tx, first, 'not_sent', evidence));
      const second = await desk.request(PARTS);
      await resume(desk, 3);
      await wakeUp();
      await resume(desk, 3);
      assert.deepEqual([desk.world.executions(first), desk.world.executions(second)], [0, 1]);
    } finally {
      await desk.close();
    }
  });

  it('leaves a send that another worker has handled to the look-up; a chain shows it sent once', async () => {
    const desk = await openDesk({ id: 'bitcoin' });
    try {
      const id = await desk.request(PARTS);
      const wakeUp = await fallAsleep(desk);
      await resume(desk, 3);
      await wakeUp();
      await resume(desk, 3);
      assert.equal(desk.world.executions(id), 1);
      assert.equal(await desk.status(id), 'final');
      assert.deepEqual(events(await desk.payouts(id)).filter((event) => event === 'accepted' || event === 'final').length, 2);
    } finally {
      await desk.close();
    }
  });

  it('sends a send that no other worker has handled meanwhile', async () => {
    const desk = await openDesk({ id: 'provider', provider: { hasDedupe: false } });
    try {
      const id = await desk.request(PARTS);
      const wakeUp = await fallAsleep(desk);
      await wakeUp();
      assert.equal(desk.world.executions(id), 1);
      assert.equal(await desk.status(id), 'sent');
    } finally {
      await desk.close();
    }
  });
});

/** Suspends a worker with a send in doubt that it is about to repeat. Returns a function that wakes it. */
async function fallAsleepAgain(desk: Desk): Promise<() => Promise<void>> {
  const { db, asleep, wake } = drowsy(desk.db, 'payments.save_attempts');
  const turn = followRail({ ...desk.deps, db }, desk.rail);
  await asleep;
  return async () => {
    wake();
    await turn;
  };
}

describe('a worker suspended with a send to be repeated', () => {
  const inDoubt = async (desk: Desk): Promise<string> => {
    const id = await desk.request(PARTS);
    desk.world.inject('send', { kind: 'drop' });
    await desk.turn();
    await desk.pass(MINUTE_AND_A_BIT);
    return id;
  };

  it('sends nothing once people have decided it as not sent: its money has gone out anew', async () => {
    const desk = await openDesk({ id: 'provider', provider: { hasDedupe: true } });
    try {
      const first = await inDoubt(desk);
      const wakeUp = await fallAsleepAgain(desk);
      desk.world.inject('send', { kind: 'drop' }, 3);
      await resume(desk, 2);
      desk.world.calm();
      const evidence = { statement: 'the statement shows nothing', by: ['ann', 'bob'] as [string, string] };
      await desk.db.tx((tx) => resolvePayout(tx, first, 'not_sent', evidence));
      const second = await desk.request(PARTS);
      await resume(desk, 2);
      await wakeUp();
      await resume(desk, 2);
      assert.deepEqual([desk.world.executions(first), desk.world.executions(second)], [0, 1]);
    } finally {
      await desk.close();
    }
  });

  it('sends nothing once its provider may have forgotten the reference', async () => {
    const desk = await openDesk({ id: 'provider', provider: { hasDedupe: true } });
    try {
      const id = await inDoubt(desk);
      const wakeUp = await fallAsleepAgain(desk);
      await desk.pass(DEDUPE_MINUTES * 60_000);
      await wakeUp();
      assert.equal(desk.world.executions(id), 0);
      await resume(desk, 2);
      assert.equal(await desk.status(id), 'in_doubt');
    } finally {
      await desk.close();
    }
  });

  it('repeats a send that no other worker has handled meanwhile', async () => {
    const desk = await openDesk({ id: 'provider', provider: { hasDedupe: true } });
    try {
      const id = await inDoubt(desk);
      await (
        await fallAsleepAgain(desk)
      )();
      assert.deepEqual([desk.world.executions(id), await desk.status(id)], [1, 'sent']);
    } finally {
      await desk.close();
    }
  });
});
