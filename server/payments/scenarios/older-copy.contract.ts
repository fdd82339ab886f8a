import assert from 'node:assert/strict';
import { it } from 'node:test';
import { maySend } from '../rails/settings.ts';
import { UNRECORDED_ALARM } from '../unrecorded/unrecorded-sends.ts';
import { type CopyWorld, type Process, openDeskOf } from './older-copy.testing.ts';

/**
 * Tests for every rail that lists its sends. They prove that a process with an older copy of the database pays nothing a second
 * time. `beside`: true to test also a copy that runs beside the original.
 */
export function olderCopyContract(name: string, makeWorld: () => Promise<CopyWorld>, { beside = true } = {}): void {
  it(`${name}: a restored copy does not send a payout that the original has sent; it alarms once, two people book it, and it pays again`, async () => {
    const world = await makeWorld();
    const desk = await openDeskOf(world);
    try {
      const to = await world.receiver();
      const id = await desk.original.request(to);
      const { original, copy } = await desk.backUp();
      await pay(world, original);
      assert.equal(await original.status(id), 'final');
      assert.equal(await world.received(to), world.parts);
      assert.deepEqual(await original.unrecorded(), [], 'the original knows its own sends');

      let process = copy;
      for (const turn of ['started', 'goes on', 'started again']) {
        if (turn === 'started again') process = process.restart();
        await pay(world, process);
        assert.equal(await world.received(to), world.parts, turn);
        assert.notEqual(await process.status(id), 'final', turn);
      }
      const rail = world.open().id;
      assert.equal(await maySend(copy.db, rail), false);
      const [send, ...others] = await copy.unrecorded();
      assert.deepEqual(others, [], 'one send');
      assert.ok(send);
      assert.deepEqual([send.payoutId, send.state], [id, 'open'], 'it is recognised as this payout');
      if (send.currency !== undefined) assert.deepEqual([send.currency, send.parts], [world.currency, world.parts]);
      const reported = [...copy.alarms, ...process.alarms].filter((words) => words === UNRECORDED_ALARM);
      assert.equal(reported.length, 1, 'one alarm');

      await process.book(send);
      const late = await world.receiver();
      const next = await process.request(late);
      for (const turn of ['booked', 'goes on', 'started once more']) {
        if (turn === 'started once more') process = process.restart();
        await pay(world, process);
        assert.deepEqual([await world.received(to), await process.status(id)], [world.parts, 'final'], turn);
      }
      assert.deepEqual([await world.received(late), await process.status(next)], [world.parts, 'final'], 'it pays again');
      assert.deepEqual(
        (await process.unrecorded()).map(({ state }) => state),
        ['booked'],
      );
    } finally {
      await desk.close();
    }
  });

  if (!beside) return;
  it(`${name}: a copy that runs beside the original stops within a minute of the original’s first send`, async () => {
    const world = await makeWorld();
    const desk = await openDeskOf(world);
    try {
      const before = await world.receiver();
      const sent = await desk.original.request(before);
      await pay(world, desk.original);
      const { original, copy } = await desk.backUp();
      await pay(world, copy);
      assert.deepEqual(await copy.unrecorded(), [], 'nothing distinguishes it from the original yet');
      await original.request(await world.receiver());
      await pay(world, original);
      await copy.turn(true);
      assert.equal((await copy.unrecorded()).length, 1);
      const late = await world.receiver();
      await copy.request(late);
      await pay(world, copy);
      assert.equal(await world.received(late), 0n);
      assert.equal(await copy.status(sent), 'final', 'what the copy knows is unchanged');
    } finally {
      await desk.close();
    }
  });
}

/**
 * Tests for a provider that lists no sends. They prove that a copy repeats a payout under the same reference, and so recognises
 * the original's send.
 */
export function paysUnderItsReference(name: string, makeWorld: () => Promise<CopyWorld>): void {
  it(`${name}: a restored copy finds a payout that the original has sent under its reference, and does not send it again`, async () => {
    const world = await makeWorld();
    const desk = await openDeskOf(world);
    try {
      const to = await world.receiver();
      const id = await desk.original.request(to);
      const { original, copy } = await desk.backUp();
      await pay(world, original);
      assert.equal(await world.received(to), world.parts);
      const late = await world.receiver();
      const next = await copy.request(late);
      for (const process of [copy, copy.restart()]) {
        await pay(world, process);
        assert.deepEqual([await world.received(to), await world.received(late)], [world.parts, world.parts]);
        assert.deepEqual([await process.status(id), await process.status(next)], ['final', 'final']);
        assert.deepEqual([process.alarms, await process.unrecorded()], [[], []]);
      }
    } finally {
      await desk.close();
    }
  });
}

/** Runs enough turns and blocks for a payout to become final. */
async function pay(world: CopyWorld, process: Process): Promise<void> {
  await process.turn();
  await world.blocks(1);
  await process.turn(true);
  await world.blocks(world.finalBlocks);
  await process.turn();
}
