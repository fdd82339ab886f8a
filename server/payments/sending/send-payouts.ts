import { type Tx, log, monotonicMs, newId, outbox } from '../../platform/index.ts';
import { isAsRequested } from '../../rails/index.ts';
import type { Attempt, Payout as PayoutRail, Rail, WalletState } from '../../rails/rail.ts';
import { type PaymentsDeps, tryPrepare, within } from '../rails/deps.ts';
import { applyAnswers } from './apply-answers.ts';
import { compareSends, isCompared } from '../comparing/compare-sends.ts';
import { withSpender } from '../comparing/unexplained-spenders.ts';
import { signedBefore } from './signed-before.ts';
import { takeWithinFloat } from '../balances/float.ts';
import { askOwners } from '../payouts/may-leave.ts';
import { postPayouts } from '../payouts/payout-books.ts';
import { moved } from '../payouts/machine/payout-machine.ts';
import { isUp, noteFailure } from '../rails/rail-state.ts';
import { meetFinds } from '../payouts/found-late.ts';
import { idsOf } from '../rails/owner.ts';
import { type NewAttempt, claimSends, freezeAttempts, insertAttempts, knownReferences } from '../payouts/rows/attempt-store.ts';
import type { RailAnswer, Payout, PayoutChange } from '../payouts/machine/payout.ts';
import {
  type StoredPayout,
  beginSending,
  giveBack,
  isRequestedBefore,
  lockDue,
  lockPayouts,
  putOff,
  savePayouts,
  takePayouts,
} from '../payouts/rows/payout-store.ts';
import { kindOf } from '../rails/registry.ts';
import { maySend } from '../rails/settings.ts';
import { lastRestoredAt } from '../restored/restored-mode.ts';
import { sameEvent, reportPayouts } from '../payouts/report-payouts.ts';
import { type WalletLease, holdWallet, saveChangeIndex, walletState, withAttempt, withWallet } from '../rails/wallet.ts';

const GROUP = 256;
/** Seconds after which another worker may look up a stored attempt. Until then, the process that stored the attempt sends it. */
const SENDER_SECONDS = 10;
/**
 * Time in ms after which claims on stored attempts are renewed. Shorter than the claims, so that the send in progress can end
 * within its claim.
 */
const CLAIM_MS = 5_000;
/** Time in ms after which no more payouts are signed in this turn, so that signed bytes leave before the wallet's lease ends. */
const PREPARE_MS = 10_000;
const LONGEST_BACKOFF_SECONDS = 300;
/** Pause of a payout that waits for another one to end. It doesn't grow, or payouts of one sum would leave minutes apart. */
const BUSY_SECONDS = 10;

/**
 * Sends a rail's payouts, batch after batch: claims due payouts, has them signed, stores the attempts and sends them. Returns the
 * number of claimed payouts. Does nothing while the rail is down, its payouts are switched off, or another worker has the
 * wallet's lease. Also does nothing until the rail's own sends are compared with the books. After a crash, a later turn goes on.
 * It prepares claimed payouts again. It looks up stored attempts, or sends them again with the same bytes.
 */
export async function payRail(deps: PaymentsDeps, rail: Rail): Promise<number> {
  const { payout } = rail;
  if (!payout) return 0;
  if (!(await isCompared(deps, rail))) return 0;
  let total = 0;
  for (;;) {
    const taken = await withWallet(deps.db, rail.id, (lease) => payGroup(deps, rail, payout, lease), IF_DUE);
    total += taken ?? 0;
    if ((taken ?? 0) < GROUP) return total;
  }
}

async function payGroup(deps: PaymentsDeps, rail: Rail, payout: PayoutRail, lease: WalletLease): Promise<number> {
  const claimed = await claim(deps, rail.id);
  const { work } = claimed;
  if (work.length === 0) return 0;
  const made = await prepareAll(deps, rail, payout, claimed);
  const stored = await store(deps, lease, claimed, made);
  await sendAll(deps, rail, payout, stored);
  if (made.failed.some(({ reason }) => reason === UNRECORDED)) await compareSends(deps, rail);
  return work.length;
}

/** Condition: the rail has payouts that are due. */
const IF_DUE = {
  name: 'if_due',
  sql: `exists (select from payout where rail = $1 and status in ('queued', 'preparing') and due_at <= clock_now())`,
};

/** Result of claiming payouts. */
interface Claimed {
  /** Payouts that are claimed, in this turn or an earlier one. */
  readonly work: readonly StoredPayout[];
  /** Ids of those claimed payouts that were requested before the last restore. Only at a provider; empty on a chain. */
  readonly older: ReadonlySet<string>;
  /** State of the wallet that pays the claimed payouts. */
  readonly state: WalletState;
}
const NO_STATE: WalletState = { spent: [], unconfirmed: [], indexes: [], changeIndex: 0 };

/**
 * Claims due payouts that their owners let leave. Claimed payouts can't be stopped. The result begins with payouts that were
 * claimed in an earlier turn and not sent. Something may have been signed for these, since they already have the status
 * `preparing`.
 */
async function claim(deps: PaymentsDeps, rail: string): Promise<Claimed> {
  return deps.db.tx(async (tx) => {
    if (!(await maySend(tx, rail)) || !(await isUp(tx, rail))) return { work: [], older: new Set(), state: NO_STATE };
    const taken = await withoutAltered(tx, await lockDue(tx, rail, 'preparing', GROUP));
    const queued = await withoutAltered(tx, await lockDue(tx, rail, 'queued', GROUP - taken.length));
    const { left, journals } = await meetFinds(tx, deps.values, queued);
    const { fit, short } = await takeWithinFloat(tx, rail, left);
    if (short.length > 0) {
      await putOff(
        tx,
        short.map(({ id, tries }) => ({ id, seconds: backoff(tries), reason: 'no_float' })),
      );
      log.alarm('payouts wait for float', { rail, ...idsOf(short), currency: short[0]?.currency });
    }
    const leaving = await askOwners(tx, deps, fit);
    if (leaving.length > 0) {
      await takePayouts(
        tx,
        leaving.map(({ id }) => id),
      );
    }
    const work = [...taken, ...leaving];
    const state = work.length > 0 ? await walletState(tx, rail) : NO_STATE;
    const older = kindOf(rail) === 'provider' ? await fromBeforeRestore(tx, work) : new Set<string>();
    await postPayouts(tx, journals);
    return { work, older, state };
  });
}

/** Postpones payouts that fail their MAC, and returns the others. A payout that SQL altered is not sent. */
async function withoutAltered(tx: Tx, payouts: readonly StoredPayout[]): Promise<StoredPayout[]> {
  const altered = payouts.filter((payout) => !isAsRequested(payout));
  if (altered.length === 0) return [...payouts];
  await putOff(
    tx,
    altered.map(({ id }) => ({ id, seconds: LONGEST_BACKOFF_SECONDS, reason: 'altered' })),
  );
  for (const one of altered) log.alarm('a payout was altered: it is not sent', { ...idsOf([one]), rail: one.rail });
  return payouts.filter((payout) => !altered.includes(payout));
}

const pauseAfter = (reason: string, tries: number): number => (reason === BUSY ? BUSY_SECONDS : backoff(tries));

const backoff = (tries: number): number => Math.min(LONGEST_BACKOFF_SECONDS, 2 ** Math.min(tries, 9));

interface Made {
  readonly attempts: readonly { readonly id: string; readonly attempt: Attempt; readonly payouts: readonly StoredPayout[] }[];
  readonly failed: readonly { readonly payouts: readonly StoredPayout[]; readonly reason: string; readonly detail: string }[];
  /** Ids of payouts for which signed bytes may exist. */
  readonly mayBeSigned: ReadonlySet<string>;
}

/**
 * Has payouts signed, in batches as large as the rail allows. A batch that fails is halved, to find the payout that causes the
 * failure.
 */
async function prepareAll(
  deps: PaymentsDeps,
  rail: Rail,
  payout: PayoutRail,
  { work, older, state: begun }: Claimed,
): Promise<Made> {
  const attempts: { id: string; attempt: Attempt; payouts: readonly StoredPayout[] }[] = [];
  const failed: Made['failed'][number][] = [];
  const mayBeSigned = new Set(work.filter(({ status }) => status === 'preparing').map(({ id }) => id));
  const before = await signedBefore(deps, rail, payout, { work, state: begun });
  attempts.push(
    ...before.attempts.map((attempt) => ({
      id: newId(),
      attempt,
      payouts: attempt.items.map((id) => before.byId.get(id) as StoredPayout),
    })),
  );
  for (const { items } of before.attempts) for (const id of items) mayBeSigned.add(id);
  let state = before.attempts.reduce(withAttempt, begun);
  const until = monotonicMs() + PREPARE_MS;
  const groups = groupsOf(before.left, payout.batch, older);
  if (before.failed) failed.push({ payouts: before.left, ...before.failed });
  if (before.failed) groups.length = 0;
  while (groups.length > 0 && monotonicMs() < until) {
    const group = groups.shift() as readonly StoredPayout[];
    const items = group.map(({ id, currency, to, parts }) => ({ id, currency, to, parts }));
    const known = state;
    const prepared = await tryPrepare(deps.callMs, `${rail.id} prepare`, () => payout.prepare(items, known));
    if (prepared.ok || prepared.reason === 'failed' || prepared.mayBeSigned) for (const { id } of group) mayBeSigned.add(id);
    if (prepared.ok) {
      attempts.push({ id: newId(), attempt: prepared.attempt, payouts: group });
      state = withAttempt(state, prepared.attempt);
    } else if (group.length > 1 && SPLIT.has(prepared.reason)) {
      const middle = Math.ceil(group.length / 2);
      groups.unshift(group.slice(0, middle), group.slice(middle));
    } else {
      failed.push({ payouts: group, reason: prepared.reason, detail: prepared.detail });
    }
  }
  return { attempts, failed, mayBeSigned };
}

/** Reason of a failed preparation: the account has sent something that our rows don't know. */
const UNRECORDED = 'unrecorded';

/** Reason of a failed preparation: another payout must end first. */
const BUSY = 'busy';

/** Reasons that raise no alarm here. The comparison of sends, which follows at once, reports unrecorded sends. */
const QUIET: ReadonlySet<string> = new Set([UNRECORDED, BUSY]);

/** Reasons of a failed preparation for which a smaller batch may succeed. */
const SPLIT: ReadonlySet<string> = new Set(['no_float', 'refused', 'signer_refused', 'failed']);

/**
 * Groups payouts into batches of one currency. Payouts that were requested before a restore get batches of their own, because
 * their attempts are stored but not sent.
 */
function groupsOf(work: readonly StoredPayout[], size: number, older: ReadonlySet<string>): (readonly StoredPayout[])[] {
  return [...Map.groupBy(work, ({ id, currency }) => `${currency} ${older.has(id)}`).values()].flatMap((same) =>
    Array.from({ length: Math.ceil(same.length / size) }, (_, at) => same.slice(at * size, (at + 1) * size)),
  );
}

/**
 * Stores signed attempts, if the wallet's lease still holds, payouts are still switched on, and the owners let all signed payouts
 * leave. Returns the attempts that may be sent now. An attempt that isn't stored is never sent. If one signed payout may not
 * leave, nothing is stored, and the others are signed again later. A payout fails if its network must refuse it. Any other payout
 * that couldn't be prepared raises an alarm and is tried again later. It is queued again if nothing can have been signed for it.
 */
async function store(
  deps: PaymentsDeps,
  lease: WalletLease,
  { work, older }: Claimed,
  { attempts, failed, mayBeSigned }: Made,
): Promise<Made['attempts']> {
  const { db, values } = deps;
  const { rail } = lease;
  const refused = failed.filter(({ reason }) => reason === 'refused');
  const sent = attempts.flatMap(({ payouts }) => payouts);
  const ending = new Set([...sent, ...refused.flatMap(({ payouts }) => payouts)].map(({ id }) => id));
  return outbox.tx(db, async (tx, later) => {
    if (!(await holdWallet(tx, lease))) return [];
    const isOn = await maySend(tx, rail);
    const locked = await lockPayouts(
      tx,
      work.map(({ id }) => id),
    );
    const isBack = ({ id }: StoredPayout): boolean => !mayBeSigned.has(id) && !(isOn && ending.has(id));
    await giveBack(
      tx,
      work.filter(isBack).map(({ id }) => id),
    );
    if (!isOn || locked.some(({ id, status }) => ending.has(id) && status !== 'preparing')) return [];
    const signed = new Set(sent.map(({ id }) => id));
    const leaving = await askOwners(
      tx,
      deps,
      locked.filter(({ id }) => signed.has(id)),
    );
    if (leaving.length < signed.size) return [];
    const known = await knownReferences(
      tx,
      rail,
      attempts.map(({ attempt }) => attempt.reference),
    );
    const fresh = attempts.filter(({ attempt }) => !known.has(attempt.reference));
    const again = attempts.filter(({ attempt }) => known.has(attempt.reference));
    await insertAttempts(
      tx,
      fresh.map((made) => newAttempt(rail, made)),
      SENDER_SECONDS,
    );
    // Only the newer database that existed before the restore may know that these payouts were sent, and their provider may not
    // recognise a repeated reference. So their attempts are only looked up. They are in doubt until the look-up or two people
    // decide.
    await freezeAttempts(
      tx,
      fresh.flatMap(({ id, payouts }) => (payouts.some((payout) => older.has(payout.id)) ? [id] : [])),
    );
    await beginSending(
      tx,
      fresh.flatMap(({ id, payouts }) => payouts.map((payout) => ({ payout: payout.id, attempt: id }))),
    );
    const indexes = fresh.flatMap(({ attempt }) => attempt.changeIndex ?? []);
    if (indexes.length > 0) await saveChangeIndex(tx, rail, Math.max(...indexes) + 1);
    const leavingNow = fresh.flatMap(({ payouts }) => payouts);
    const journals = await reportPayouts(tx, values, [...sameEvent(leavingNow, 'send'), ...(await endRefused(tx, refused))]);
    const waiting = [...failed.filter(({ reason }) => reason !== 'refused'), ...again.map(madeBefore)];
    await putOff(
      tx,
      waiting.flatMap(({ payouts, reason }) =>
        payouts.map(({ id, tries }) => ({ id, seconds: pauseAfter(reason, tries), reason })),
      ),
    );
    for (const { reason, detail, payouts } of waiting) {
      if (!QUIET.has(reason)) log.alarm('payouts could not be prepared', { rail, reason, detail, ...idsOf(payouts) });
    }
    if (journals.length > 0) later();
    await postPayouts(tx, journals);
    return fresh;
  });
}

/** Returns ids of those payouts that were requested before the last restore. */
async function fromBeforeRestore(tx: Tx, payouts: readonly StoredPayout[]): Promise<ReadonlySet<string>> {
  const restoredAt = await lastRestoredAt(tx);
  if (!restoredAt) return new Set();
  const older = new Set<string>();
  for (const { id } of payouts) if (await isRequestedBefore(tx, id, restoredAt)) older.add(id);
  return older;
}

/**
 * Returns a failure for payouts whose signed transaction is identical to an earlier one for other payouts. The network would take
 * both for the same transaction. These payouts wait until another transaction of the wallet, or another fee, changes their own
 * transaction.
 */
const madeBefore = ({ payouts }: Made['attempts'][number]): Made['failed'][number] => ({
  payouts,
  reason: 'made_before',
  detail: 'the transaction is one that was made before',
});

/** Fails payouts that their network must refuse. Returns their changes. */
async function endRefused(tx: Tx, refused: Made['failed']): Promise<PayoutChange[]> {
  const ended = refused.flatMap(({ payouts, detail }) =>
    payouts.map((payout): Payout => ({ ...moved(payout, 'refused'), reason: detail })),
  );
  await savePayouts(tx, ended);
  return ended.map((payout) => ({
    payout,
    events: [{ event: 'send' }, { event: 'refused', extra: { reason: payout.reason ?? '' } }],
  }));
}

function newAttempt(rail: string, { id, attempt }: Made['attempts'][number]): NewAttempt {
  return { id, rail, purpose: 'payout', feeKnown: feeKnownWhen(attempt), signed: attempt };
}

/**
 * Returns the moment at which an attempt's fee is known. A fee that is inputs less outputs is known when the attempt is sent. A
 * fee that depends on use (gas, energy) is known when the attempt is mined.
 */
export function feeKnownWhen({ nonce, fee }: Attempt): 'sent' | 'mined' {
  return nonce === undefined && !fee.isMaximum ? 'sent' : 'mined';
}

/**
 * Sends stored attempts in their order, and records every answer. Claims the attempts first, and again after some time. While
 * this worker was suspended, another worker may have ended them, or people may have decided about them.
 */
async function sendAll(deps: PaymentsDeps, rail: Rail, payout: PayoutRail, stored: Made['attempts']): Promise<void> {
  const answers = new Map<string, RailAnswer>();
  const left = stored.map(({ id }) => id);
  let [ours, until] = [new Set<string>(), -Infinity];
  for (const { id, attempt } of stored) {
    if (monotonicMs() > until) {
      until = monotonicMs() + CLAIM_MS;
      ours = await claimSends(deps.db, left, SENDER_SECONDS);
    }
    left.shift();
    if (ours.has(id)) answers.set(id, await sendOne(deps, rail, payout, attempt));
    else log.warn('a stored send is not sent: another worker has handled it', { rail: rail.id, attemptId: id });
  }
  if (answers.size > 0) await applyAnswers(deps, rail, answers);
}

/** Sends an attempt once. If the rail fails or doesn't answer, the outcome is unknown and must be looked up. */
export async function sendOne(deps: PaymentsDeps, rail: Rail, payout: PayoutRail, attempt: Attempt): Promise<RailAnswer> {
  try {
    const said = await within(deps.callMs, `${rail.id} send`, () => payout.send(attempt));
    return await withSpender(deps, rail.id, payout, attempt, { of: 'send', said });
  } catch (error) {
    await noteFailure(deps, rail, error).catch(() => {});
    return { of: 'send', said: { outcome: 'unknown', reason: error instanceof Error ? error.message : String(error) } };
  }
}
