// A course of all that holders, orders, the desk and time do to prizes, by dice: the same seed is the same course. After each step
// what open draws may win is in the pot, and nobody has more than they won; at the end the proof finds nothing.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Problem } from '@kurs/contract';
import { balance } from '../ledger/index.ts';
import { type AccountHolder, advanceClock } from '../platform/index.ts';
import { potAccount } from '../pots/index.ts';
import { openBeginning } from './begin.ts';
import { openClaiming } from './claim.ts';
import { DAY_MS, dayOf, partsOf } from './draw.ts';
import { type EarnWorld, openEarnWorld } from './earn.testing.ts';
import { toCredit, toWallet } from './out.ts';
import { setAside } from './purse.ts';
import { tendPrizes } from './refill.ts';
import { TASKS } from './settings.ts';
import { payTask } from './tasks.ts';
import { isFullRun } from '../../tools/runner/full-run.ts';

const STEPS = isFullRun ? 2_000 : 220;
/** Limits so small that they are reached again and again. */
const DAY_USD = '1';

let world: EarnWorld;
before(async () => {
  world = await openEarnWorld();
  await world.put('earn.day_usd', DAY_USD);
  await world.put('earn.wallet_least_usd', '0.01');
  await world.holdInPot('6');
});
after(() => world.close());

/** Dice of a seed: a number below `sides`. */
function openDice(seed: number): (sides: number) => number {
  let turn = 0;
  return (sides) =>
    createHash('sha256')
      .update(`${seed} ${(turn += 1)}`)
      .digest()
      .readUInt32BE() % sides;
}

const seeds = [1, 2];
/** Number of each event in the courses. Prizes do not depend on these dice, so one course alone may miss an event. */
const met = new Map<string, number>();
for (const seed of seeds)
  test(`a course of ${STEPS} steps (seed ${seed})`, async () => {
    const { db } = world;
    const dice = openDice(seed);
    const holders = await Promise.all(Array.from({ length: 6 }, (_, n) => world.holder(n === 5 ? 2 : undefined)));
    const pick = <T>(list: readonly T[]): T => list[dice(list.length)] as T;
    const keysOf = (holder: AccountHolder): string[] => [`holder:${holder.id}`, `device:${holders.indexOf(holder) % 3}`];
    const [begin, claim] = [openBeginning(db), openClaiming(db)];
    const [begun, orders]: [{ id: string; holderId: string }[], { id: string; holder: AccountHolder; status: string }[]] = [
      [],
      [],
    ];
    const amount = (): string => `0.${String(dice(60) + 1).padStart(3, '0')}`;
    const steps: Readonly<Record<string, () => Promise<unknown>>> = {
      async begin() {
        const { id: holderId } = pick(holders);
        const from = { device: `device:${dice(3)}`, network: `net:${dice(4)}` };
        begun.push(await begin({ holderId, ...from, spend: async () => undefined }));
      },
      claim: async () => begun.length > 0 && claim({ ...pick(begun.slice(-3)), clientSeed: `text ${dice(2)}` }),
      task: () => payTask(db, pick(holders), pick(TASKS)),
      credit: () => toCredit(db, pick(holders), amount()),
      wallet: () => toWallet(db, pick(holders), amount()),
      async order() {
        const holder = pick(holders);
        const id = await world.order(holder, 'order.completed', {
          worth: String(5 + dice(20)),
          fee: `0.${dice(9) + 1}`,
          keys: keysOf(holder),
        });
        orders.push({ id, holder, status: 'order.completed' });
      },
      async takeBack() {
        const one = orders.length > 0 ? pick(orders) : undefined;
        if (!one) return;
        one.status = one.status === 'order.reversed' ? 'order.restored' : 'order.reversed';
        await world.order(one.holder, one.status, { id: one.id });
      },
      minutes: () => advanceClock(db, (dice(40) + 1) * 60_000),
      days: () => advanceClock(db, (dice(3) + 1) * DAY_MS),
      tend: () => tendPrizes(db),
    };
    const names = [...Array<string>(5).fill('begin'), ...Array<string>(5).fill('claim'), ...Object.keys(steps), 'minutes'];
    for (let step = 0; step < STEPS; step += 1) {
      const name = pick(names);
      const outcome = await steps[name]?.().then(
        () => 'done',
        (error: unknown) => (error instanceof Problem ? error.code : Promise.reject(error as Error)),
      );
      met.set(`${name} ${outcome}`, (met.get(`${name} ${outcome}`) ?? 0) + 1);
      assert.ok(
        (await balance(db, potAccount('earn'))) >= (await setAside(db)),
        `step ${step}, ${name}: what open draws may win is there`,
      );
      const today = dayOf(await db.now());
      const row = await db.row<{ parts: string }>('select coalesce(sum(parts), 0) as parts from earn_day where day = $1', [
        today,
      ]);
      assert.ok(BigInt(row?.parts ?? '0') <= partsOf(DAY_USD), `step ${step}, ${name}: the day's sum`);
    }
    assert.deepEqual(await world.faults(), []);
  });

test('the courses met what they are there for', () => {
  // What takes out is left out: who has won so much, and has an order, is by chance. `earn.db.test` has a row for each answer.
  const wanted = ['begin done', 'begin earn_wait', 'begin earn_pot_empty', 'claim done', 'claim claim_over', 'task done'];
  assert.deepEqual(
    wanted.filter((one) => !met.has(one)),
    [],
    [...met].join(' '),
  );
});
