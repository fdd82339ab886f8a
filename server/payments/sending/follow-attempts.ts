import { log, newId } from '../../platform/index.ts';
import type { Attempt, Found, Payout as PayoutRail, Prepared, Rail } from '../../rails/rail.ts';
import { applyAnswers } from './apply-answers.ts';
import { isCompared } from '../comparing/compare-sends.ts';
import { withSpender } from '../comparing/unexplained-spenders.ts';
import { type PaymentsDeps, tryPrepare, within } from '../rails/deps.ts';
import type { RailAnswer } from '../payouts/machine/payout.ts';
import {
  type NewAttempt,
  type StoredAttempt,
  claimAgain,
  claimAttempts,
  isAsStored,
  isFinal,
  markReplaced,
  storeOrRevive,
  stuckAttempts,
} from '../payouts/rows/attempt-store.ts';
import { isUp, noteFailure } from '../rails/rail-state.ts';
import { resendMinutes } from '../payouts/machine/resend.ts';
import { feeKnownWhen, sendOne } from './send-payouts.ts';
import { maySend, settings } from '../rails/settings.ts';
import { type WalletLease, holdWallet, saveChangeIndex, walletState, withWallet } from '../rails/wallet.ts';

const GROUP = 256;
/** Validity of a claim in seconds. After that another process may look the attempt up. */
const POLL_SECONDS = 30;
/** Number of concurrent look-ups on one rail. */
const TOGETHER = 16;
/** Largest number of stuck attempts whose fee is raised in one turn. */
const RAISES = 5;

/**
 * Last attempt tried, by rail. The next turn continues after this attempt, so that one whose fee can't be raised doesn't delay
 * the others.
 */
const lastTried = new WeakMap<Rail, string>();

/**
 * Looks up due attempts of a rail, records their outcome, and sends the same bytes again if the rail has lost them. Returns the
 * number of look-ups. Also resumes the work of a process that was killed before it recorded an outcome.
 */
export async function followRail(deps: PaymentsDeps, rail: Rail): Promise<number> {
  const { payout } = rail;
  if (!payout) return 0;
  let polled = 0;
  for (;;) {
    const claimed = await claimAttempts(deps.db, rail.id, GROUP, POLL_SECONDS);
    if (claimed.length === 0) return polled;
    polled += claimed.length;
    const found = await findAll(deps, rail, payout, claimed);
    if (!found) return polled;
    const again = await applyAnswers(deps, rail, found);
    await sendAgain(deps, rail, payout, again);
    if (claimed.length < GROUP) return polled;
  }
}

/**
 * Returns the rail's answers about attempts, by attempt id. An attempt without a usable answer doesn't delay the others, and is
 * looked up again later. If no look-up succeeded, returns undefined, and nothing is concluded.
 */
async function findAll(
  deps: PaymentsDeps,
  rail: Rail,
  payout: PayoutRail,
  attempts: readonly StoredAttempt[],
): Promise<Map<string, RailAnswer> | undefined> {
  const answers = new Map<string, RailAnswer>();
  for (let at = 0; at < attempts.length; at += TOGETHER) {
    const some = attempts.slice(at, at + TOGETHER);
    const reported = await Promise.allSettled(some.map((attempt) => find(deps, rail, payout, attempt)));
    for (const [index, { id, signed }] of some.entries()) {
      const one = reported[index];
      if (one?.status === 'fulfilled')
        answers.set(id, await withSpender(deps, rail.id, payout, signed, { of: 'find', said: one.value }));
      else log.warn('a send could not be looked up', { rail: rail.id, reference: signed.reference, error: String(one?.reason) });
    }
    const failed = reported.find((one) => one.status === 'rejected');
    if (failed) await noteFailure(deps, rail, failed.reason);
    if (reported.every((one) => one.status === 'rejected')) break;
  }
  return answers.size === 0 ? undefined : answers;
}

/**
 * Looks an attempt up. A final send at a provider is looked up only because its money may be returned. If that look-up fails,
 * returns `absent`, which proves nothing.
 */
async function find(deps: PaymentsDeps, rail: Rail, payout: PayoutRail, { status, signed }: StoredAttempt): Promise<Found> {
  const request = within(deps.callMs, `${rail.id} find`, () => payout.find(signed));
  if (status !== 'final' || rail.kind === 'chain') return request;
  return request.catch((error: unknown) => {
    log.warn('a finished send could not be looked up again', {
      rail: rail.id,
      reference: signed.reference,
      error: String(error),
    });
    return { outcome: 'absent', isConclusive: false };
  });
}

/**
 * Sends attempts again, after claiming each one. While this worker was suspended, another worker may have handled the attempt.
 * Altered attempts are not sent.
 */
async function sendAgain(deps: PaymentsDeps, rail: Rail, payout: PayoutRail, wanted: readonly StoredAttempt[]): Promise<void> {
  const attempts = wanted.filter(isAsStored);
  const altered = wanted.filter((attempt) => !isAsStored(attempt)).map(({ id }) => id);
  if (altered.length > 0) log.alarm('sends were altered: they are not sent again', { rail: rail.id, attemptId: altered });
  if (attempts.length === 0 || !(await isCompared(deps, rail))) return;
  log.warn('the same bytes are sent again', { rail: rail.id, attemptId: attempts.map(({ id }) => id) });
  const answers = new Map<string, RailAnswer>();
  for (const attempt of attempts) {
    const { id, signed } = attempt;
    const minutes = resendMinutes(payout.proof(signed));
    if (await claimAgain(deps.db, attempt, { minutes, seconds: POLL_SECONDS }))
      answers.set(id, await sendOne(deps, rail, payout, signed));
    else log.warn('a send is not repeated: another worker has handled it', { rail: rail.id, attemptId: id });
  }
  if (answers.size > 0) await applyAnswers(deps, rail, answers);
}

/**
 * Raises the fee of sends that have been without a block for long. A replacement has the same inputs as the stuck send, so at
 * most one of the two is mined, and both are looked up. If no replacement is possible, a child transaction with a high fee spends
 * the change of the stuck send. Returns the number of raised fees.
 */
export async function bumpStuck(deps: PaymentsDeps, rail: Rail): Promise<number> {
  const { payout } = rail;
  if (!payout?.bump) return 0;
  const minutes = settings.get('payments.bump_after_minutes');
  const stuck = await stuckAttempts(deps.db, rail.id, { minutes, behind: lastTried.get(rail), limit: RAISES });
  const last = stuck.at(-1);
  if (last && stuck.length === RAISES) lastTried.set(rail, last.id);
  else lastTried.delete(rail);
  if (stuck.length === 0 || !(await isUp(deps.db, rail.id))) return 0;
  if (!(await maySend(deps.db, rail.id)) || !(await isCompared(deps, rail))) return 0;
  const raised = await withWallet(deps.db, rail.id, async (lease) => {
    let count = 0;
    for (const attempt of stuck) if (await bumpOne(deps, rail, payout, lease, attempt)) count += 1;
    return count;
  });
  return raised ?? 0;
}

const NO_BUMP: Prepared = { ok: false, reason: 'unavailable', detail: 'this rail raises no fees' };

async function bumpOne(
  deps: PaymentsDeps,
  rail: Rail,
  payout: PayoutRail,
  lease: WalletLease,
  stuck: StoredAttempt,
): Promise<boolean> {
  const state = await deps.db.tx((tx) => walletState(tx, rail.id));
  const bump = async (): Promise<Prepared> => (await payout.bump?.(stuck.signed, state)) ?? NO_BUMP;
  const made = await tryPrepare(deps.callMs, `${rail.id} bump`, bump);
  if (!made.ok) {
    const { reason, detail } = made;
    log.alarm('the fee of a stuck send could not be raised', { rail: rail.id, attemptId: stuck.id, reason, detail });
    return false;
  }
  const raised = raisedOf(rail.id, stuck, made.attempt);
  const stored = await deps.db.tx(async (tx) => {
    if (!(await holdWallet(tx, lease)) || !(await maySend(tx, rail.id))) return undefined;
    // The fee was raised earlier, and the transaction with the raised fee is final. The next look-up of the stuck attempt records
    // this.
    if (await isFinal(tx, rail.id, raised.signed.reference)) return undefined;
    if (raised.replaces && !(await markReplaced(tx, stuck.id))) return undefined;
    if (made.attempt.changeIndex !== undefined) await saveChangeIndex(tx, rail.id, made.attempt.changeIndex + 1);
    return storeOrRevive(tx, raised, POLL_SECONDS);
  });
  if (stored === undefined) return false;
  if (!(await claimAgain(deps.db, stored, { minutes: null, seconds: POLL_SECONDS }))) return false;
  await applyAnswers(deps, rail, new Map([[stored.id, await sendOne(deps, rail, payout, raised.signed)]]));
  return true;
}

/**
 * Returns the attempt with the raised fee. A replacement has the same inputs and carries the payouts of the stuck attempt. A
 * child carries no payouts, and only pays the fee.
 */
function raisedOf(rail: string, stuck: StoredAttempt, signed: Attempt): NewAttempt {
  const common = { id: newId(), rail, purpose: stuck.purpose, feeKnown: feeKnownWhen(signed) };
  const replaces = signed.spends.some((spend) => stuck.signed.spends.includes(spend));
  if (!replaces) return { ...common, childOf: stuck.id, signed: { ...signed, items: [] } };
  const { number, currency, parts } = stuck;
  return {
    ...common,
    ...(number !== null && { number }),
    ...(currency !== null && { currency }),
    ...(parts !== null && { parts }),
    replaces: stuck.id,
    signed: { ...signed, items: stuck.signed.items },
  };
}
