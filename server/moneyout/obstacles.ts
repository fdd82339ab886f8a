// What stands in the way of money that is to leave a wallet, whatever is shown for it: a freeze, what is owed or about to be, a
// block, the allow-list.

import { Problem, fieldProblem } from '@kurs/contract';
import { type Holder, holdersById } from '../auth/index.ts';
import { type Subject, customerOf, owedSum, shownOf, stopsOf } from '../compliance/index.ts';
import { accounts, balances } from '../ledger/index.ts';
import { openFindsOf, untoldDebts } from '../payments/index.ts';
import type { Statements } from '../platform/index.ts';
import { type ListState, addressOf, listsOf } from './store.ts';

/** Where somebody's money is to go, and who asks. */
export interface Leaving {
  /** Without an address where nothing is decided by it. */
  readonly holder: { readonly id: string; readonly email?: string };
  /** Of the wallet that it leaves. */
  readonly unit: string;
  /** A currency and the key of a checked account in it; `wallet` and a holder's id for another's wallet. */
  readonly to: { readonly currency: string; readonly key: string } | undefined;
  /** The input that names where to, for what is wrong with it. */
  readonly field: string;
  readonly device?: string | undefined;
  readonly ip?: string | undefined;
}

/** For each of some the first obstacle, undefined where there is none; and who asks, for what is asked of them further. */
export interface Obstacles {
  readonly problems: readonly (Problem | undefined)[];
  readonly subjects: readonly Subject[];
}

/**
 * Looks for obstacles: `record_altered` where the holder's row was changed past the product, `withdrawals_frozen`, `debt_open` while that wallet owes for a deposit that was taken back,
 * `debt_stops` while the holder owes anything else, `blocked` while people have blocked them, `reversal_pending` while they are
 * about to owe, and `validation` on the field for an address that the allow-list doesn't have or that is too new.
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
  // Nobody sends to an address that people have blocked.
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
 * Those of some holders who are about to owe: a payment of theirs was taken back, or a payout turned up whose money they have
 * back, and what counts on it is not told yet. What they have is not theirs to move until it is. `untold`: those debts, where
 * they are read already.
 */
export async function reversalsPending(
  db: Statements,
  holderIds: readonly string[],
  untold: ReturnType<typeof untoldDebts> = untoldDebts(db),
): Promise<ReadonlySet<string>> {
  const [debts, found] = await Promise.all([untold, openFindsOf(db, holderIds)]);
  const customers = new Set(debts.map(({ customer }) => customer));
  const isUntold = (id: string): boolean => customers.has(customerOf({ email: '', holder: { id } }));
  return new Set([...holderIds.filter(isUntold), ...found]);
}

/** As `obstaclesTo` of a freeze and the allow-list alone: for money that has left already. */
export async function obstacleAgain(
  db: Statements,
  one: Pick<Leaving, 'holder' | 'to' | 'field'>,
  now: Date,
): Promise<Problem | undefined> {
  const [holders, lists] = await Promise.all([holdersById(db, [one.holder.id]), listsOf(db, [one.holder.id], now)]);
  return frozen(holders.get(one.holder.id), now) ?? (await offList(db, one, lists.get(one.holder.id), now));
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

/** What is owed in a unit is settled by what comes into its wallet; until it is, nothing goes anywhere else, whatever is owed. */
const owing = (unit: string, owed: bigint): Problem | undefined =>
  owed > 0n ? new Problem('debt_open', { params: owedSum({ unit, parts: owed }) }) : undefined;

async function offList(
  db: Statements,
  { holder, to, field }: Pick<Leaving, 'holder' | 'to' | 'field'>,
  list: ListState | undefined,
  now: Date,
): Promise<Problem | undefined> {
  if (to === undefined || !list?.on) return undefined;
  // Nothing says who will have a voucher.
  if (to.key === '') return fieldProblem(field, 'voucher_not_listed');
  const listed = await addressOf(db, holder.id, to);
  if (!listed) return fieldProblem(field, 'address_not_listed');
  return listed.usableAt > now ? fieldProblem(field, 'address_too_new', { until: listed.usableAt.toISOString() }) : undefined;
}
