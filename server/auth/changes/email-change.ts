// Another address for an account: its mailbox and the account's owner are shown, both addresses are told, and no money leaves
// for some days. Whether somebody else has the new address is told to nobody but that somebody, by letter.

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

/** The step-up confirms this very address and no other. */
const changeTo = (email: string): StepUpFor => ({
  purpose: 'change_email',
  about: createHash('sha256').update(emailKey(email)).digest('hex').slice(0, 32),
});
const mailboxCode = ({ id, sessionId }: Confirming, email: string): CodeFor => ({
  purpose: 'new_email',
  subject: `${id} ${sessionId} ${emailKey(email)}`,
});

/**
 * Mails a code to the new address, and to the present one where the account has no second factor. Who has the new address
 * already is mailed that somebody wanted it, in place of a code. Throws `validation` at `email` for the present address, and
 * `rate_limited`.
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
    // Each new address is mailed something: so many may be named.
    const digits = await makeCode(tx, mailboxCode(who, email), { countedAs: `new address of ${asker}`, most: CODES_OF_ASKER });
    const other = await holderByEmail(tx, email);
    if (other?.isAltered) return;
    if (other) await queueNotice(tx, 'email_asked_for', { holder: other, name, ip });
    else queueCode(tx, 'new_email', { to: email, locale, name, code: digits, ip });
    if (holder.hasSecondFactor) return;
    const confirming = await makeCode(tx, stepUpCode(who, changeTo(email)), { countedAs: asker, most: CODES_OF_ASKER });
    queueCode(tx, 'change_email', { to: holder.email, locale, name, code: confirming, email, ip });
  });
}

/**
 * Changes the address, once its mailbox and the owner were shown: all other sessions end, withdrawals freeze, codes that were
 * mailed to the old address to confirm something are void, and what is known of the customer goes along. Throws as `stepUp`
 * does, `code_wrong` and `code_expired` (at `new_otp`), and `validation` where somebody has taken the address meanwhile.
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
    const told = { name, ip: context.ip, freeze: await freeze(tx, holder.id, 'email_changed'), email, keys };
    await queueNotice(tx, 'email_left', { holder, ...told });
    await queueNotice(tx, 'email_changed', { holder: { ...holder, email }, ...told });
  };
  await db.tx(change).catch((error: unknown) => {
    throw isDuplicate(error) ? fieldProblem('email', 'email_taken') : error;
  });
}

/** The code of the new address is the wrong one. */
function asOfNewAddress(error: unknown): never {
  if (!(error instanceof Problem)) throw error;
  const { code, details } = error;
  throw new Problem(code, { ...details, errors: { new_otp: { code, ...(details.params && { params: details.params }) } } });
}
