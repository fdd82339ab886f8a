// Withdrawals wait after a reset: anyone who got in by it has time to be noticed, and the owner time to act.

import type { Statements, Tx } from '../../platform/index.ts';

/** What withdrawals wait after. */
export type FreezeReason = 'password_reset' | 'recovery_code' | 'two_factor_off' | 'email_changed';

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

/** Freezes withdrawals from now on; a freeze that ends later stays. Gives the one that holds. */
export async function freeze(tx: Tx, holderId: string, reason: FreezeReason): Promise<Freeze> {
  const until = new Date(tx.now.getTime() + FREEZE_DAYS[reason] * DAY_MS);
  await tx.run(
    `update account_holder set frozen_until = $2, frozen_because = $3
     where id = $1 and (frozen_until is null or frozen_until < $2)`,
    [holderId, until, reason],
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

/** What freezes an account's withdrawals at a moment. */
export async function freezeOf(db: Statements, holderId: string, now: Date): Promise<Freeze | undefined> {
  const row = await db.row<Freeze>(
    `select frozen_until as until, frozen_because as reason from account_holder where id = $1 and frozen_until > $2`,
    [holderId, now],
    { name: 'auth.freeze' },
  );
  return row && { until: row.until, reason: row.reason };
}
