// Bindings of the calls by which an account holder changes the account.

import type { Output, Routes } from '@kurs/contract';
import { CODE } from './codes.ts';
import { changeEmail, mailChangeCodes } from './email-change.ts';
import { type AuthDeps, holderOf } from './room.ts';
import { showUser } from './shown-user.ts';
import type { Context, Work } from '../platform/index.ts';

type Names = 'emailChangeGetOtp' | 'emailChange';

/** The calls that change an account by their names in the contract. */
export function accountRoutes(deps: AuthDeps): { [N in Names]: Work<Routes[N]> } {
  const { db, levelOf } = deps;
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
  };
}
