// Withdrawal freezes. After a change such as a password reset, money can't leave the account for some days. The account's owner
// then has time to notice an intruder.

import type { Statements, Tx } from '../../platform/index.ts';
import { type FreezeReason, MARKED, type MarkedRow, changeHolder, requireHolderAsStored } from './holder-mac.ts';

/** A withdrawal freeze: the time when it ends, and its cause. */
export interface Freeze {
  readonly until: Date;
  readonly reason: FreezeReason;
}

/** Length of a freeze by its cause, in days. */
export const FREEZE_DAYS: Readonly<Record<FreezeReason, number>> = {
  password_reset: 3,
  recovery_code: 5,
  two_factor_off: 5,
  email_changed: 5,
};

const DAY_MS = 86_400_000;

/**
 * Freezes the account's withdrawals from now on. An existing freeze that ends later stays. Returns the freeze that is in force.
 * Throws `record_altered`.
 */
export async function freeze(tx: Tx, holderId: string, reason: FreezeReason): Promise<Freeze> {
  const until = new Date(tx.now.getTime() + FREEZE_DAYS[reason] * DAY_MS);
  await changeHolder(tx, holderId, ({ frozenUntil }) =>
    frozenUntil === null || frozenUntil < until ? { frozenUntil: until, frozenBecause: reason } : undefined,
  );
  const held = await freezeOf(tx, holderId, tx.now);
  if (!held) throw new Error('a freeze that was just made is missing');
  return held;
}

/** True if the account was closed or doesn't exist. */
export async function isClosed(db: Statements, holderId: string): Promise<boolean> {
  return !(await openAmong(db, [holderId])).has(holderId);
}

/** Returns those of the given ids that belong to open accounts. */
export async function openAmong(db: Statements, holderIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.rows<{ id: string }>(
    'select id from account_holder where id = any ($1::uuid[]) and closed_at is null',
    [holderIds],
    { name: 'auth.open_among' },
  );
  return new Set(rows.map(({ id }) => id));
}

/** Returns the freeze in force at the given moment; undefined if withdrawals are not frozen. Throws `record_altered`. */
export async function freezeOf(db: Statements, holderId: string, now: Date): Promise<Freeze | undefined> {
  const row = await db.row<MarkedRow>(`select ${MARKED} from account_holder h where h.id = $1`, [holderId], {
    name: 'auth.freeze',
  });
  if (row) requireHolderAsStored(row);
  const { frozenUntil: until, frozenBecause: reason } = row ?? {};
  return until && reason && until > now ? { until, reason } : undefined;
}
