// Closing an account: asked for with a step-up, carried out two weeks later unless its holder calls it off. Nothing that is
// theirs may be left in it. What speaks of them is dropped then; the row stays, so that the books keep naming somebody.

import { Problem } from '@kurs/contract';
import { mail } from '../../deliveries/index.ts';
import { type Context, type Db, type Tx, log, userOf } from '../../platform/index.ts';
import { type Holder, emailKey } from '../accounts/holder.ts';
import type { Forget, Leaving, WhatIsLeft } from '../accounts/leaving.ts';
import { queueNotice } from '../accounts/letters.ts';
import type { AuthDeps } from '../sign-in/room.ts';
import { spendStep, stepUp } from '../factors/step-up.ts';
import { closeHolder, endOtherSessions, holderById, setClosing } from '../accounts/store.ts';

/** Days between the asking and the closing. */
export const CLOSING_DAYS = 14;
const DAY_MS = 86_400_000;
/** Accounts that are closed in one look. */
const AT_ONCE = 50;

const leavingOf = ({ id, email, emailVerifiedAt }: Holder): Leaving => ({
  id,
  mailbox: emailVerifiedAt === undefined ? undefined : emailKey(email),
});

/**
 * Begins the two weeks after which an account is closed: other sessions end, and its holder is told how to call it off.
 * Throws as `stepUp`, and what is in the way as a problem.
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

/** Calls a closing off; nothing happens where none was begun. */
export async function keepOpen({ db, name }: Pick<AuthDeps, 'db' | 'name'>, holder: Holder, { ip }: Context): Promise<void> {
  await db.tx(async (tx) => {
    if (await setClosing(tx, holder.id, undefined)) await queueNotice(tx, 'closing_called_off', { holder, name, ip });
  });
}

/**
 * Closes the accounts whose two weeks are over. One that something came into meanwhile stays open, and its holder is told.
 * One whose row was changed past the product stays, too. Gives how many were closed.
 */
export async function closeDue(
  db: Db,
  { name, whatIsLeft, forget }: { name: string; whatIsLeft: WhatIsLeft; forget: Forget },
): Promise<number> {
  const now = await db.now();
  const due = await db.rows<{ id: string }>('select id from account_holder where closing_at <= $1 order by closing_at limit $2', [
    now,
    AT_ONCE,
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
  // What would come into the account meanwhile waits, or is seen.
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
