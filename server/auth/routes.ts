// Handlers of this room's calls.

import { type Routes, fieldProblem } from '@kurs/contract';
import { type Context, type Work, userOf } from '../platform/index.ts';
import { accountRoutes } from './account-routes.ts';
import { apiKeyRoutes } from './api-key-routes.ts';
import { spendCode } from './factors/codes.ts';
import { googleRoutes } from './google-routes.ts';
import { beginSession } from './sign-in/begin-session.ts';
import { mailCode, tryMailedCode } from './factors/mailed-code.ts';
import { checkPassword, hashPassword } from './factors/password.ts';
import { passwordRoutes } from './password-routes.ts';
import { securityRoutes } from './security-routes.ts';
import { type AuthDeps, holderOf } from './sign-in/room.ts';
import { showUser } from './sign-in/shown-user.ts';
import { authorise } from './sign-in/sign-in.ts';
import { endSession, holderByEmail, holderWithMailbox, resetPassword } from './accounts/store.ts';

type AuthCall = 'signUpGetOtp' | 'signUpConfirm' | 'userInfo' | 'logout' | 'logoutByGet';

/** Returns the handlers of the room's calls, by their names in the contract. */
export function authRoutes(
  deps: AuthDeps,
): { [N in AuthCall]: Work<Routes[N]> } & ReturnType<typeof passwordRoutes> &
  ReturnType<typeof securityRoutes> &
  ReturnType<typeof accountRoutes> &
  ReturnType<typeof apiKeyRoutes> &
  ReturnType<typeof googleRoutes> {
  const { db, levelOf, signedUp } = deps;
  const endOwn = async (_input: object, context: Context): Promise<undefined> => {
    await endSession(db, userOf(context).sessionId, await db.now());
    return undefined;
  };
  return {
    ...passwordRoutes(deps),
    ...securityRoutes(deps),
    ...accountRoutes(deps),
    ...apiKeyRoutes(deps),
    ...googleRoutes(deps),
    signUpGetOtp: (input, context) => mailCode(deps, { purpose: 'sign_up', ...input }, context),
    async signUpConfirm({ email, otp, handle, password, two_factor_code }, context) {
      if (password !== undefined) checkPassword(password, email);
      const code = await tryMailedCode(db, { purpose: 'sign_up', email, otp, handle });
      const leave = await authorise(
        deps,
        { by: 'mailbox', holder: await holderByEmail(db, email) },
        two_factor_code,
        context.browser,
      );
      const stored = password === undefined ? undefined : await hashPassword(password);
      return db.tx(async (tx) => {
        const referralCode = await spendCode(tx, code);
        const { holder, isNew } = await holderWithMailbox(tx, email, { locale: context.locale, referralCode, signedUp });
        // An existing account keeps its password: a code for signing in can't reset it.
        if (stored !== undefined && !isNew) throw fieldProblem('password', 'password_account_exists');
        if (stored !== undefined) await resetPassword(tx, holder.id, stored);
        return beginSession(tx, deps, { leave, holder }, context);
      });
    },
    async userInfo(_input, context) {
      return showUser(db, await holderOf(deps, context), { levelOf, now: await db.now() });
    },
    logout: endOwn,
    logoutByGet: endOwn,
  };
}
