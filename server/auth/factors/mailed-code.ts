// Codes that are mailed to anyone who names an address, whether it has an account or not.

import { type Fraction, fraction } from '@kurs/money';
import type { Context, Db, Tx } from '../../platform/index.ts';
import { canonicalEmail } from '../../platform/index.ts';
import { CODE, type CodeFor, handleOf, makeCode, tryCode, unusedCodes } from './codes.ts';
import { emailKey } from '../accounts/holder.ts';
import { holderByEmail } from '../accounts/store.ts';
import { queueCode } from '../accounts/letters.ts';
import { larger, pressureOf } from './pressure.ts';

/**
 * Codes of one asker (a session, an order, a Google account) that may be waiting for their first right use, of an hour: each
 * has five tries.
 */
export const CODES_OF_ASKER = 5;
/**
 * Codes of an address that strangers may have asked for before the bot check grows, and where it is at its most; beside it
 * what a network asks for in an hour, at each step of the growth.
 */
const GROWTH = { free: 3, most: 20, network: { steps: [20, 40, 80, 160], seconds: 3_600 } };
const LETTER = { sign_up: 'sign_in', password_reset: 'password_reset' } as const;

/**
 * Proves a bot check, outside of any transaction, and gives what spends it inside one; throws `bot_check_required`,
 * `bot_check_failed` or `bot_check_unavailable`. `pressure`: which share of all work is asked (0 to 1). Rooms above know how.
 */
export type ProveBot = (token: string | undefined, by: { ip: string; pressure?: Fraction }) => Promise<(tx: Tx) => Promise<void>>;

/**
 * Mails a code for an address, good in the browser that asks: it gives back the handle that it was given. Neither the answer nor
 * the time it takes tells whether the address has an account. Nothing is mailed for an account whose row was changed past the
 * product. Strangers never use up what its
 * owner may ask for: the more was asked for, the more work each further code costs. Throws as `proveBot` does, and
 * `rate_limited` within a minute of the same browser's last.
 */
export async function mailCode(
  { db, name, proveBot }: { db: Db; name: string; proveBot: ProveBot },
  asked: {
    purpose: keyof typeof LETTER;
    email: string;
    bot_token?: string | undefined;
    handle?: string | undefined;
    /** Whose the newcomer's referral code is, is looked up as the account is made. */
    referral_code?: string | undefined;
  },
  { limitNetwork, locale, ip }: Context,
): Promise<{ handle: string; expires_in: number; resend_in: number }> {
  const { purpose, email, bot_token, referral_code } = asked;
  const countedAs = `address ${canonicalEmail(email)}`;
  const ofNetwork = await pressureOf(limitNetwork, 'code', GROWTH.network);
  const ofAddress = shareOf(await unusedCodes(db, countedAs, await db.now()));
  const spendBot = await proveBot(bot_token, { ip, pressure: larger(ofNetwork.share, ofAddress) });
  const what: CodeFor = { purpose, subject: emailKey(email) };
  const handle = await handleOf(db, what, asked.handle);
  // For every address alike, so that neither the answer nor its time says whether there is an account.
  const isAltered = (await holderByEmail(db, email))?.isAltered === true;
  await db.tx(async (tx) => {
    await spendBot(tx);
    const code = await makeCode(tx, { ...what, handle }, { countedAs, referralCode: referral_code });
    if (!isAltered) queueCode(tx, LETTER[purpose], { to: email, locale, name, code, ip });
  });
  return { handle, expires_in: CODE.seconds, resend_in: CODE.resendSeconds };
}

/**
 * Tries the code that was mailed to an address, in the browser that asked for it, and gives what it is to be spent as. Throws
 * as `tryCode` does.
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
  fraction(BigInt(Math.min(Math.max(0, codes - GROWTH.free), GROWTH.most)), BigInt(GROWTH.most));
