// Handlers of the calls about an account's security: second factor, mailed confirmations, sessions.

import { Problem, type Routes } from '@kurs/contract';
import { type Work, userOf } from '../platform/index.ts';
import { type Confirming, askerOf, proveSessions, sessionOf } from './factors/asker.ts';
import { CODE, type CodeFor, makeCode, spendCode, tryCode } from './factors/codes.ts';
import { freeze } from './accounts/freeze.ts';
import { namedKeys } from './api-keys.ts';
import { queueCode, queueNotice } from './accounts/letters.ts';
import { CODES_OF_ASKER } from './factors/mailed-code.ts';
import { requirePassword } from './factors/own-password.ts';
import { qrSvg } from './factors/qr.ts';
import { type AuthDeps, holderOf } from './sign-in/room.ts';
import { requireRecent } from './factors/recent-confirmation.ts';
import { beginSecondFactor, dropSecondFactor, enableSecondFactor, spendFactor, tryFactor } from './factors/second-factor.ts';
import { stands } from './accounts/session.ts';
import { stepUpCode } from './factors/step-up.ts';
import { endOtherSessions, endSessionOf, storedHash, openSessions, verifyEmail } from './accounts/store.ts';
import { otpauthUrl, writtenSecret } from './factors/totp.ts';

type Handlers<N extends keyof Routes> = { [K in N]: Work<Routes[K]> };
type FactorCall = 'generate2fa' | 'enable2fa' | 'disable2fa';
type ConfirmationCall = 'userEmailGetOtp' | 'userEmailVerify';
type SessionCall = 'userSessions' | 'userSessionsEnd' | 'userSessionsEndOthers';

const verifyCode = ({ id, sessionId }: Confirming): CodeFor => ({ purpose: 'verify_email', subject: `${id} ${sessionId}` });

/** Returns the handlers of the calls about an account's security, by their names in the contract. */
export function securityRoutes(deps: AuthDeps): Handlers<FactorCall | ConfirmationCall | SessionCall> {
  return { ...secondFactorRoutes(deps), ...confirmationRoutes(deps), ...sessionRoutes(deps) };
}

function secondFactorRoutes(deps: AuthDeps): Handlers<FactorCall> {
  const { db, name, sealer } = deps;
  return {
    async generate2fa(_input, context) {
      const holder = await holderOf(deps, context);
      const secret = await db.tx((tx) => beginSecondFactor(tx, sealer, holder.id));
      const url = otpauthUrl(secret, { issuer: name, account: holder.email });
      return { secret: writtenSecret(secret), otpauth_url: url, qr: qrSvg(url) };
    },
    async enable2fa({ two_factor_code, password, otp }, context) {
      const holder = await holderOf(deps, context);
      if (holder.hasSecondFactor) throw new Problem('two_factor_on');
      const spendShown = await requireRecent(db, holder.id, { password, otp }, 'two_factor', context);
      const { codes, enable } = await enableSecondFactor(db, sealer, holder.id, {
        code: two_factor_code,
        whose: sessionOf(userOf(context)),
      });
      await db.tx(async (tx) => {
        await spendShown(tx);
        await enable(tx);
        await endOtherSessions(tx, holder.id, userOf(context).sessionId);
        await queueNotice(tx, 'two_factor_on', { holder, name, ip: context.ip, keys: await namedKeys(tx, holder.id) });
      });
      return { recovery_codes: codes };
    },
    async disable2fa({ two_factor_code, password }, context) {
      const holder = await holderOf(deps, context);
      if (!holder.hasSecondFactor) throw new Problem('two_factor_off');
      const stored = await storedHash(db, holder.id);
      if (stored !== undefined) {
        await requirePassword(password, { stored, field: 'password' }, context);
      }
      const factor = await tryFactor(db, sealer, holder.id, { code: two_factor_code, whose: sessionOf(userOf(context)) });
      await db.tx(async (tx) => {
        await spendFactor(tx, holder.id, factor);
        await dropSecondFactor(tx, holder.id);
        await endOtherSessions(tx, holder.id, userOf(context).sessionId);
        const held = await freeze(tx, holder.id, 'two_factor_off');
        const keys = await namedKeys(tx, holder.id);
        await queueNotice(tx, 'two_factor_off', { holder, name, ip: context.ip, freeze: held, keys });
      });
    },
  };
}

function confirmationRoutes(deps: AuthDeps): Handlers<ConfirmationCall> {
  const { db, name } = deps;
  return {
    async userEmailGetOtp({ purpose, about }, context) {
      const holder = await holderOf(deps, context);
      await db.tx(async (tx) => {
        const who = userOf(context);
        const code = purpose === 'verify_email' ? verifyCode(who) : stepUpCode(who, { purpose, about });
        const digits = await makeCode(tx, code, { countedAs: await askerOf(tx, who), max: CODES_OF_ASKER });
        queueCode(tx, purpose, { to: holder.email, locale: holder.locale, name, code: digits, ip: context.ip });
      });
      return { expires_in: CODE.seconds, resend_in: CODE.resendSeconds };
    },
    async userEmailVerify({ otp }, context) {
      const { id, sessionId } = userOf(context);
      const code = verifyCode(userOf(context));
      await tryCode(db, code, otp);
      await db.tx(async (tx) => {
        await spendCode(tx, code);
        await proveSessions(tx, [sessionId]);
        await verifyEmail(tx, id);
      });
      return { email_verified: 1 as const };
    },
  };
}

function sessionRoutes({ db }: AuthDeps): Handlers<SessionCall> {
  return {
    async userSessions(_input, context) {
      const { id, sessionId } = userOf(context);
      const now = await db.now();
      const sessions = (await openSessions(db, id)).filter((session) => stands(session, now));
      return sessions.map((session) => ({
        id: session.id,
        device: session.device,
        ip: session.ip,
        created_at: session.createdAt.toISOString(),
        seen_at: session.seenAt.toISOString(),
        current: session.id === sessionId,
      }));
    },
    async userSessionsEnd({ id }, context) {
      if (!(await endSessionOf(db, userOf(context).id, id, await db.now()))) throw new Problem('not_found');
    },
    async userSessionsEndOthers(_input, context) {
      const { id, sessionId } = userOf(context);
      await db.tx((tx) => endOtherSessions(tx, id, sessionId));
    },
  };
}
