// Work by time: pays waiting rewards when the pot has money, matures rewards, and updates levels with the month.

import { alone } from '../collecting/index.ts';
import type { Sender } from '../exchange/index.ts';
import { balances } from '../ledger/index.ts';
import { type Db, every } from '../platform/index.ts';
import { activeCents, climbed, forgetBindings, levels, owedByAffiliates, saveLevels } from '../referrals/index.ts';
import { waitingOfAffiliates } from '../wallets/index.ts';
import { mailMonths } from './letters.ts';
import { reportTroubles } from './postback-letters.ts';
import { activeCustomers, forgetCustomers } from './referred-order.ts';
import { availableOf } from './reward.ts';
import { lockRewards, ripe, waitingRewards } from './reward-store.ts';
import { Rewarding } from './rewarding.ts';

/** Maximum number of rewards in one transaction. */
const BATCH_SIZE = 200;

/** Pays waiting rewards, the oldest first, as far as the pot's money reaches. Returns their number. */
export const fillWaiting = async (db: Db): Promise<number> => {
  if ((await waitingRewards(db, 1)).length === 0) return 0;
  return alone(db, async (unit) => {
    const holders = (await waitingRewards(unit.tx, BATCH_SIZE)).map(({ holderId }) => holderId);
    const rewarding = await Rewarding.open(unit, holders);
    const waiting = await waitingRewards(unit.tx, BATCH_SIZE);
    const locked = new Map(
      (
        await lockRewards(
          unit.tx,
          waiting.map(({ id }) => id),
        )
      ).map((one) => [one.id, one]),
    );
    let given = 0;
    for (const { id } of waiting) {
      const one = locked.get(id);
      if (one?.state !== 'waiting') continue;
      if (!(await rewarding.fill(one))) break;
      given += 1;
    }
    await rewarding.save();
    return given;
  });
};

/** Makes rewards available whose waiting days are over. Returns their number. */
export async function matureDue(db: Db): Promise<number> {
  const due = await ripe(db);
  if (due.length === 0) return 0;
  return alone(db, async (unit) => {
    const rewarding = await Rewarding.open(
      unit,
      due.map(({ holderId }) => holderId),
      { pot: false },
    );
    const locked = await lockRewards(
      unit.tx,
      due.map(({ id }) => id),
    );
    for (const one of locked) rewarding.mature(one);
    await rewarding.save();
    return locked.length;
  });
}

/**
 * Repays affiliates' debts from rewards that came back after they were taken back: of withdrawals that failed, were returned, or
 * were stopped before sending. Returns the number of affiliates. `name`: the product's, for letters.
 */
export async function settleOwed(db: Db, name: string): Promise<number> {
  const owing = [...(await owedByAffiliates(db)).keys()];
  if (owing.length === 0) return 0;
  const [there, asking] = [await balances(db, owing.map(availableOf)), await waitingOfAffiliates(db)];
  const due = owing.filter((holderId, at) => (there[at] ?? 0n) > 0n || asking.has(holderId));
  for (const holderId of due)
    await alone(db, async (unit) => {
      const rewarding = await Rewarding.open(unit, [holderId], { pot: false });
      await rewarding.settle(holderId, name);
      await rewarding.save();
    });
  return due.length;
}

/** Sets each affiliate's step of the ladder by their customers of the last 30 days. */
export const countLevels = (db: Db): Promise<void> =>
  db.tx(async (tx) => {
    const customers = await activeCustomers(tx, activeCents());
    const ladder = levels();
    const all = [...new Set([...customers.keys(), ...(await climbed(tx))])];
    const reached = all.map((id) => {
      const count = customers.get(id) ?? 0;
      return [
        id,
        Math.max(
          0,
          ladder.findLastIndex((level) => level.customers <= count),
        ),
      ] as const;
    });
    await saveLevels(tx, new Map(reached));
  });

const REWARDS_MS = 10_000;
const TROUBLES_MS = 60_000;
const LEVELS_MS = 600_000;
const FORGET_MS = 3_600_000;

/** The room's loops of the worker. */
export function runAffiliates(db: Db, sender: Sender): { stop(): Promise<void> } {
  const loops = [
    every(
      REWARDS_MS,
      'affiliates.rewards',
      async () => (await fillWaiting(db)) + (await matureDue(db)) + (await settleOwed(db, sender.name)),
    ),
    every(FORGET_MS, 'affiliates.months', () => mailMonths(db, sender)),
    every(TROUBLES_MS, 'affiliates.postbacks', () => reportTroubles(db, sender)),
    every(LEVELS_MS, 'affiliates.levels', () => countLevels(db)),
    every(FORGET_MS, 'affiliates.forget', async () => void (await Promise.all([forgetBindings(db), forgetCustomers(db)]))),
  ];
  return { stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))) };
}
