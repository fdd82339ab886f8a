import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { checkRail, isUp, noteFailure, railHistories, railStates } from './rail-state.ts';
import { type Desk, openDesk } from '../scenarios/world.testing.ts';

let desk: Desk;
before(async () => (desk = await openDesk()));
after(() => desk.close());

const away = { isUp: false, isSilent: true, detail: 'no answer' };
const answering = { isUp: true, detail: 'answers' };

/** Polls the rail after a number of seconds. Returns whether it counts as up. */
async function later(seconds: number): Promise<boolean> {
  await desk.pass(seconds * 1_000);
  await checkRail(desk.deps, desk.rail);
  return isUp(desk.db, desk.rail.id);
}

const heardAt = async () => (await railStates(desk.db))[0]?.heardAt?.getTime();

/** Makes the rail answer well from now on, or not at all. */
const losing = (health: typeof away | typeof answering): void => {
  desk.world.health = health;
  desk.world.chance = (call) => (health === away && call === 'tip' ? { kind: 'error' } : undefined);
};

describe('a rail’s state', () => {
  it('stays up through lost answers, is down after three in ten seconds without a good one, and up with the first', async () => {
    losing(away);
    assert.deepEqual([await later(3), await later(3)], [true, true], 'two in six seconds');
    const [failing] = await railStates(desk.db);
    assert.match(failing?.detail ?? '', /failed|no answer/);
    losing(answering);
    assert.equal(await later(5), true);
    losing(away);
    assert.deepEqual([await later(2), await later(3), await later(4)], [true, true, true], 'three, in nine seconds');
    assert.equal(await later(9), false);
    assert.equal(await later(61), false);
    losing(answering);
    assert.equal(await later(61), true);
    const [state] = await railStates(desk.db);
    assert.equal(state?.heardAt?.getTime(), state?.checkedAt.getTime());
    assert.equal(state?.since.getTime(), state?.checkedAt.getTime());
  });

  it('two failures are no outage, however long between them', async () => {
    losing(away);
    assert.deepEqual([await later(3_600), await later(3_600)], [true, true]);
    assert.equal(await later(3_600), false);
    losing(answering);
    assert.equal(await later(61), true);
  });

  it('is down at once by its own word, and remembers when it last answered well', async () => {
    const well = await later(6).then(heardAt);
    desk.world.health = { isUp: false, detail: 'the key is refused' };
    desk.world.inject('tip', { kind: 'error' });
    assert.equal(await later(6), true, 'a lost answer, after which its health is polled');
    assert.equal(await later(3), false);
    const [state] = await railStates(desk.db);
    assert.equal(state?.detail, 'the key is refused');
    assert.equal(await heardAt(), well);
    losing(answering);
    assert.equal(await later(61), true);
  });

  it('is up without a right that its provider has not granted, and keeps the words about it until it is granted', async () => {
    const lacks = async () => (await railStates(desk.db))[0]?.lacks;
    assert.equal(await lacks(), undefined);
    desk.world.health = { isUp: true, detail: 'answers', lacks: 'Ask for it' };
    desk.world.inject('tip', { kind: 'error' });
    assert.deepEqual([await later(6), await later(3)], [true, true], 'its health is polled after a lost answer');
    assert.equal(await lacks(), 'Ask for it');
    losing(answering);
    desk.world.inject('tip', { kind: 'error' });
    assert.deepEqual([await later(6), await later(3)], [true, true]);
    assert.equal(await lacks(), undefined);
  });

  it('is written without being read if only its chain moved and the cached row is current, else read anew', async () => {
    const row = () => desk.db.row('select up, height::int, hash from rail_state');
    const tip = async () => ({ up: true, ...(await desk.rail.payin!.tip()) });
    const moves: number[] = [];
    const trusting = () =>
      checkRail(desk.deps, desk.rail, {
        mayTrustMemory: true,
        onMove: async (_tx, { height }) => void moves.push(height),
      });
    await trusting();
    desk.world.mine();
    assert.ok((await trusting()).hasMoved);
    assert.deepEqual(await row(), await tip());
    desk.world.mine();
    // Another process has seen a higher block, and then found the rail down.
    await desk.db.run(`update rail_state set hash = 'another', height = height + 1`);
    assert.ok((await trusting()).isReorg);
    assert.deepEqual(await row(), await tip());
    desk.world.mine();
    await desk.db.run(`update rail_state set up = false, detail = 'down', since = clock_now()`);
    const { state } = await trusting();
    assert.deepEqual([state.isUp, await row()], [true, await tip()]);
    assert.deepEqual(new Set(moves).size, 3);
  });

  it('has a history of outages, each from going down until being up again', async () => {
    const downOn = async (): Promise<number> =>
      (await railHistories(desk.db, 30))[0]?.days.reduce((sum, { down }) => sum + down, 0) ?? 0;
    const before = await downOn();
    desk.world.health = { isUp: false, detail: 'the key is refused' };
    desk.world.inject('tip', { kind: 'error' });
    assert.deepEqual([await later(6), await later(3), await later(600)], [true, false, false]);
    assert.equal((await downOn()) - before, 600, 'still going on');
    losing(answering);
    assert.equal(await later(61), true);
    await later(1_000);
    assert.equal((await downOn()) - before, 661);
    const [{ isUp: up, days } = { isUp: false, days: [] }] = await railHistories(desk.db, 30);
    assert.deepEqual([up, days.length], [true, 30]);
    assert.ok((days.at(-1)?.watched ?? 0) > 0 && days[0]?.watched === 0, 'nothing is claimed of days before it was watched');
  });

  it('goes down while away however often other calls are tried, and failures of other calls alone never take it down', async () => {
    const busy = async (seconds: number): Promise<boolean> => {
      for (let call = 0; call < 5; call += 1) await noteFailure(desk.deps, desk.rail, new Error('lost'));
      return later(seconds);
    };
    for (let second = 0; second < 30; second += 1) assert.equal(await busy(1), true);
    losing(away);
    let seconds = 0;
    while ((await busy(1)) && seconds < 60) seconds += 1;
    assert.ok(seconds >= 3 && seconds < 20, `${seconds} s`);
    losing(answering);
    assert.equal(await later(61), true);
  });

  it('is never down while it loses two in a hundred answers', async () => {
    let calls = 0;
    desk.world.chance = () => ((calls += 1) % 50 < 1 ? { kind: 'error' } : undefined);
    for (let turn = 0; turn < 200; turn += 1) assert.equal(await later(1), true);
    desk.world.chance = () => undefined;
    assert.ok(calls > 100);
  });
});
