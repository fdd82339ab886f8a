// Handlers of the calls about passwords.

import { type Routes, fieldProblem } from '@kurs/contract';
import { type Work, userOf } from '../platform/index.ts';
import { spendCode } from './factors/codes.ts';
import { freeze } from './accounts/freeze.ts';
import { unlinkGoogle } from './google/google-store.ts';
import { queueNotice } from './accounts/letters.ts';
import { countTry, holderByPassword } from './sign-in/log-in.ts';
import { mailCode, tryMailedCode } from './factors/mailed-code.ts';
import { checkPassword, hashPassword } from './factors/password.ts';
import { requireRecent } from './factors/recent-confirmation.ts';
import { requirePassword } from './factors/own-password.ts';
import { type AuthDeps, holderOf } from './sign-in/room.ts';
import { beginSession } from './sign-in/begin-session.ts';
import { namedKeys, namedKeysMadeBy, revokeAllKeys } from './api-keys.ts';
import { authorise } from './sign-in/sign-in.ts';
import {
  endOtherSessions,
  holderByEmail,
  holderWithMailbox,
  storePassword,
  storedHash,
  resetPassword,
} from './accounts/store.ts';

type PasswordCall = 'login' | 'forgotPasswordGetOtp' | 'forgotPasswordConfirm' | 'changePassword';

/** Returns the handlers of the calls about passwords, by their names in the contract. */
export function passwordRoutes(deps: AuthDeps): { [N in PasswordCall]: Work<Routes[N]> } {
  const { db, name, proveBot, signedUp } = deps;
  return {
    async login({ email, password, two_factor_code, bot_token }, context) {
      const tried = await countTry(context, email);
      if (tried.share.numerator > 0n) await db.tx(await proveBot(bot_token, { ip: context.ip, pressure: tried.share }));
      const known = await holderByPassword(db, email, password);
      await tried.undo();
      const leave = await authorise(deps, { by: 'password', ...known }, two_factor_code, context.browser);
      return db.tx((tx) => beginSession(tx, deps, { leave, holder: known.holder }, context));
    },
    forgotPasswordGetOtp: (input, context) => mailCode(deps, { purpose: 'password_reset', ...input }, context),
    async forgotPasswordConfirm({ email, otp, handle, password, two_factor_code }, context) {
      checkPassword(password, email);
      const code = await tryMailedCode(db, { purpose: 'password_reset', email, otp, handle });
      const leave = await authorise(
        deps,
        { by: 'mailbox', holder: await holderByEmail(db, email) },
        two_factor_code,
        context.browser,
      );
      const stored = await hashPassword(password);
      return db.tx(async (tx) => {
        const referralCode = await spendCode(tx, code);
        const { holder, isNew } = await holderWithMailbox(tx, email, { locale: context.locale, referralCode, signedUp });
        await resetPassword(tx, holder.id, stored);
        if (!isNew) {
          await endOtherSessions(tx, holder.id);
          // An intruder may have linked a Google account or made API keys.
          await unlinkGoogle(tx, holder.id);
          await revokeAllKeys(tx, holder.id);
          const held = await freeze(tx, holder.id, 'password_reset');
          const storeKeys = await namedKeysMadeBy(tx, holder.id);
          await queueNotice(tx, 'password_was_reset', { holder, name, ip: context.ip, freeze: held, storeKeys });
        }
        return beginSession(tx, deps, { leave, holder }, context);
      });
    },
    async changePassword({ current_password, password, otp }, context) {
      const { id, sessionId } = userOf(context);
      const holder = await holderOf(deps, context);
      checkPassword(password, holder.email);
      const was = await storedHash(db, id);
      if (was !== undefined) {
        await requirePassword(current_password, { stored: was, field: 'current_password' }, context);
      }
      const spendShown = was === undefined ? await requireRecent(db, id, { otp }, 'password', context) : undefined;
      const stored = await hashPassword(password);
      await db.tx(async (tx) => {
        // The password was changed meanwhile, so the entered password is no longer the current one.
        if (!(await storePassword(tx, id, { was, stored }))) throw fieldProblem('current_password', 'password_wrong');
        await spendShown?.(tx);
        await endOtherSessions(tx, id, sessionId);
        const notice = was === undefined ? 'password_set' : 'password_changed';
        await queueNotice(tx, notice, { holder, name, ip: context.ip, keys: await namedKeys(tx, id) });
      });
    },
  };
}
