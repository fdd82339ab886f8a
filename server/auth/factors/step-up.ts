// Step-up: another proof by a signed-in account holder before an important action. The proof is a code of the authenticator if
// the account has a second factor, else a code that is mailed for this purpose.

import { Problem } from '@kurs/contract';
import type { Db, Sealer, Tx } from '../../platform/index.ts';
import { type Confirming, proveSessions, sessionOf } from './asker.ts';
import { type CodeFor, spendCodes, tryCodes } from './codes.ts';
import { type Factor, isSecondFactorOn, lockHolders, spendFactor, tryFactor, withSecondFactor } from './second-factor.ts';

/** The action to confirm: its purpose and, if it is about an object, the object's id. */
export interface StepUpFor {
  readonly purpose: string;
  readonly about?: string | undefined;
}

/**
 * A step-up whose proof was found right. The step-up has an effect only after `spendStep`, in the transaction of the action.
 * `nothing`: the account has no second factor and no proof was required.
 */
export type SteppedUp =
  | { readonly by: 'factor'; readonly holderId: string; readonly factor: Factor }
  | { readonly by: 'code'; readonly holderId: string; readonly code: CodeFor; readonly sessionId: string }
  | { readonly by: 'nothing'; readonly holderId: string };

/**
 * Returns the mailed code for an action, which is bound to account, session, purpose and object. If the holder is tricked into
 * telling somebody the code, the code is useless in that person's session.
 */
export const stepUpCode = ({ id, sessionId }: Confirming, { purpose, about }: StepUpFor): CodeFor => ({
  purpose,
  subject: [id, sessionId, ...(about === undefined ? [] : [about])].join(' '),
});

/**
 * Requires the second factor if the account has one, else no proof. For actions that the holder has already confirmed in
 * another way. `whose`: name of the counter of wrong codes. Throws `two_factor_required` or `two_factor_wrong`.
 */
export async function stepUpByFactor(
  deps: { db: Db; sealer: Sealer },
  { holderId, whose }: { readonly holderId: string; readonly whose: string },
  two_factor_code: string | undefined,
): Promise<SteppedUp> {
  if (await isSecondFactorOn(deps.db, holderId)) return byFactor(deps, { holderId, whose }, two_factor_code);
  return { by: 'nothing', holderId };
}

/** An account holder's proof, and the action that the proof is for. */
export interface StepUpRequest {
  readonly who: Confirming;
  readonly given: { readonly two_factor_code?: string | undefined; readonly otp?: string | undefined };
  readonly what: StepUpFor;
}

/**
 * Checks an account holder's step-up. Recovery codes are refused, since using one freezes the money that the action would
 * release. Call it before the action's transaction, since tries are counted in their own transactions. Pass the result to
 * `spendStep` in the action's transaction.
 *
 * Throws `two_factor_required` or `two_factor_wrong` if the account has a second factor; otherwise `code_required`,
 * `code_wrong` or `code_expired`; `rate_limited`.
 */
export async function stepUp(
  deps: { db: Db; sealer: Sealer },
  who: Confirming,
  given: StepUpRequest['given'],
  what: StepUpFor,
): Promise<SteppedUp> {
  const [stepped] = await stepUpAll(deps, [{ who, given, what }]);
  if (stepped?.status !== 'fulfilled') throw stepped?.reason;
  return stepped.value;
}

/** Checks several step-ups as `stepUp` does. Returns the result or the error of each step-up. */
export async function stepUpAll(
  deps: { db: Db; sealer: Sealer },
  requests: readonly StepUpRequest[],
): Promise<PromiseSettledResult<SteppedUp>[]> {
  const guarded = await withSecondFactor(
    deps.db,
    requests.map(({ who }) => who.id),
  );
  const mailed = requests.filter(({ who }) => !guarded.has(who.id));
  const codes = mailed.map(({ who, what, given: { otp } }) => ({ what: stepUpCode(who, what), code: otp }));
  const wrong = new Map((await tryCodes(deps.db, codes)).map((problem, at) => [mailed[at], problem]));
  return Promise.allSettled(
    requests.map(async (one): Promise<SteppedUp> => {
      const { who, what, given } = one;
      if (guarded.has(who.id)) return byFactor(deps, { holderId: who.id, whose: sessionOf(who) }, given.two_factor_code);
      const problem = wrong.get(one);
      if (problem) throw problem;
      return { by: 'code', holderId: who.id, code: stepUpCode(who, what), sessionId: who.sessionId };
    }),
  );
}

async function byFactor(
  { db, sealer }: { db: Db; sealer: Sealer },
  { holderId, whose }: { readonly holderId: string; readonly whose: string },
  two_factor_code: string | undefined,
): Promise<SteppedUp> {
  if (two_factor_code === undefined) throw new Problem('two_factor_required');
  const factor = await tryFactor(db, sealer, holderId, { code: two_factor_code, whose });
  if (factor.by === 'recovery') throw new Problem('two_factor_wrong');
  return { by: 'factor', holderId, factor };
}

/**
 * Uses up a checked step-up, in the transaction of its action. Throws `two_factor_wrong`, `code_expired`, or
 * `two_factor_required` if a second factor was switched on meanwhile.
 */
export async function spendStep(tx: Tx, stepped: SteppedUp): Promise<void> {
  const [problem] = await spendSteps(tx, [stepped]);
  if (problem) throw problem;
}

/**
 * Uses up several step-ups as `spendStep` does. Returns the problem of each refused step-up, which is not used up, and
 * undefined for all others.
 */
export async function spendSteps(tx: Tx, steps: readonly SteppedUp[]): Promise<(Problem | undefined)[]> {
  const without = steps.filter(({ by }) => by !== 'factor').map(({ holderId }) => holderId);
  await lockHolders(tx, without);
  const guarded = without.length === 0 ? new Set<string>() : await withSecondFactor(tx, without);
  const mailed = steps.filter((one) => one.by === 'code' && !guarded.has(one.holderId)) as (SteppedUp & { by: 'code' })[];
  const spent = new Set(
    (
      await spendCodes(
        tx,
        mailed.map(({ code }) => code),
      )
    ).flatMap((one, at) => (one ? [mailed[at]] : [])),
  );
  if (spent.size > 0)
    await proveSessions(
      tx,
      [...spent].map((one) => one?.sessionId ?? ''),
    );
  const problems: (Problem | undefined)[] = [];
  for (const one of steps) {
    if (one.by === 'factor') problems.push(await isSpent(tx, one));
    else if (guarded.has(one.holderId)) problems.push(new Problem('two_factor_required'));
    else problems.push(one.by === 'code' && !spent.has(one) ? new Problem('code_expired') : undefined);
  }
  return problems;
}

async function isSpent(tx: Tx, { holderId, factor }: SteppedUp & { by: 'factor' }): Promise<Problem | undefined> {
  try {
    await spendFactor(tx, holderId, factor);
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}
