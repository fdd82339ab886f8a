// Codes that are mailed to whoever names an address, whether it has an account or not.

import type { Context, Db, Tx } from '../platform/index.ts';
import { canonicalEmail } from '../platform/index.ts';
import { CODE, type CodeFor, makeCode, tryCode } from './codes.ts';
import { emailKey } from './holder.ts';
import { type CodeLetter, queueCode } from './letters.ts';

const HOUR = 3_600;
/** Codes that are sent, to an address and to a network; how often one may ask, and try, at all. */
export const CODES = {
  ofAddress: { most: 5, seconds: HOUR },
  ofNetwork: { most: 20, seconds: HOUR },
  tries: { most: 30, seconds: HOUR },
};
const LETTER = { sign_up: 'sign_in', password_reset: 'password_reset' } as const satisfies Record<string, CodeLetter>;

/**
 * Proves a bot check, outside of any transaction, and gives what spends it inside one; throws `bot_check_required`,
 * `bot_check_failed` or `bot_check_unavailable`. Rooms above know how.
 */
export type ProveBot = (token: string | undefined, by: { ip: string }) => Promise<(tx: Tx) => Promise<void>>;

/** Counts a code that is about to be mailed, to whom and for whom. Throws `rate_limited`. */
export function countCode({ limit, limitNetwork }: Pick<Context, 'limit' | 'limitNetwork'>, email: string): void {
  limitNetwork('code', CODES.ofNetwork);
  limit(`code ${canonicalEmail(email)}`, CODES.ofAddress);
}

/**
 * Mails a code for an address. Nothing here looks whether it has an account: neither the answer nor the time it takes can
 * tell. Throws as `proveBot` does, and `rate_limited`.
 */
export async function mailCode(
  { db, name, proveBot }: { db: Db; name: string; proveBot: ProveBot },
  asked: {
    purpose: keyof typeof LETTER;
    email: string;
    bot_token?: string | undefined;
    /** Whose the newcomer's referral code is, is looked up as the account is made. */
    referral_code?: string | undefined;
  },
  { limit, limitNetwork, locale, ip }: Context,
): Promise<{ expires_in: number; resend_in: number }> {
  const { purpose, email, bot_token, referral_code } = asked;
  const spendBot = await proveBot(bot_token, { ip });
  await db.tx(async (tx) => {
    await spendBot(tx);
    const code = await makeCode(tx, { purpose, subject: emailKey(email) }, referral_code);
    countCode({ limit, limitNetwork }, email);
    await queueCode(tx, LETTER[purpose], { to: email, locale, name, code });
  });
  return { expires_in: CODE.seconds, resend_in: CODE.resendSeconds };
}

/** Tries the code that was mailed to an address, and gives what it is to be spent as. Throws as `tryCode` does. */
export async function tryMailedCode(
  db: Db,
  { purpose, email, otp }: { purpose: keyof typeof LETTER; email: string; otp: string },
  { limit, limitNetwork }: Context,
): Promise<CodeFor> {
  limitNetwork('code tried', CODES.tries);
  limit(`code tried ${emailKey(email)}`, CODES.tries);
  const code = { purpose, subject: emailKey(email) };
  await tryCode(db, code, otp);
  return code;
}
