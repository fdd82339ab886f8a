// Closing an account. The holder requests it with a step-up. Two weeks later the account is closed, unless the holder cancels.
// The account must have no money, and no open orders or withdrawals. Closing deletes the personal data; the account's row stays
// for the books.

import { Problem } from '@kurs/contract';
import { mail } from '../../deliveries/index.ts';
import { type Context, type Db, type Tx, log, userOf } from '../../platform/index.ts';
import { type Holder, emailKey } from '../accounts/holder.ts';
import type { Forget, Leaving, WhatIsLeft } from '../accounts/leaving.ts';
import { queueNotice } from '../accounts/letters.ts';
import type { AuthDeps } from '../sign-in/room.ts';
import { spendStep, stepUp } from '../factors/step-up.ts';
import { closeHolder, endOtherSessions, holderById, setClosing } from '../accounts/store.ts';

/** Days between the request and the closing. */
export const CLOSING_DAYS = 14;
const DAY_MS = 86_400_000;
/** Maximum number of accounts that one run closes. */
const BATCH_SIZE = 50;

const leavingOf = ({ id, email, emailVerifiedAt }: Holder): Leaving => ({
  id,
  mailbox: emailVerifiedAt === undefined ? undefined : emailKey(email),
});

/**
 * Starts the two weeks before an account is closed. Ends the account's other sessions, and mails the holder instructions for
 * cancelling. Throws the problem of the obstacle if the account can't be closed, and the errors of `stepUp`.
 */
export async function askToClose(
  deps: AuthDeps,
  holder: Holder,
  given: { otp?: string | undefined; two_factor_code?: string | undefined },
  context: Context,
): Promise<void> {
  const { db, name, whatIsLeft } = deps;
  const obstacle = await whatIsLeft(db, leavingOf(holder));
  if (obstacle) throw new Problem(obstacle);
  const steppedUp = await stepUp(deps, userOf(context), given, { purpose: 'close_account' });
  await db.tx(async (tx) => {
    await spendStep(tx, steppedUp);
    const until = new Date(tx.now.getTime() + CLOSING_DAYS * DAY_MS);
    await setClosing(tx, holder.id, until);
    await endOtherSessions(tx, holder.id, userOf(context).sessionId);
    await queueNotice(tx, 'closing_begun', { holder, name, ip: context.ip, until });
  });
}

/** Cancels the closing of an account. Does nothing if no closing was requested. */
export async function keepOpen({ db, name }: Pick<AuthDeps, 'db' | 'name'>, holder: Holder, { ip }: Context): Promise<void> {
  await db.tx(async (tx) => {
    if (await setClosing(tx, holder.id, undefined)) await queueNotice(tx, 'closing_called_off', { holder, name, ip });
  });
}

/**
 * Closes the accounts whose two weeks are over. If there is now an obstacle, such as money in the account, the closing is
 * cancelled and the holder is notified. An account whose row was changed outside the product is not closed. Returns the number
 * of closed accounts.
 */
export async function closeDue(
  db: Db,
  { name, whatIsLeft, forget }: { name: string; whatIsLeft: WhatIsLeft; forget: Forget },
): Promise<number> {
  const now = await db.now();
  const due = await db.rows<{ id: string }>('select id from account_holder where closing_at <= $1 order by closing_at limit $2', [
    now,
    BATCH_SIZE,
  ]);
  let closed = 0;
  for (const { id } of due) {
    const outcome = await db.tx((tx) => closeOne(tx, id, { name, whatIsLeft, forget }));
    if (outcome) closed += 1;
  }
  if (closed > 0) log.info('accounts were closed', { closed });
  return closed;
}

async function closeOne(
  tx: Tx,
  id: string,
  { name, whatIsLeft, forget }: { name: string; whatIsLeft: WhatIsLeft; forget: Forget },
): Promise<boolean> {
  // A concurrent credit to the account either waits for this lock, or is visible to the queries below.
  await tx.run('select 1 from account_holder where id = $1 for update', [id]);
  const holder = await holderById(tx, id);
  if (!holder?.closingAt || holder.closingAt > tx.now || holder.isAltered) return false;
  const leaving = leavingOf(holder);
  if (await whatIsLeft(tx, leaving)) {
    await setClosing(tx, id, undefined);
    await queueNotice(tx, 'closing_stopped', { holder, name });
    return false;
  }
  await forget(tx, leaving);
  await mail.forget(tx, holder.email);
  await closeHolder(tx, holder);
  await queueNotice(tx, 'closed', { holder, name });
  return true;
}
