// Changing an account's e-mail address. The new mailbox and the account's owner are both verified, both addresses are notified,
// and withdrawals are frozen for some days. If the new address already has an account, the caller's answer doesn't show it:
// only the owner of that address is informed, by letter.

import { namedKeys } from '../api-keys.ts';
import { createHash } from 'node:crypto';
import { Problem, fieldProblem } from '@kurs/contract';
import { type Context, type Tx, isDuplicate, userOf } from '../../platform/index.ts';
import { type Confirming, askerOf } from '../factors/asker.ts';
import { type CodeFor, makeCode, spendCode, tryCode } from '../factors/codes.ts';
import { freeze } from '../accounts/freeze.ts';
import { type Holder, emailKey } from '../accounts/holder.ts';
import { queueCode, queueNotice } from '../accounts/letters.ts';
import { CODES_OF_ASKER } from '../factors/mailed-code.ts';
import type { AuthDeps } from '../sign-in/room.ts';
import { type StepUpFor, spendStep, stepUp, stepUpCode } from '../factors/step-up.ts';
import { endOtherSessions, forgetStepUps, holderByEmail, moveHolder } from '../accounts/store.ts';

/** Returns the step-up for a change to the new address; the proof is valid only for this address. */
const changeTo = (email: string): StepUpFor => ({
  purpose: 'change_email',
  about: createHash('sha256').update(emailKey(email)).digest('hex').slice(0, 32),
});
const mailboxCode = ({ id, sessionId }: Confirming, email: string): CodeFor => ({
  purpose: 'new_email',
  subject: `${id} ${sessionId} ${emailKey(email)}`,
});

/**
 * Mails a code to the new address. If the account has no second factor, also mails a code to the present address. If the new
 * address already has an account, its owner gets a notice instead of a code. Throws `validation` at `email` if the new address
 * equals the present address. Throws `rate_limited`.
 */
export async function mailChangeCodes(
  { db, name }: Pick<AuthDeps, 'db' | 'name'>,
  holder: Holder,
  email: string,
  context: Context,
): Promise<void> {
  const { ip } = context;
  if (emailKey(email) === emailKey(holder.email)) throw fieldProblem('email', 'email_same');
  const { locale } = holder;
  const who = userOf(context);
  await db.tx(async (tx) => {
    const asker = await askerOf(tx, who);
    // Limits the number of new addresses, since each new address gets a letter.
    const digits = await makeCode(tx, mailboxCode(who, email), { countedAs: `new address of ${asker}`, max: CODES_OF_ASKER });
    const other = await holderByEmail(tx, email);
    if (other?.isAltered) return;
    if (other) await queueNotice(tx, 'email_asked_for', { holder: other, name, ip });
    else queueCode(tx, 'new_email', { to: email, locale, name, code: digits, ip });
    if (holder.hasSecondFactor) return;
    const confirming = await makeCode(tx, stepUpCode(who, changeTo(email)), { countedAs: asker, max: CODES_OF_ASKER });
    queueCode(tx, 'change_email', { to: holder.email, locale, name, code: confirming, email, ip });
  });
}

/**
 * Changes the account's address after verifying the new mailbox and the owner. Ends all other sessions, freezes withdrawals,
 * deletes the account's codes, and moves the customer's data of other rooms to the new address. Throws the errors of `stepUp`;
 * `code_wrong` and `code_expired` at `new_otp`; `validation` if the new address has an account.
 */
export async function changeEmail(
  deps: AuthDeps,
  holder: Holder,
  given: { email: string; new_otp: string; otp?: string | undefined; two_factor_code?: string | undefined },
  context: Context,
): Promise<void> {
  const { db, name } = deps;
  const { email } = given;
  const steppedUp = await stepUp(deps, userOf(context), given, changeTo(email));
  const code = mailboxCode(userOf(context), email);
  await tryCode(db, code, given.new_otp).catch(asOfNewAddress);
  const change = async (tx: Tx): Promise<void> => {
    await spendStep(tx, steppedUp);
    await spendCode(tx, code).catch(asOfNewAddress);
    await moveHolder(tx, holder.id, email);
    await deps.moveCustomer(tx, { from: holder.email, to: email });
    await endOtherSessions(tx, holder.id, userOf(context).sessionId);
    await forgetStepUps(tx, holder.id);
    const keys = await namedKeys(tx, holder.id);
    const reported = { name, ip: context.ip, freeze: await freeze(tx, holder.id, 'email_changed'), email, keys };
    await queueNotice(tx, 'email_left', { holder, ...reported });
    await queueNotice(tx, 'email_changed', { holder: { ...holder, email }, ...reported });
  };
  await db.tx(change).catch((error: unknown) => {
    throw isDuplicate(error) ? fieldProblem('email', 'email_taken') : error;
  });
}

/** Throws a problem with the code of the new address as a problem of the field `new_otp`. */
function asOfNewAddress(error: unknown): never {
  if (!(error instanceof Problem)) throw error;
  const { code, details } = error;
  throw new Problem(code, { ...details, errors: { new_otp: { code, ...(details.params && { params: details.params }) } } });
}
