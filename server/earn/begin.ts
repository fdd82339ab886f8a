// Begins draws: one an hour for a holder, within the purse. Draws requested at the same moment begin in one transaction; each of
// them succeeds or is refused as a whole.

import { Problem } from '@kurs/contract';
import { type Member, inGroups } from '../collecting/index.ts';
import type { SpendBot } from '../compliance/index.ts';
import { type Db, type Tx, newId } from '../platform/index.ts';
import { lockPot } from '../pots/index.ts';
import { DAY_MS, type Draw, HOUR_MS, type Whence, dayOf, hourOf, newSeed } from './draw.ts';
import { addDraws, endDraws, statusesOf } from './draw-store.ts';
import { type Purse, countDays, purseAt } from './purse.ts';
import { type Rules, rules } from './settings.ts';

/** The holder who begins a draw, with their identities and their bot check. */
export interface BeginRequest extends Whence {
  readonly holderId: string;
  readonly spend: SpendBot;
}

/** Maximum number of draws that begin together. If a pot is nearly empty, all simultaneous callers learn it at once. */
const TOGETHER = 1_000;

/**
 * Returns a function that begins a draw. It throws `earn_closed`, `earn_wait` for a second one in an hour or while one is open,
 * `earn_cap` if account, device or network have won a day's limit, `earn_pot_empty`, and the errors of the bot check.
 */
export const openBeginning = (db: Db): ((request: BeginRequest) => Promise<Draw>) =>
  inGroups(db, beginAll, { max: TOGETHER, keysOf: ({ holderId }) => [holderId] });

async function beginAll(tx: Tx, members: readonly Member<BeginRequest>[]): Promise<(Draw | Problem)[]> {
  const now = rules();
  if (!now.isOpen) return members.map(() => new Problem('earn_closed'));
  await lockPot(tx, 'earn');
  await endDraws(tx);
  const [purse, statuses] = [
    await purseAt(tx, tx.now, now),
    await statusesOf(
      tx,
      members.map(({ request }) => request),
    ),
  ];
  const decided = members.map(
    ({ request }) => refusalOf(request, { statuses, purse, now, at: tx.now }) ?? newDraw(request, now, tx.now),
  );
  const spent = await Promise.all(
    decided.map((one, at) => (one instanceof Problem ? one : spendFor(tx, members[at]!.request, one))),
  );
  const begun = spent.flatMap((one) => (one instanceof Problem ? [] : [one]));
  await addDraws(tx, begun);
  await countDays(
    tx,
    begun.map(({ hour, max }) => ({ at: hour, parts: max })),
  );
  return spent;
}

/** Spends the bot check of an allowed draw. A used or expired one refuses it. */
async function spendFor(tx: Tx, { spend }: BeginRequest, draw: Draw): Promise<Draw | Problem> {
  try {
    await spend(tx);
    return draw;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

interface Deciding {
  readonly statuses: Awaited<ReturnType<typeof statusesOf>>;
  readonly purse: Purse;
  readonly now: Rules;
  readonly at: Date;
}

/** Returns why a draw may not begin. If it may, its greatest prize is taken from the purse and counted for later draws. */
function refusalOf(request: BeginRequest, { statuses, purse, now, at }: Deciding): Problem | undefined {
  const { holderId, customer, device, network } = request;
  const inSeconds = (later: number): number => Math.ceil((later - at.getTime()) / 1_000);
  if (statuses.busy.has(holderId)) return new Problem('earn_wait', { retryAfter: inSeconds(hourOf(at).getTime() + HOUR_MS) });
  const shared = [device, network].filter((key) => key !== undefined);
  const own = [holderId, customer].filter((key) => key !== undefined);
  const isOver = own.some((key) => statuses.of(key) >= now.accountDay) || shared.some((key) => statuses.of(key) >= now.sharedDay);
  if (isOver) return new Problem('earn_cap', { retryAfter: inSeconds(dayOf(at).getTime() + DAY_MS) });
  if (!purse.take(now.greatest)) return new Problem('earn_pot_empty');
  for (const key of [...own, ...shared]) statuses.add(key, now.greatest);
  return undefined;
}

const newDraw = (
  { holderId, customer, device, network }: BeginRequest,
  { table, greatest, drawMinutes }: Rules,
  at: Date,
): Draw => ({
  ...{ id: newId(), holderId, customer, device, network, hour: hourOf(at), seed: newSeed(), table },
  ...{
    max: greatest,
    state: 'open',
    clientSeed: undefined,
    prize: undefined,
    begunAt: at,
    endsAt: new Date(at.getTime() + drawMinutes * 60_000),
  },
});
