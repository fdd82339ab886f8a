// The auditor's part about prizes: it computes the possible winnings and number of draws and tasks, and checks that the books
// hold exactly that. It uses none of the code that it checks.

import { REWARD_UNIT, format, money } from '@kurs/money';
import { accounts } from '../../ledger/index.ts';
import type { CouponRow } from './coupon-audit.ts';
import { Fault } from './invariants.ts';

/** Minor units of the unit of rewards: prize of each draw, pay of a task, and initial balance of the pot. */
export const PRIZE = 30_000n;
export const PAYS: Readonly<Record<string, bigint>> = { email: 20_000n, streak: 50_000n };
export const POT = 140_000n;
/** Limits of a day: for an account or its mailbox, for a device, and for all; and the minimum of the pot. */
export const BOUNDS = { own: 30_000n, shared: 60_000n, day: 60_000n, stays: 50_000n } as const;

const usd = (parts = 0n): string => format(money(REWARD_UNIT, parts), 2);

/** Limits low enough to be reached. There is only one prize, so no chance: the same seed is the same story. */
export const PRIZE_SETTINGS = {
  'earn.on': true,
  'earn.table': [{ prize: usd(PRIZE), weight: 1_000_000 }],
  'earn.prize_usd': usd(PRIZE),
  'earn.account_day_usd': usd(BOUNDS.own),
  'earn.shared_day_usd': usd(BOUNDS.shared),
  'earn.day_usd': usd(BOUNDS.day),
  'earn.pot_least_usd': usd(BOUNDS.stays),
  'earn.wallet_least_usd': '0.01',
  'earn.streak_days': 2,
  'earn.tasks': { email: usd(PAYS['email']), two_factor: '0.10', first_order: '0.50', streak: usd(PAYS['streak']) },
} as const;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Players of draws. Those of one mailbox, or one device, share its number. */
export interface Player {
  readonly id: string;
  readonly email: string;
  readonly mailbox: number;
  readonly device: number;
  readonly isVerified: boolean;
  readonly level: 1 | 2;
}

/** Rows of draws in the order of their beginnings, and of tasks; times in milliseconds. */
export interface PrizeRows {
  readonly draws: readonly {
    readonly id: string;
    readonly holder: string;
    readonly at: number;
    readonly state: 'open' | 'claimed' | 'abandoned';
    readonly prize: string | null;
  }[];
  readonly tasks: readonly { readonly holder: string; readonly task: string; readonly parts: string; readonly at: number }[];
}

/** Both in the auditor's query. */
export const PRIZE_ROWS = `json_build_object(
  'draws', (select coalesce(json_agg(json_build_object('id', id, 'holder', holder_id, 'at', extract(epoch from begun_at) * 1000,
     'state', state, 'prize', prize::text) order by begun_at, id), '[]') from earn_draw),
  'tasks', (select coalesce(json_agg(json_build_object('holder', holder_id, 'task', task, 'parts', parts::text,
     'at', extract(epoch from at) * 1000)), '[]') from earn_task))`;

interface Seen {
  readonly players: readonly Player[];
  readonly coupons: readonly CouponRow[];
  /** Hours in which the pot may have been filled. */
  readonly hours: number;
  readonly shown: (name: string) => bigint;
}

/** Draws begin within all limits only; the money for open ones is there; and holders have exactly their winnings. */
export function mustBeWon(rows: PrizeRows, { players, coupons, hours, shown }: Seen): void {
  mustBeBounded(rows, new Map(players.map((player) => [player.id, player])));
  mustBeDone(rows, players);
  const pot = shown(accounts.promo('earn', REWARD_UNIT).name);
  const open = BigInt(rows.draws.filter(({ state }) => state === 'open').length) * PRIZE;
  if (pot < open + BOUNDS.stays) throw new Fault(`the pot of prizes holds ${pot}, and ${open} are promised to open draws`);
  let given = 0n;
  for (const { id, email, level } of players) {
    const won = wonBy(rows, id);
    const credit = coupons.find(({ kind, holder }) => kind === 'credit' && holder === id)?.budget ?? '0';
    const inWallet = shown(accounts.wallet(id, REWARD_UNIT).name);
    const has = shown(accounts.earn(id, REWARD_UNIT).name) + BigInt(credit) + inWallet;
    if (has !== won) throw new Fault(`${email} has ${has} of prizes, and won ${won}`);
    if (level < 2 && inWallet > 0n) throw new Fault(`${email} took ${inWallet} of prizes into the wallet without an order`);
    given += won;
  }
  const [filled, hourly] = [pot + given - POT, BOUNDS.day / 24n];
  if (filled % hourly !== 0n || filled > BigInt(hours) * hourly)
    throw new Fault(`the pot of prizes was filled by ${filled} in ${hours} hours`);
}

/** One draw an hour for everybody; each begins while account, mailbox and device have won less than their day's; and all of a day's sum. */
function mustBeBounded({ draws, tasks }: PrizeRows, players: ReadonlyMap<string, Player>): void {
  const [hours, won, days] = [new Set<string>(), new Map<string, bigint>(), new Map<number, bigint>()];
  for (const { id, holder, at, state, prize } of draws) {
    const player = players.get(holder);
    if (!player) throw new Fault(`the draw ${id} is nobody's`);
    if (state === 'claimed' && prize !== String(PRIZE)) throw new Fault(`the draw ${id} won ${prize}`);
    const [hour, day] = [`${Math.floor(at / HOUR_MS)} ${holder}`, Math.floor(at / DAY_MS)];
    if (hours.has(hour)) throw new Fault(`${player.email} has two draws of an hour`);
    hours.add(hour);
    for (const [key, max] of [
      [holder, BOUNDS.own],
      [`mailbox ${player.mailbox}`, BOUNDS.own],
      [`device ${player.device}`, BOUNDS.shared],
    ] as const) {
      const before = won.get(`${day} ${key}`) ?? 0n;
      if (before >= max) throw new Fault(`${player.email} draws though ${key} has won ${before} of ${max} in the day`);
      won.set(`${day} ${key}`, before + PRIZE);
    }
    if (state !== 'abandoned') days.set(day, (days.get(day) ?? 0n) + PRIZE);
  }
  for (const { at, parts } of tasks) {
    const day = Math.floor(at / DAY_MS);
    days.set(day, (days.get(day) ?? 0n) + BigInt(parts));
  }
  for (const sum of days.values()) if (sum > BOUNDS.day) throw new Fault(`a day's prizes come to ${sum} of ${BOUNDS.day}`);
}

/** Tasks are paid once for a mailbox, to holders who have done them: proven their mailbox, or claimed on two days in a row. */
function mustBeDone({ draws, tasks }: PrizeRows, players: readonly Player[]): void {
  const paid = new Set<string>();
  for (const { holder, task, parts } of tasks) {
    const player = players.find(({ id }) => id === holder);
    const once = `${player?.mailbox} ${task}`;
    const claims = new Set(
      draws.flatMap(({ holder: by, state, at }) => (by === holder && state === 'claimed' ? [Math.floor(at / DAY_MS)] : [])),
    );
    const isDone = task === 'email' ? player?.isVerified : task === 'streak' && [...claims].some((day) => claims.has(day + 1));
    if (!isDone || parts !== String(PAYS[task]) || paid.has(once))
      throw new Fault(`${player?.email} is paid ${parts} for ${task}`);
    paid.add(once);
  }
}

/** Returns a holder's winnings by draws and tasks. */
const wonBy = ({ draws, tasks }: PrizeRows, id: string): bigint =>
  draws.reduce((sum, { holder, state }) => (holder === id && state === 'claimed' ? sum + PRIZE : sum), 0n) +
  tasks.reduce((sum, { holder, parts }) => (holder === id ? sum + BigInt(parts) : sum), 0n);
