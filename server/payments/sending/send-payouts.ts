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
/** The process that stores an attempt sends it at once; after this time another worker looks up its outcome. */
const SENDER_SECONDS = 10;
/** Time after which claims are renewed: shorter than the claim, to leave time for the send in progress. */
const CLAIM_MS = 5_000;
/** Signing stops after this time, so that signed bytes leave before the lease is over. */
const PREPARE_MS = 10_000;
const LONGEST_BACKOFF_SECONDS = 300;

/**
 * Sends a rail's payouts: takes queued ones, has them signed, stores and sends them, batch after batch. Returns the number taken
 * up. Takes nothing while the rail is down, a switch is off, or another worker has the wallet, and nothing before the rail's own
 * sends were reconciled with the books. A later turn resumes after a crash: payouts that were taken are prepared anew, stored
 * attempts are sent again with the same bytes.
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

/** Condition: a rail has payouts to be taken up now. */
const IF_DUE = {
  name: 'if_due',
  sql: `exists (select from payout where rail = $1 and status in ('queued', 'preparing') and due_at <= clock_now())`,
};

/** Payouts that were taken, those of them that are older than a restore, and the state of the wallet that pays them. */
interface Claimed {
  readonly work: readonly StoredPayout[];
  readonly older: ReadonlySet<string>;
  readonly state: WalletState;
}
const NO_STATE: WalletState = { spent: [], unconfirmed: [], indexes: [], changeIndex: 0 };

/**
 * Takes due payouts that their owners let leave (they can't be stopped while they are prepared), after those taken before and not
 * yet sent. The latter keep their status `preparing`, which says that something may have been signed for them already.
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

/** Postpones payouts that fail their MAC, and returns the others: a payout altered by SQL is not sent. */
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

const backoff = (tries: number): number => Math.min(LONGEST_BACKOFF_SECONDS, 2 ** Math.min(tries, 9));

interface Made {
  readonly attempts: readonly { readonly id: string; readonly attempt: Attempt; readonly payouts: readonly StoredPayout[] }[];
  readonly failed: readonly { readonly payouts: readonly StoredPayout[]; readonly reason: string; readonly detail: string }[];
  /** Payouts for which signed bytes may exist. */
  readonly mayBeSigned: ReadonlySet<string>;
}

/** Has payouts signed in batches as large as the rail takes; a batch that fails is halved to find the culprit. */
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

/** The account has sent something that our rows don't know. */
const UNRECORDED = 'unrecorded';

/** Reasons that may be one item's fault, or that a smaller batch may avoid. */
const SPLIT: ReadonlySet<string> = new Set(['no_float', 'refused', 'signer_refused', 'failed']);

/** Forms batches. A payout older than a restore shares no attempt with others: those are sent, and it is not. */
function groupsOf(work: readonly StoredPayout[], size: number, older: ReadonlySet<string>): (readonly StoredPayout[])[] {
  return [...Map.groupBy(work, ({ id, currency }) => `${currency} ${older.has(id)}`).values()].flatMap((same) =>
    Array.from({ length: Math.ceil(same.length / size) }, (_, at) => same.slice(at * size, (at + 1) * size)),
  );
}

/**
 * Stores signed attempts, if the lease still holds, the switch is still on and the owners still let them leave. Returns the
 * attempts that may leave now. An attempt that isn't stored never leaves: if one of its payouts may not leave, the others are
 * signed anew. A payout that its network must refuse fails. Others that couldn't be prepared wait and raise an alarm; they are
 * queued again if nothing can have been signed for them.
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
    // The original database may have sent these, and it is unknown whether their provider still recognises a repeated reference.
    // So they are only looked up, and are in doubt until the look-up or two people decide.
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
      waiting.flatMap(({ payouts, reason }) => payouts.map(({ id, tries }) => ({ id, seconds: backoff(tries), reason }))),
    );
    for (const { reason, detail, payouts } of waiting) {
      // The reconciliation that follows reports it.
      if (reason !== UNRECORDED) log.alarm('payouts could not be prepared', { rail, reason, detail, ...idsOf(payouts) });
    }
    if (journals.length > 0) later();
    await postPayouts(tx, journals);
    return fresh;
  });
}

/** Returns those of some payouts that were requested before a restore. */
async function fromBeforeRestore(tx: Tx, payouts: readonly StoredPayout[]): Promise<ReadonlySet<string>> {
  const restoredAt = await lastRestoredAt(tx);
  if (!restoredAt) return new Set();
  const older = new Set<string>();
  for (const { id } of payouts) if (await isRequestedBefore(tx, id, restoredAt)) older.add(id);
  return older;
}

/**
 * Returns payouts whose signed bytes are a transaction made before, for others: the network would take it for that one. They wait
 * until the wallet's next transaction, or another fee, makes theirs different.
 */
const madeBefore = ({ payouts }: Made['attempts'][number]): Made['failed'][number] => ({
  payouts,
  reason: 'made_before',
  detail: 'the transaction is one that was made before',
});

/** Fails payouts that their network must refuse. */
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

/** Returns when the fee is known: inputs less outputs at once, fees by use (gas, energy) only after use. */
export function feeKnownWhen({ nonce, fee }: Attempt): 'sent' | 'mined' {
  return nonce === undefined && !fee.isMaximum ? 'sent' : 'mined';
}

/**
 * Sends stored attempts in their order and records every answer. Claims them at first and whenever some time has passed: while
 * this worker was suspended, others may have given them up, and people may have decided.
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

/** Sends an attempt once. No answer, or an error, is an unknown outcome: it is looked up, never guessed. */
export async function sendOne(deps: PaymentsDeps, rail: Rail, payout: PayoutRail, attempt: Attempt): Promise<RailAnswer> {
  try {
    const said = await within(deps.callMs, `${rail.id} send`, () => payout.send(attempt));
    return await withSpender(deps, rail.id, payout, attempt, { of: 'send', said });
  } catch (error) {
    await noteFailure(deps, rail, error).catch(() => {});
    return { of: 'send', said: { outcome: 'unknown', reason: error instanceof Error ? error.message : String(error) } };
  }
}
