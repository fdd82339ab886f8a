import { Problem } from '@kurs/contract';
import type { Money } from '@kurs/money';
import { type SteppedUp, isClosed, spendStep, spendSteps } from '../auth/index.ts';
import { dropUses, readCounted, requireWithinLimits, tryLimits } from '../compliance/index.ts';
import type { Statements, Tx } from '../platform/index.ts';
import { peopleFor } from './rule.ts';
import { outLimits } from './settings.ts';
import { type Counting, type Out, countOut, customerKey, lockOut, readOut, uncountOut } from './counted-payouts.ts';
import { outKinds } from './kinds.ts';
import { type Leaving, obstacleAgain, obstaclesTo } from './obstacles.ts';
import { lockGuard, lockGuards } from './store.ts';

/** What takes money out of a wallet. */
export interface OutAction extends Leaving {
  /** The action's own id: under it its worth is counted towards limits. */
  readonly id: string;
  /** Kind of money out, one of those that the kind of its owner registers. */
  readonly kind: string;
  readonly holder: { readonly id: string; readonly email: string };
  readonly usd: Money<'USD'>;
  /** Whether money leaves the desk, so that people may have to let it out. Between wallets nothing does. */
  readonly leaves: boolean;
  /** Its owner counts it towards limits by itself: it isn't counted twice. */
  readonly isCounted?: boolean;
  /** What is sent of its currency; absent where its owner counts its payout by itself, as it is queued. */
  readonly sent?: bigint;
}

/** What takes money out, and what its holder has shown for it. */
export interface Passing {
  readonly stepped: SteppedUp;
  readonly action: OutAction;
}

/** What was let out: by how many operators it has to be approved. */
export interface Passed {
  readonly people: 0 | 1 | 2;
}

/**
 * Lets actions out of wallets, in their order: the one door. Gives for each how many operators have to approve what leaves, or its
 * problem: what `obstaclesTo` finds, what the step-up throws, and `validation` on `amount` above the limits; nothing is spent or
 * counted for that one. Counts the others towards the limits of their holders. Call it first in the transaction that moves the
 * money: it locks the holders.
 */
export async function passOut(tx: Tx, all: readonly Passing[]): Promise<(Passed | Problem)[]> {
  for (const { action } of all) outKinds.require(action.kind);
  await lockGuards(tx, [...new Set(all.map(({ action }) => action.holder.id))].sort());
  const { problems, subjects } = await obstaclesTo(
    tx,
    all.map(({ action }) => action),
    tx.now,
  );
  const refused = new Map(problems.flatMap((problem, at) => (problem ? [[all[at], problem] as const] : [])));
  const refuse = (asked: readonly Passing[], found: readonly (Problem | undefined)[]): void =>
    found.forEach((problem, at) => problem && refused.set(asked[at], problem));

  const counting = all.flatMap((one, at) => (refused.has(one) || one.action.isCounted ? [] : [{ one, subject: subjects[at]! }]));
  const limits = await tryLimits(
    tx,
    counting.map(({ one: { action }, subject }) => ({ subject, usd: action.usd, owner: { kind: action.kind, id: action.id } })),
  );
  refuse(
    counting.map(({ one }) => one),
    limits.problems,
  );
  const spending = all.filter((one) => !refused.has(one));
  refuse(
    spending,
    await spendSteps(
      tx,
      spending.map(({ stepped }) => stepped),
    ),
  );
  await limits.count((at) => !refused.has(counting[at]?.one));
  const leaving = all.filter((one) => !refused.has(one) && one.action.leaves);
  const people = await countLeaving(
    tx,
    leaving.map(({ action }) => action),
  );
  return all.map((one) => refused.get(one) ?? { people: people.get(one.action) ?? 0 });
}

/**
 * How many people have to approve each action that leaves, in their order: what goes by itself counts from now on, for those after
 * it, too.
 */
async function countLeaving(tx: Tx, actions: readonly OutAction[]): Promise<Map<OutAction, 0 | 1 | 2>> {
  if (actions.length === 0) return new Map();
  await lockOut(tx);
  const all = actions.map((action) => ({ action, customer: customerOf(action), currency: action.to?.currency ?? '' }));
  const sums = await readOut(tx, tx.now, {
    customers: [...new Set(all.map(({ customer }) => customer))],
    currencies: [...new Set(all.map(({ currency }) => currency))],
  });
  const counting: Counting[] = [];
  const decided = all.map(({ action, customer, currency }): [OutAction, 0 | 1 | 2] => {
    const people = peopleOut(action.usd.parts, sums.of({ customer, currency }));
    if (people === 0 && action.to !== undefined && action.sent !== undefined) {
      const one = { payoutId: action.id, kind: action.kind, customer, usd: action.usd.parts, currency, parts: action.sent };
      counting.push(one);
      sums.add(one);
    }
    return [action, people];
  });
  await countOut(tx, counting);
  return new Map(decided);
}

/** What `passOut` would say as things stand, but for the step-up; changes nothing. Throws as it does. */
export async function wouldPass(db: Statements, action: Omit<OutAction, 'id'>, now: Date): Promise<Passed> {
  const {
    problems: [problem],
    subjects: [subject],
  } = await obstaclesTo(db, [action], now);
  if (problem || !subject) throw problem ?? new Error('an action was not looked at');
  requireWithinLimits(action.usd, await readCounted(db, subject, now));
  if (!action.leaves) return { people: 0 };
  return { people: peopleOut(action.usd.parts, await outOf(db, action, now)) };
}

/** How many operators must approve these cents from a wallet, by what already left without approval and the current bounds. */
export const peopleOut = (usd: bigint, out: Pick<Out, 'customerDay' | 'deskDay'>): 0 | 1 | 2 => peopleFor(usd, out, outLimits());

async function outOf(db: Statements, action: Pick<OutAction, 'holder' | 'to'>, now: Date): Promise<Out> {
  const [customer, currency] = [customerOf(action), action.to?.currency ?? ''];
  return (await readOut(db, now, { customers: [customer], currencies: [currency] })).of({ customer, currency });
}

const customerOf = ({ holder }: Pick<OutAction, 'holder'>): string => customerKey({ ...holder, holderId: holder.id });

/**
 * Lets money of a wallet go to another place than the one that it was let out to: a payout that has come back. Its
 * worth was counted when it left. Call it first in its transaction. Throws `withdrawals_frozen`, what the step-up throws, and
 * `validation` on the field as `passOut` does.
 */
export async function redirectOut(
  tx: Tx,
  stepped: SteppedUp,
  action: { readonly holderId: string; readonly to: NonNullable<OutAction['to']>; readonly field: string },
): Promise<void> {
  const { holderId: id, to, field } = action;
  await lockGuard(tx, id);
  const obstacle = await obstacleAgain(tx, { holder: { id }, to, field }, tx.now);
  if (obstacle) throw obstacle;
  await spendStep(tx, stepped);
}

/**
 * What stops an action now that was let out before: it was decided then, and is done now. Gives the problem, by whose name people
 * are told; undefined where nothing does. Asked again: a closed account, a freeze, a block, a debt, the allow-list.
 */
export async function whatStops(
  db: Statements,
  { holderId: id, unit, to }: Pick<OutAction, 'unit' | 'to'> & { readonly holderId: string },
  now: Date,
): Promise<Problem | undefined> {
  if (await isClosed(db, id)) return new Problem('account_closed');
  const [problem] = (await obstaclesTo(db, [{ holder: { id }, unit, to, field: 'to' }], now)).problems;
  return problem?.code === 'validation' ? new Problem('not_on_allow_list') : problem;
}

/** Actions came to nothing: they count no more. */
export async function takeBackOut(tx: Tx, ids: readonly string[]): Promise<void> {
  await dropUses(
    tx,
    ids.map((id) => ({ id })),
  );
  await uncountOut(tx, ids);
}
