// Handlers of the calls with which account holders change their accounts.

import type { Output, Routes } from '@kurs/contract';
import { sessionOf } from './factors/asker.ts';
import { askToClose, keepOpen } from './changes/closing.ts';
import { CODE } from './factors/codes.ts';
import { changeEmail, mailChangeCodes } from './changes/email-change.ts';
import { queueNotice } from './accounts/letters.ts';
import { dropAvatar, updateProfile } from './accounts/profile.ts';
import { type AuthDeps, holderOf } from './sign-in/room.ts';
import { renewRecoveryCodes } from './factors/second-factor.ts';
import { showUser } from './sign-in/shown-user.ts';
import { type Context, type Work, userOf } from '../platform/index.ts';

type AccountCall =
  | 'emailChangeGetOtp'
  | 'emailChange'
  | 'profileUpdate'
  | 'avatarRemove'
  | 'recoveryCodes'
  | 'userClose'
  | 'userCloseCancel';

/** Returns the handlers of the calls that change an account, by their names in the contract. */
export function accountRoutes(deps: AuthDeps): { [N in AccountCall]: Work<Routes[N]> } {
  const { db, name, sealer, levelOf } = deps;
  const shown = async (context: Context): Promise<Output<Routes['userInfo']>> =>
    showUser(db, await holderOf(deps, context), { levelOf, now: await db.now() });
  return {
    async emailChangeGetOtp({ email }, context) {
      await mailChangeCodes(deps, await holderOf(deps, context), email, context);
      return { expires_in: CODE.seconds, resend_in: CODE.resendSeconds };
    },
    async emailChange(input, context) {
      await changeEmail(deps, await holderOf(deps, context), input, context);
      return shown(context);
    },
    async profileUpdate({ name: called, locale, timezone, notifications }, context) {
      const hasProgressLetters = notifications?.order_progress;
      await updateProfile(db, userOf(context).id, { name: called, locale, timezone, hasProgressLetters });
      return shown(context);
    },
    async avatarRemove(_input, context) {
      await dropAvatar(db, userOf(context).id);
      return shown(context);
    },
    async recoveryCodes({ two_factor_code }, context) {
      const holder = await holderOf(deps, context);
      const { codes, renew } = await renewRecoveryCodes(db, sealer, holder.id, {
        code: two_factor_code,
        whose: sessionOf(userOf(context)),
      });
      await db.tx(async (tx) => {
        await renew(tx);
        await queueNotice(tx, 'recovery_renewed', { holder, name, ip: context.ip });
      });
      return { recovery_codes: codes };
    },
    async userClose(input, context) {
      await askToClose(deps, await holderOf(deps, context), input, context);
      return shown(context);
    },
    async userCloseCancel(_input, context) {
      await keepOpen(deps, await holderOf(deps, context), context);
      return shown(context);
    },
  };
}
