// What somebody who is signed in shows once more before something of weight: an authenticator's code where the account has
// a second factor, else a code that was mailed for this very purpose.

import { Problem } from '@kurs/contract';
import type { Db, Sealer, Tx } from '../../platform/index.ts';
import { type Confirming, proveSession, sessionOf } from './asker.ts';
import { type CodeFor, spendCode, tryCode } from './codes.ts';
import { isSecondFactorOn, lockHolder, spendFactor, tryFactor } from './second-factor.ts';

/** What is confirmed: its purpose, and where it matters the very thing, by an id. */
export interface StepUpFor {
  readonly purpose: string;
  readonly about?: string | undefined;
}

/** A step-up that was right when it was tried; it holds once it is spent in the transaction of what it confirms. */
export interface SteppedUp {
  /** Throws `two_factor_wrong`, `code_expired`, or `two_factor_required` where a second factor was switched on meanwhile. */
  spend(tx: Tx): Promise<void>;
}

/**
 * A mailed code is good for one account, one purpose and one thing, in the session that asked for it: anyone who has
 * another one open gets nothing by a code that the holder was made to read out.
 */
export const stepUpCode = ({ id, sessionId }: Confirming, { purpose, about }: StepUpFor): CodeFor => ({
  purpose,
  subject: [id, sessionId, ...(about === undefined ? [] : [about])].join(' '),
});

/**
 * Asks for the second factor of an account that has one; where there is none nothing more is asked. For what is confirmed by
 * something else already. `whose`: the counter of wrong codes. Throws `two_factor_required` and `two_factor_wrong`.
 */
export async function stepUpByFactor(
  deps: { db: Db; sealer: Sealer },
  { holderId, whose }: { readonly holderId: string; readonly whose: string },
  two_factor_code: string | undefined,
): Promise<SteppedUp> {
  if (await isSecondFactorOn(deps.db, holderId)) return byFactor(deps, { holderId, whose }, two_factor_code);
  return { spend: (tx) => requireNoFactor(tx, holderId) };
}

async function requireNoFactor(tx: Tx, holderId: string): Promise<void> {
  await lockHolder(tx, holderId);
  if (await isSecondFactorOn(tx, holderId)) throw new Problem('two_factor_required');
}

/**
 * Asks an account holder once more. A recovery code confirms nothing: it freezes what this is for. Tries are counted in
 * transactions of their own, so call this before the transaction and `spend` in it. Throws `two_factor_required` and
 * `two_factor_wrong` with a second factor; `code_required`, `code_wrong` and `code_expired` without; `rate_limited`.
 */
export async function stepUp(
  deps: { db: Db; sealer: Sealer },
  who: Confirming,
  { two_factor_code, otp }: { two_factor_code?: string | undefined; otp?: string | undefined },
  what: StepUpFor,
): Promise<SteppedUp> {
  if (await isSecondFactorOn(deps.db, who.id))
    return byFactor(deps, { holderId: who.id, whose: sessionOf(who) }, two_factor_code);
  const code = stepUpCode(who, what);
  await tryCode(deps.db, code, otp);
  return {
    async spend(tx) {
      await requireNoFactor(tx, who.id);
      await spendCode(tx, code);
      await proveSession(tx, who.sessionId);
    },
  };
}

async function byFactor(
  { db, sealer }: { db: Db; sealer: Sealer },
  { holderId, whose }: { readonly holderId: string; readonly whose: string },
  two_factor_code: string | undefined,
): Promise<SteppedUp> {
  if (two_factor_code === undefined) throw new Problem('two_factor_required');
  const factor = await tryFactor(db, sealer, holderId, { code: two_factor_code, whose });
  if (factor.by === 'recovery') throw new Problem('two_factor_wrong');
  return { spend: (tx) => spendFactor(tx, holderId, factor) };
}
