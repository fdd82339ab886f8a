// Codes mailed to any address that is entered, with or without an account.

import { type Fraction, fraction } from '@kurs/money';
import type { Context, Db, Tx } from '../../platform/index.ts';
import { canonicalEmail } from '../../platform/index.ts';
import { CODE, type CodeFor, handleOf, makeCode, tryCode, unusedCodes } from './codes.ts';
import { emailKey } from '../accounts/holder.ts';
import { holderByEmail } from '../accounts/store.ts';
import { queueCode } from '../accounts/letters.ts';
import { larger, pressureOf } from './pressure.ts';

/** Maximum number of unused codes in an hour that one session, order or Google account may request. Each has five tries. */
export const CODES_OF_ASKER = 5;
/**
 * Codes of an address that anybody may request before the bot check gets harder (`free`), and the number at which it is hardest
 * (`max`). `network` does the same by the requests of a network in an hour.
 */
const GROWTH = { free: 3, max: 20, network: { steps: [20, 40, 80, 160], seconds: 3_600 } };
const LETTER = { sign_up: 'sign_in', password_reset: 'password_reset' } as const;

/**
 * Verifies a bot check outside any transaction, and returns a function that spends it inside one. `pressure` is the share of the
 * maximum work to demand, 0 to 1. Throws `bot_check_required`, `bot_check_failed` or `bot_check_unavailable`. Rooms above
 * implement it.
 */
export type ProveBot = (token: string | undefined, by: { ip: string; pressure?: Fraction }) => Promise<(tx: Tx) => Promise<void>>;

/**
 * Mails a code to an address, valid in the requesting browser only. Returns the browser's handle. Neither the answer nor its
 * timing reveals whether the address has an account. Nothing is mailed for an account whose row was changed outside the product.
 * Requests by strangers don't use up the owner's: each one only raises the work of the next bot check. Throws as `proveBot`, and
 * `rate_limited` within a minute of the same browser's previous code.
 */
export async function mailCode(
  { db, name, proveBot }: { db: Db; name: string; proveBot: ProveBot },
  request: {
    purpose: keyof typeof LETTER;
    email: string;
    bot_token?: string | undefined;
    handle?: string | undefined;
    /** The referral code is looked up when the account is opened. */
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
  // Queried for every address, so that timing doesn't reveal an account.
  const isAltered = (await holderByEmail(db, email))?.isAltered === true;
  await db.tx(async (tx) => {
    await spendBot(tx);
    const code = await makeCode(tx, { ...what, handle }, { countedAs, referralCode: referral_code });
    if (!isAltered) queueCode(tx, LETTER[purpose], { to: email, locale, name, code, ip });
  });
  return { handle, expires_in: CODE.seconds, resend_in: CODE.resendSeconds };
}

/**
 * Checks the code that was mailed to an address, in the browser that requested it. Returns the code for spending. Throws as
 * `tryCode`.
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
