// Withdrawals wait after a reset: anyone who got in by it has time to be noticed, and the owner time to act.

import type { Statements, Tx } from '../../platform/index.ts';
import { type FreezeReason, MARKED, type MarkedRow, changeHolder, requireHolderAsKept } from './holder-mac.ts';

/** Until when no money leaves an account, and why. */
export interface Freeze {
  readonly until: Date;
  readonly reason: FreezeReason;
}

/** Days for which withdrawals wait. */
export const FREEZE_DAYS: Readonly<Record<FreezeReason, number>> = {
  password_reset: 3,
  recovery_code: 5,
  two_factor_off: 5,
  email_changed: 5,
};

const DAY_MS = 86_400_000;

/** Freezes withdrawals from now on; a freeze that ends later stays. Gives the one that holds. Throws `record_altered`. */
export async function freeze(tx: Tx, holderId: string, reason: FreezeReason): Promise<Freeze> {
  const until = new Date(tx.now.getTime() + FREEZE_DAYS[reason] * DAY_MS);
  await changeHolder(tx, holderId, ({ frozenUntil }) =>
    frozenUntil === null || frozenUntil < until ? { frozenUntil: until, frozenBecause: reason } : undefined,
  );
  const held = await freezeOf(tx, holderId, tx.now);
  if (!held) throw new Error('a freeze that was just made is missing');
  return held;
}

/** Whether an account was closed: nothing is its holder's any more. */
export async function isClosed(db: Statements, holderId: string): Promise<boolean> {
  return !(await openAmong(db, [holderId])).has(holderId);
}

/** Those of some accounts that were not closed. */
export async function openAmong(db: Statements, holderIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.rows<{ id: string }>(
    'select id from account_holder where id = any ($1::uuid[]) and closed_at is null',
    [holderIds],
    { name: 'auth.open_among' },
  );
  return new Set(rows.map(({ id }) => id));
}

/** Returns what freezes an account's withdrawals at a moment. Throws `record_altered`. */
export async function freezeOf(db: Statements, holderId: string, now: Date): Promise<Freeze | undefined> {
  const row = await db.row<MarkedRow>(`select ${MARKED} from account_holder h where h.id = $1`, [holderId], {
    name: 'auth.freeze',
  });
  if (row) requireHolderAsKept(row);
  const { frozenUntil: until, frozenBecause: reason } = row ?? {};
  return until && reason && until > now ? { until, reason } : undefined;
}
