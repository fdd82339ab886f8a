// Codes that are mailed to an entered e-mail address, with or without an account.

import { type Fraction, fraction } from '@kurs/money';
import type { Context, Db, Tx } from '../../platform/index.ts';
import { canonicalEmail } from '../../platform/index.ts';
import { CODE, type CodeFor, handleOf, makeCode, tryCode, unusedCodes } from './codes.ts';
import { emailKey } from '../accounts/holder.ts';
import { holderByEmail } from '../accounts/store.ts';
import { queueCode } from '../accounts/letters.ts';
import { larger, pressureOf } from './pressure.ts';

/** Maximum number of unused codes that a session, order or Google account may request in an hour. Each code has five tries. */
export const CODES_OF_ASKER = 5;
/**
 * Growth of the bot check's work with the number of codes that were requested for an address in the last hour and not used.
 * `free`: number of codes without additional work; `max`: number of further codes until the work is highest. `network`: growth
 * with the number of requests of a network.
 */
const GROWTH = { free: 3, max: 20, network: { steps: [20, 40, 80, 160], seconds: 3_600 } };
const LETTER = { sign_up: 'sign_in', password_reset: 'password_reset' } as const;

/**
 * Verifies the solution of a bot check. Call it outside any transaction. Returns a function that marks the solution as used, to
 * be called in the transaction of the request. `pressure`: share of the maximum work to require, 0 to 1. Throws
 * `bot_check_required`, `bot_check_failed` or `bot_check_unavailable`. A higher room implements this function.
 */
export type ProveBot = (token: string | undefined, by: { ip: string; pressure?: Fraction }) => Promise<(tx: Tx) => Promise<void>>;

/**
 * Mails a code to an e-mail address. The code is valid only in the browser that requested it. Returns the browser's handle.
 *
 * Neither the content nor the time of the answer reveals if the address has an account. Nothing is mailed for an account whose
 * row was changed outside the product. Requests by strangers never block the owner's requests; they only raise the work of the
 * next bot check. Throws the errors of `proveBot`, and `rate_limited` within a minute of the same browser's previous code.
 */
export async function mailCode(
  { db, name, proveBot }: { db: Db; name: string; proveBot: ProveBot },
  request: {
    purpose: keyof typeof LETTER;
    email: string;
    bot_token?: string | undefined;
    handle?: string | undefined;
    /** Referral code, which is used if the code opens an account. */
    referral_code?: string | undefined;
  },
  { limitNetwork, locale, ip }: Context,
): Promise<{ handle: string; expires_in: number; resend_in: number }> {
  const { purpose, email, bot_token, referral_code } = request;
  const countedAs = `address ${canonicalEmail(email)}`;
  const ofNetwork = await pressureOf(limitNetwork, 'code', GROWTH.network);
  const ofAddress = shareOf(await unusedCodes(db, countedAs, await db.now()));
  const spendBot = await proveBot(bot_token, { ip, pressure: larger(ofNetwork.share, ofAddress) });
  const what: CodeFor = { purpose, subject: emailKey(email) };
  const handle = await handleOf(db, what, request.handle);
  // The account is queried for every address, so that the time of the answer reveals nothing.
  const isAltered = (await holderByEmail(db, email))?.isAltered === true;
  await db.tx(async (tx) => {
    await spendBot(tx);
    const code = await makeCode(tx, { ...what, handle }, { countedAs, referralCode: referral_code });
    if (!isAltered) queueCode(tx, LETTER[purpose], { to: email, locale, name, code, ip });
  });
  return { handle, expires_in: CODE.seconds, resend_in: CODE.resendSeconds };
}

/**
 * Checks a code that was mailed to an e-mail address, in the browser that requested it. Returns the code to pass to `spendCode`.
 * Throws the errors of `tryCode`.
 */
export async function tryMailedCode(
  db: Db,
  { purpose, email, handle, otp }: { purpose: keyof typeof LETTER; email: string; handle: string; otp: string },
): Promise<CodeFor> {
  const code = { purpose, subject: emailKey(email), handle };
  await tryCode(db, code, otp);
  return code;
}

const shareOf = (codes: number): Fraction =>
  fraction(BigInt(Math.min(Math.max(0, codes - GROWTH.free), GROWTH.max)), BigInt(GROWTH.max));
