// Obstacles to money leaving a wallet that no step-up removes: a freeze, a debt or one about to be recorded, a block, the
// allow-list.

import { Problem, fieldProblem } from '@kurs/contract';
import { type Holder, holdersById } from '../auth/index.ts';
import { type Subject, customerOf, owedSum, shownOf, stopsOf } from '../compliance/index.ts';
import { accounts, balances } from '../ledger/index.ts';
import { openFindsOf, undeliveredDebts } from '../payments/index.ts';
import type { Statements } from '../platform/index.ts';
import { type ListState, addressOf, listsOf } from './store.ts';

/** A request to move money: its holder, wallet and target. */
export interface Leaving {
  /** The e-mail may be absent if no decision depends on it. */
  readonly holder: { readonly id: string; readonly email?: string };
  /** Unit of the wallet that the money leaves. */
  readonly unit: string;
  /** A currency and the key of a checked account in it; `wallet` and a holder's id for another holder's wallet. */
  readonly to: { readonly currency: string; readonly key: string } | undefined;
  /** Name of the input field for the target, for validation problems. */
  readonly field: string;
  readonly device?: string | undefined;
  readonly ip?: string | undefined;
}

/** For each request the first obstacle, or undefined; and the subject, for further checks. */
export interface Obstacles {
  readonly problems: readonly (Problem | undefined)[];
  readonly subjects: readonly Subject[];
}

/**
 * Finds the first obstacle of each request:
 * - `record_altered` if the holder's row was changed by SQL
 * - `withdrawals_frozen`
 * - `debt_open` while the wallet owes for a deposit that was taken back
 * - `debt_stops` while the holder owes anything else
 * - `blocked` while people have blocked the holder
 * - `reversal_pending` while a debt of the holder is about to be recorded
 * - `validation` on the field for an address that is not on the allow-list or too new there
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
  // Blocks apply to the receiving address, too.
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
 * Returns holders with a debt about to be recorded: a payment was taken back, or a payout turned up whose money was returned to
 * them, and the event that records the debt is not yet handled. Their money must not move until it is. `undelivered`: those debts, if
 * already read.
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

/** Checks only the freeze and the allow-list, as `obstaclesTo` does: for money that has already left its wallet. */
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

/** A debt in a unit is settled by money that comes into its wallet; until then nothing leaves it, however small the debt. */
const owing = (unit: string, owed: bigint): Problem | undefined =>
  owed > 0n ? new Problem('debt_open', { params: owedSum({ unit, parts: owed }) }) : undefined;

async function offList(
  db: Statements,
  { holder, to, field }: Pick<Leaving, 'holder' | 'to' | 'field'>,
  list: ListState | undefined,
  now: Date,
): Promise<Problem | undefined> {
  if (to === undefined || !list?.isOn) return undefined;
  // A voucher has no known recipient.
  if (to.key === '') return fieldProblem(field, 'voucher_not_listed');
  const listed = await addressOf(db, holder.id, to);
  if (!listed) return fieldProblem(field, 'address_not_listed');
  return listed.usableAt > now ? fieldProblem(field, 'address_too_new', { until: listed.usableAt.toISOString() }) : undefined;
}
