// Obstacles to money leaving a wallet that no step-up removes: a freeze, a debt, a debt that is about to be recorded, a block,
// the allow-list.

import { Problem, fieldProblem } from '@kurs/contract';
import { type Holder, holdersById } from '../auth/index.ts';
import { type Subject, customerOf, owedSum, shownOf, stopsOf } from '../compliance/index.ts';
import { accounts, balances } from '../ledger/index.ts';
import { openFindsOf, undeliveredDebts } from '../payments/index.ts';
import type { Statements } from '../platform/index.ts';
import { type ListState, addressOf, listsOf } from './store.ts';

/** A request to move money out of a wallet. */
export interface Leaving {
  /** Account holder who moves the money. `email` may be absent if no decision depends on it. */
  readonly holder: { readonly id: string; readonly email?: string };
  /** Unit of the wallet that pays. */
  readonly unit: string;
  /**
   * Receiving account. `currency`: the account's currency, or `wallet` for another holder's wallet. `key`: the checked account's
   * key, or that holder's id.
   */
  readonly to: { readonly currency: string; readonly key: string } | undefined;
  /** Name of the input field with the receiving account, for validation problems. */
  readonly field: string;
  readonly device?: string | undefined;
  readonly ip?: string | undefined;
}

/** Result of `obstaclesTo`, in the order of the requests. */
export interface Obstacles {
  /** First obstacle of each request; undefined if there is none. */
  readonly problems: readonly (Problem | undefined)[];
  /** Compliance subject of each request, for further checks. */
  readonly subjects: readonly Subject[];
}

/**
 * Finds the first obstacle of each request:
 *
 * - `record_altered`: SQL altered the holder's row
 * - `withdrawals_frozen`: the account is frozen after a reset
 * - `debt_open`: the wallet owes for a deposit that was taken back
 * - `debt_stops`: the holder has another debt
 * - `blocked`: people have blocked the holder or the receiving account
 * - `reversal_pending`: a debt of the holder is about to be recorded
 * - `validation` on the field: the receiving account is not on the allow-list, or too new there
 */
export async function obstaclesTo(db: Statements, all: readonly Leaving[], now: Date): Promise<Obstacles> {
  const ids = [...new Set(all.map(({ holder }) => holder.id))];
  const [holders, lists, pending, owed] = await Promise.all([
    holdersById(db, ids),
    listsOf(db, ids, now),
    reversalsPending(db, ids),
    balances(
      db,
      all.map(({ holder, unit }) => accounts.receivable(holder.id, unit)),
    ),
  ]);
  const subjects = all.map((one) => subjectBy(one, holders.get(one.holder.id)));
  // Blocks are looked up for the receiving account, too.
  const stops = await stopsOf(
    db,
    subjects.map((subject, at) => ({ ...subject, accounts: accountsOf(all[at]?.to) })),
  );
  const unlisted = await Promise.all(all.map((one) => offList(db, one, lists.get(one.holder.id), now)));
  const problems = all.map((one, at) => {
    const known = frozen(holders.get(one.holder.id), now) ?? owing(one.unit, owed[at] ?? 0n) ?? stops[at];
    return known ?? (pending.has(one.holder.id) ? new Problem('reversal_pending') : unlisted[at]);
  });
  return { problems, subjects };
}

/**
 * Returns holders with a debt that is about to be recorded. Such a debt arises when a holder's payment is taken back. It also
 * arises when a payout is found late after the holder got its money back. Until the event about the debt is handled, the holder's
 * money must not move. `undelivered`: debts with unhandled events, if the caller has read these already.
 */
export async function reversalsPending(
  db: Statements,
  holderIds: readonly string[],
  undelivered: ReturnType<typeof undeliveredDebts> = undeliveredDebts(db),
): Promise<ReadonlySet<string>> {
  const [debts, found] = await Promise.all([undelivered, openFindsOf(db, holderIds)]);
  const customers = new Set(debts.map(({ customer }) => customer));
  const isUndelivered = (id: string): boolean => customers.has(customerOf({ email: '', holder: { id } }));
  return new Set([...holderIds.filter(isUndelivered), ...found]);
}

/** Checks only the freeze and the allow-list, as `obstaclesTo` does. Used for money that has already left its wallet. */
export async function obstacleAgain(
  db: Statements,
  one: Pick<Leaving, 'holder' | 'to' | 'field'>,
  now: Date,
): Promise<Problem | undefined> {
  const [holders, lists] = await Promise.all([holdersById(db, [one.holder.id]), listsOf(db, [one.holder.id], now)]);
  return frozen(holders.get(one.holder.id), now) ?? (await offList(db, one, lists.get(one.holder.id), now));
}

/** Returns why no money leaves the accounts of holders now, by their ids: `withdrawals_frozen`, or `record_altered`. */
export async function freezesOf(db: Statements, holderIds: readonly string[], now: Date): Promise<ReadonlyMap<string, Problem>> {
  const holders = await holdersById(db, [...new Set(holderIds)]);
  return new Map(
    holderIds.flatMap((id) => {
      const problem = frozen(holders.get(id), now);
      return problem ? [[id, problem] as const] : [];
    }),
  );
}

/** Throws `withdrawals_frozen` while no money leaves the account of a holder, and `record_altered`. */
export async function requireUnfrozen(db: Statements, holderId: string, now: Date): Promise<void> {
  const problem = (await freezesOf(db, [holderId], now)).get(holderId);
  if (problem) throw problem;
}

const subjectBy = ({ holder, device, ip }: Leaving, found: Holder | undefined): Subject => ({
  email: holder.email ?? '',
  accounts: [],
  device,
  ip,
  holder: found && shownOf(found),
});

const accountsOf = (to: Leaving['to']): string[] => (to && to.key !== '' ? [`${to.currency}:${to.key}`] : []);

function frozen(holder: Holder | undefined, now: Date): Problem | undefined {
  if (holder?.isAltered) return new Problem('record_altered');
  const { until } = holder?.freeze ?? {};
  return until && until > now ? new Problem('withdrawals_frozen', { params: { until: until.toISOString() } }) : undefined;
}

/** Returns the problem of a wallet that owes money, however little. Money that comes into the wallet settles the debt. */
const owing = (unit: string, owed: bigint): Problem | undefined =>
  owed > 0n ? new Problem('debt_open', { params: owedSum({ unit, parts: owed }) }) : undefined;

async function offList(
  db: Statements,
  { holder, to, field }: Pick<Leaving, 'holder' | 'to' | 'field'>,
  list: ListState | undefined,
  now: Date,
): Promise<Problem | undefined> {
  if (to === undefined || !list?.isOn) return undefined;
  // A voucher may go to anybody, so it can't be on the list.
  if (to.key === '') return fieldProblem(field, 'voucher_not_listed');
  const listed = await addressOf(db, holder.id, to);
  if (!listed) return fieldProblem(field, 'address_not_listed');
  return listed.usableAt > now ? fieldProblem(field, 'address_too_new', { until: listed.usableAt.toISOString() }) : undefined;
}
