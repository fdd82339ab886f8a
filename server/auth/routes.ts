// Bindings of the contract's calls to this room's verbs; no logic.

import { Problem, type Output, type Routes } from '@kurs/contract';
import { type Context, type Db, type Statements, type Tx, type User, type Work, canonicalEmail } from '../platform/index.ts';
import { CODE, makeCode, spendCode, tryCode } from './codes.ts';
import { type Holder, emailKey } from './holder.ts';
import { queueCode } from './letters.ts';
import { signIn } from './sign-in.ts';
import { endSession, holderById, holderWithMailbox } from './store.ts';

export interface AuthDeps {
  readonly db: Db;
  /** The desk's name, which letters are signed with. */
  readonly name: string;
  /** Takes the solution of a bot check; throws `bot_check_required` or `bot_check_failed`. Rooms above know how. */
  readonly checkBot: (tx: Tx, token: string | undefined) => Promise<void>;
  /** A customer's verification level. */
  readonly levelOf: (db: Statements, email: string) => Promise<number>;
}

type Names = 'signUpGetOtp' | 'signUpConfirm' | 'userInfo' | 'logout';

const HOUR = 3_600;
/** Codes that are sent, to an address and to a network; how often one may ask, and try, at all. */
const CODES = {
  ofAddress: { most: 5, seconds: HOUR },
  ofNetwork: { most: 20, seconds: HOUR },
  tries: { most: 30, seconds: HOUR },
};

/** Counts a code that is about to be mailed, to whom and for whom. Throws `rate_limited`. */
export function countCode({ limit, limitNetwork }: Pick<Context, 'limit' | 'limitNetwork'>, email: string): void {
  limitNetwork('code', CODES.ofNetwork);
  limit(`code ${canonicalEmail(email)}`, CODES.ofAddress);
}

/** The account holder of a call that only account holders may make. */
function userOf({ user }: Context): User {
  if (!user) throw new Problem('unauthorised');
  return user;
}

/** The room's calls by their names in the contract. */
export function authRoutes({ db, name, checkBot, levelOf }: AuthDeps): { [N in Names]: Work<Routes[N]> } {
  const shown = async (holder: Holder): Promise<Output<Routes['userInfo']>> => ({
    id: holder.id,
    email: holder.email,
    email_verified: holder.emailVerifiedAt === undefined ? 0 : 1,
    name: holder.name,
    locale: holder.locale,
    verification_level: await levelOf(db, holder.email),
    created_at: holder.createdAt.toISOString(),
  });
  return {
    // Nothing here looks whether the address has an account: neither the answer nor the time it takes can tell.
    async signUpGetOtp({ email, bot_token }, { limit, limitNetwork, locale }) {
      await db.tx(async (tx) => {
        await checkBot(tx, bot_token);
        const code = await makeCode(tx, { purpose: 'sign_up', subject: emailKey(email) });
        countCode({ limit, limitNetwork }, email);
        await queueCode(tx, { to: email, locale, name, code });
      });
      return { expires_in: CODE.seconds, resend_in: CODE.resendSeconds };
    },
    async signUpConfirm({ email, otp }, { limit, limitNetwork, locale, userAgent, ip }) {
      limitNetwork('code tried', CODES.tries);
      limit(`code tried ${emailKey(email)}`, CODES.tries);
      const code = { purpose: 'sign_up', subject: emailKey(email) } as const;
      await tryCode(db, code, otp);
      return db.tx(async (tx) => {
        await spendCode(tx, code);
        const holder = await holderWithMailbox(tx, email, locale);
        const token = await signIn(tx, holder, { device: userAgent, ip });
        return { access_token: token, user: await shown(holder) };
      });
    },
    async userInfo(_input, context) {
      const holder = await holderById(db, userOf(context).id);
      if (!holder) throw new Problem('unauthorised');
      return shown(holder);
    },
    async logout(_input, context) {
      await endSession(db, userOf(context).sessionId, await db.now());
    },
  };
}
