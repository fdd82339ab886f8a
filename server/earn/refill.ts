// Fills the pot of prizes each hour, and notifies people if that is not enough.

import { Problem } from '@kurs/contract';
import { alone } from '../collecting/index.ts';
import { balances } from '../ledger/index.ts';
import type { Db, Statements } from '../platform/index.ts';
import { fundPot, lockPot, potAccount, wasFunded } from '../pots/index.ts';
import { dayOf, hourOf } from './draw.ts';
import { endDraws } from './draw-store.ts';
import { idOnce } from './once.ts';
import { purseAt } from './purse.ts';
import { rules } from './settings.ts';

/** Automatic work on prizes: draws end, the pot is filled once an hour, and the purse at noon is noted. */
export async function tendPrizes(db: Db): Promise<void> {
  await db.tx(endDraws);
  if (!rules().isOpen) return;
  try {
    await refill(db);
  } catch (error) {
    // The desk lacks free money: the next hour tries again.
    if (!(error instanceof Problem && error.code === 'not_enough_there')) throw error;
  }
  await noteNoon(db);
}

/** Puts a 24th of a day's limit into the pot, if the pot holds less than that limit, once an hour. */
async function refill(db: Db): Promise<void> {
  const { day } = rules();
  await alone(db, async (unit) => {
    const { tx } = unit;
    await lockPot(tx, 'earn');
    const id = idOnce(hourOf(tx.now).toISOString());
    const [pot = 0n] = await balances(tx, [potAccount('earn')]);
    const parts = day / 24n;
    if (pot >= day || parts === 0n || (await wasFunded(tx, id))) return;
    unit.post(await fundPot(tx, { id, pot: 'earn', parts, isBack: false }), 'not_enough_there');
  });
}

const NOON = 12;

/** Notes once, in the hour from noon on, whether the purse was empty. */
async function noteNoon(db: Db): Promise<void> {
  await db.tx(async (tx) => {
    if (tx.now.getUTCHours() !== NOON) return;
    const day = dayOf(tx.now).toISOString().slice(0, 10);
    const { left } = await purseAt(tx, tx.now);
    await tx.run(
      `insert into earn_day as d (day, parts, was_empty_at_noon) values ($1, 0, $2)
       on conflict (day) do update set was_empty_at_noon = coalesce(d.was_empty_at_noon, excluded.was_empty_at_noon)`,
      [day, left < rules().greatest],
    );
  });
}

/** Days in a row with an empty purse at noon before people are notified. */
const NOONS = 3;

/** Returns true if the purse was empty at noon on the last three days in a row. */
export async function wasEmptyAtNoons(db: Statements): Promise<boolean> {
  const row = await db.row<{ days: number }>(
    `select count(*)::int as days from (
       select was_empty_at_noon from earn_day
       where was_empty_at_noon is not null and day > (clock_now() at time zone 'UTC')::date - ${NOONS + 1}
       order by day desc limit ${NOONS}
     ) as last where was_empty_at_noon`,
  );
  return (row?.days ?? 0) === NOONS;
}

/** Deletes days that no longer limit anything. */
export async function forgetDays(db: Statements): Promise<void> {
  await db.run(`delete from earn_day where day < (clock_now() at time zone 'UTC')::date - 7`);
}
