// Views of prizes: the rules and the purse, and a holder's own prizes.

import type { Output, Routes } from '@kurs/contract';
import { REWARD_UNIT, format, money, trimZeros } from '@kurs/money';
import { creditOf } from '../coupons/index.ts';
import { balances } from '../ledger/index.ts';
import type { AccountHolder, Cell, Db, Statements } from '../platform/index.ts';
import { potAccount } from '../pots/index.ts';
import type { Claimed } from './claim.ts';
import { type Draw, HOUR_MS, commitOf, dayOf, hourOf } from './draw.ts';
import { abandonedDraws, drawsOf, holderSums } from './draw-store.ts';
import { walletLeft } from './out.ts';
import { purseAt } from './purse.ts';
import { TASKS, meanTimesAll, rules } from './settings.ts';
import { tasksOf } from './tasks.ts';

/** Number of draws shown. */
const SHOWN = 20;

/** Writes an amount of the unit of rewards, at least in cents. */
export const usd = (parts: bigint): string => trimZeros(format(money(REWARD_UNIT, parts)), 2);

/** Returns the current rules and the purse. */
export async function rulesView(db: Db): Promise<Output<Routes['earnRules']>> {
  const now = rules();
  const [at, [pot = 0n]] = [await db.now(), await balances(db, [potAccount('earn')])];
  const { left } = await purseAt(db, at, now);
  return {
    ...{ is_open: now.isOpen, table: now.table, left: usd(left), pot: usd(pot), draw_minutes: now.drawMinutes },
    mean: usd(meanTimesAll(now.table) / 1_000_000n),
    ...{ account_day: usd(now.accountDay), shared_day: usd(now.sharedDay), day: usd(now.day), pot_least: usd(now.minPot) },
    ...{ wallet_least: usd(now.minToWallet), order_least: usd(now.minOrder) },
    tasks: TASKS.map((task) => ({ task, pays: usd(now.pays(task)) })),
    ...{ two_factor_days: now.twoFactorDays, streak_days: now.streakDays },
    abandoned: (await abandonedDraws(db, SHOWN)).map(({ id, seed, begunAt }) => ({
      ...{ id, commit: commitOf(seed), seed: seed.toString('hex'), at: begunAt.toISOString() },
    })),
  };
}

/** An open draw, as its holder sees it. */
export const openView = ({ id, seed, table, endsAt }: Draw): Output<Routes['earnBegin']> => ({
  ...{ id, commit: commitOf(seed), table: [...table], expires_at: endsAt.toISOString() },
});

/** A claimed draw, with all data for checking it. */
export const madeView = ({ id, seed, table, clientSeed, prize, begunAt }: Claimed): Output<Routes['earnClaim']> => ({
  ...{ id, commit: commitOf(seed), seed: seed.toString('hex'), client_seed: clientSeed, table: [...table] },
  ...{ prize: usd(prize), at: begunAt.toISOString() },
});

/** A holder's prizes. */
export async function ownView(db: Db, holder: AccountHolder): Promise<Output<Routes['earnOwn']>> {
  const [now, at] = [rules(), await db.now()];
  const [{ balance, toWallet }, draws, tasks, credit] = await Promise.all([
    holderSums(db, holder.id),
    drawsOf(db, holder.id, SHOWN),
    tasksOf(db, holder, at),
    creditOf(db, holder.id),
  ]);
  const open = draws.find(({ state, endsAt }) => state === 'open' && endsAt > at);
  const isBusy = open !== undefined || draws.some(({ hour }) => hour.getTime() === hourOf(at).getTime());
  const max = await walletLeft(db, holder, { toWallet, now: at });
  const today = draws.filter(({ hour, prize }) => prize !== undefined && hour >= dayOf(at));
  return {
    ...{ balance: usd(balance), credit: usd(credit?.left ?? 0n) },
    won_today: usd(today.reduce((sum, { prize = 0n }) => sum + prize, 0n)),
    to_wallet: max === undefined ? null : usd(max < balance ? max : balance),
    open: open ? openView(open) : null,
    next_at: isBusy ? new Date(hourOf(at).getTime() + HOUR_MS).toISOString() : null,
    draws: draws.flatMap((one) => (isClaimed(one) ? [madeView(one)] : [])),
    tasks: tasks.map(({ task, state }) => ({ task, state, pays: usd(now.pays(task)) })),
  };
}

const isClaimed = (draw: Draw): draw is Claimed => draw.state === 'claimed';

/** Number of draws read at a time for a file. */
const BATCH_SIZE = 500;

/** Returns all draws of a holder as rows of a file, headings first. */
export async function* drawRows(db: Statements, holderId: string): AsyncGenerator<readonly (readonly Cell[])[]> {
  yield [['id', 'begun_at', 'state', 'client_seed', 'prize']];
  let before: Date | undefined;
  do {
    const draws = await drawsOf(db, holderId, BATCH_SIZE, before);
    yield draws.map(({ id, begunAt, state, clientSeed = '', prize }) => [
      ...[id, begunAt.toISOString(), state, clientSeed],
      prize === undefined ? '' : usd(prize),
    ]);
    before = draws.length < BATCH_SIZE ? undefined : draws.at(-1)?.hour;
  } while (before !== undefined);
}
