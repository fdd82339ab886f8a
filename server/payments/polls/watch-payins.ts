import { money } from '@kurs/money';
import { type OutboxEvent, type Tx, outbox, livingLikeUs, log, newId, wake } from '../../platform/index.ts';
import { accounts, leg } from '../../ledger/index.ts';
import type { Rail, ObservedPayment, Unread } from '../../rails/rail.ts';
import { type PaymentsDeps, within } from '../rails/deps.ts';
import { PAYIN_DEEP_EVENT, PAYIN_EVENT } from '../rails/event-bodies.ts';
import { type Begun, beginPoll } from './begin-poll.ts';
import { alarmMs, scheduleAll } from './next-poll.ts';
import { type PaymentEvent, recordEvents } from '../payins/events.ts';
import { depthsOf } from '../rails/finality.ts';
import { idsOfOwner, subjectOf } from '../rails/owner.ts';
import { becomeDue } from '../payouts/become-due.ts';
import { type Polled, byKeyOf, isMissed, seekMissing, reportedOf } from './missing-payins.ts';
import {
  type Change,
  type PollTerms,
  type Payin,
  becameDeep,
  feeMore,
  firstSight,
  isChanged,
  check,
  poll as pollPayin,
  payinBody,
  withFee,
} from '../payins/payin.ts';
import {
  type ClaimedAddress,
  type LockedAddress,
  exposedWith,
  keysElsewhere,
  lockAddresses,
  payinsAt,
  savePayins,
  scheduleAddresses,
} from '../payins/payin-store.ts';
import { beginPolls, endPolls, pollSoon, heldNumbers, retainQuietClaims } from './held-claims.ts';
import { type PollBudget, pollBudget } from './poll-budget.ts';

import { type Check, checkRail, noteFailure } from '../rails/rail-state.ts';
import { currencyOf } from '../rails/registry.ts';
import { callsPerSecond, finalityOf, settings } from '../rails/settings.ts';
import { stir } from '../rails/rails-to-ask.ts';

const GROUP = 256;
const DAY_MS = 86_400_000;

/**
 * Data that the process may take from its memory instead of the database: a rail's row (see `checkRail`), and with
 * `mayKeepClaims` claims of addresses.
 */
type Trust = Parameters<typeof checkRail>[2] & { readonly mayKeepClaims?: boolean };

/**
 * Runs one turn of a rail's watcher: polls the rail's health and every due address, and records changes. Returns the number of
 * addresses polled. While the rail is down no address is polled, so no payment is credited. If the rail's call budget doesn't
 * suffice for all due addresses, those where a payment is likely come first, then those due longest.
 */
export async function watchRail(deps: PaymentsDeps, rail: Rail, trust: Trust = {}): Promise<number> {
  const { state, now } = await checkAndFollow(deps, rail, trust);
  if (!state.isUp || !rail.payin) return 0;
  const budget = pollBudget(rail, callsPerSecond(rail.id) / livingLikeUs(), now.getTime());
  const mayKeepClaims = trust.mayKeepClaims === true;
  let polled = mayKeepClaims ? await poll(deps, rail, budget, { state, now }) : 0;
  for (const isUrgent of [true, false]) {
    for (;;) {
      const max = budget.places(isUrgent, GROUP);
      if (max === 0) break;
      const found = await beginPoll(deps, rail, { isUrgent, max });
      const { length } = found.claimed;
      if (length === 0) break;
      const isRead = await pollAt(deps, rail, found, { height: state.height, mayKeepClaims });
      budget.polled(length, isUrgent);
      if (!isRead) return polled;
      polled += length;
      if (isUrgent && length < max && !found.hasOthersDue) return polled;
      if (length < max || (!isUrgent && max < GROUP)) break;
    }
  }
  return polled;
}

/**
 * Polls a rail's health. If its chain has moved, makes the affected addresses and sends due. Returns true if the rail gave a good
 * answer.
 */
export async function checkTurn(deps: PaymentsDeps, rail: Rail): Promise<boolean> {
  return (await checkAndFollow(deps, rail, { mayTrustMemory: true })).isWell;
}

async function checkAndFollow(deps: PaymentsDeps, rail: Rail, trust: Trust): Promise<Check> {
  let due = 0;
  const check = await checkRail(deps, rail, {
    ...trust,
    onMove: async (tx, moved) => {
      const isBlocksOnly = rail.payin?.isBlocksOnly === true;
      if (isBlocksOnly || moved.isReorg) pollSoon(rail);
      due = await becomeDue(tx, rail.id, { ...moved, isBlocksOnly, held: heldNumbers(rail) });
    },
  });
  if (due > 0) wake('payments');
  return check;
}

/**
 * Runs quick polls of the due addresses whose claims this process holds. Queries the database only if an address shows a payment.
 * Returns the number of addresses polled.
 */
async function poll(
  deps: PaymentsDeps,
  rail: Rail,
  budget: PollBudget,
  { state, now }: Pick<Check, 'state' | 'now'>,
): Promise<number> {
  const held = beginPolls(rail, (due) => budget.places(true, Math.min(due, GROUP)));
  if (held.length === 0) return 0;
  const addresses = held.map(({ address }) => address);
  const seen = await observe(deps, rail, { claimed: [], addresses, known: [], top: state.top }, state.height);
  budget.polled(held.length, true);
  if (!seen) return 0;
  const shown = new Set([...seen.sightings.values()].map(({ to }) => to));
  const given = endPolls(rail, now, held, {
    isShown: (to) => shown.has(to) || seen.unread.has(to),
    isWhole: state.height >= state.top,
  });
  if (given.length > 0) {
    const begun = await beginPoll(deps, rail, { held: given });
    if (begun.claimed.length > 0) await pollAt(deps, rail, begun, { height: state.height, mayKeepClaims: true });
  }
  return held.length;
}

/**
 * Polls claimed addresses and applies the results. `mayKeepClaims`: true to hold the claims of addresses without payments in
 * memory. Returns false if the rail didn't answer.
 */
async function pollAt(
  deps: PaymentsDeps,
  rail: Rail,
  begun: Begun,
  { height, mayKeepClaims }: { readonly height: number; readonly mayKeepClaims: boolean },
): Promise<boolean> {
  const polled = await observe(deps, rail, begun, height);
  if (!polled) return false;
  const claimed = mayKeepClaims ? retainClaims(rail, begun, polled) : begun.claimed;
  if (claimed.length === 0) return true;
  if (polled.sightings.size === 0 && claimed.every(({ isOpen }) => !isOpen)) {
    // Usually no address has a payment. Then it is enough to store the times of the next polls.
    await deps.db.tx(async (tx) => {
      const addresses = await lockAddresses(tx, rail.id, claimed);
      await scheduleAddresses(tx, rail.id, scheduleAll(tx.now, rail, addresses, claimed, [], polled));
    });
    return true;
  }
  await outbox.tx(deps.db, (tx) => apply(tx, deps, rail, claimed, polled));
  return true;
}

/** Holds the claims of addresses for which no payment was known before or is shown now. Returns the other claims. */
function retainClaims(rail: Rail, { claimed, addresses }: Begun, polled: Polled): ClaimedAddress[] {
  const shown = new Set([...polled.sightings.values()].map(({ to }) => to));
  const isWhole = polled.height >= polled.top;
  const isQuiet = ({ to, isOpen }: ClaimedAddress): boolean => !isOpen && !shown.has(to) && !polled.unread.has(to);
  const quiet = claimed.flatMap((claim, at) => (isQuiet(claim) ? [{ claim, address: addresses[at] ?? claim, isWhole }] : []));
  const written = retainQuietClaims(rail, quiet);
  return [...claimed.filter((claim) => !isQuiet(claim)), ...written];
}

async function observe(
  deps: PaymentsDeps,
  rail: Rail,
  { claimed, addresses, known, top }: Pick<Begun, 'claimed' | 'addresses' | 'known' | 'top'>,
  height: number,
): Promise<Polled | undefined> {
  const { payin } = rail;
  if (!payin) return undefined;
  const unread = new Map<string, Unread>();
  try {
    const seen = await within(deps.callMs, `${rail.id} observe`, () =>
      payin.observe(addresses, (left) => void unread.set(left.to, left)),
    );
    const sightings = byKeyOf(seen);
    return { sightings, unread, fates: await seekMissing(deps, rail, { claimed, known }, sightings), height, top };
  } catch (error) {
    await noteFailure(deps, rail, error);
    return undefined;
  }
}

async function apply(tx: Tx, deps: PaymentsDeps, rail: Rail, claimed: readonly ClaimedAddress[], polled: Polled): Promise<void> {
  const addresses = await lockAddresses(tx, rail.id, claimed);
  const known = await payinsAt(
    tx,
    rail.id,
    addresses.map(({ number }) => number),
  );
  const terms = termsNow(tx.now, rail.id);
  const observedPayments =
    rail.kind === 'provider' ? await withoutOthers(tx, rail.id, addresses, polled.sightings) : polled.sightings;
  const reported = changesOf(rail, addresses, known, { ...polled, sightings: observedPayments }, terms).map((change) =>
    valued(change, deps),
  );
  const changes = (await checkAll(tx, rail, reported, terms)).map(withFee);
  await savePayins(
    tx,
    rail.id,
    changes.filter(isChanged).map(({ payin }) => payin),
  );
  await scheduleAddresses(tx, rail.id, scheduleAll(tx.now, rail, addresses, claimed, changes, polled));
  if (changes.some(({ event }) => event !== undefined && event !== 'progress')) tx.afterCommit(() => stir(rail.id));
  reportMissing(rail, changes);
  await outbox.publish(tx, changes.flatMap(eventsOf));
  await recordEvents(tx, deps.values, changes.flatMap(storedBy));
}

/** Returns the event that posts a provider's fee, if the fee has changed. */
function storedBy(change: Change): PaymentEvent[] {
  const more = feeMore(change);
  if (more === 0n) return [];
  const { id, currency, unit } = change.payin;
  const [spent, hot] = [accounts.spent('rail', unit), accounts.custody(currency, 'hot', unit)];
  const legs = [more > 0n ? leg(spent, hot, more) : leg(hot, spent, -more)];
  return [{ kind: 'rail_fee', cause: id, legs }];
}

/**
 * Decides which of the observed payments are final now. The depth that each payment needs depends on the sums of its customer,
 * transaction and block.
 */
async function checkAll(tx: Tx, rail: Rail, polled: readonly Change[], terms: PollTerms): Promise<Change[]> {
  const open = polled.filter(({ payin }) => payin.status === 'seen');
  if (open.length === 0) return [...polled];
  const here = polled.map(({ payin }) => payin);
  const exposed = [...here, ...(await exposedWith(tx, rail.id, here))];
  const depths = depthsOf(
    terms.policy,
    open.map(({ payin }) => payin),
    exposed,
  );
  const depthOf = new Map(open.map((change, at) => [change, depths[at]]));
  return polled.map((change) => {
    const depth = depthOf.get(change);
    return depth ? check(change, depth, terms.now) : change;
  });
}

function termsNow(now: Date, rail: string): PollTerms {
  return {
    now,
    policy: finalityOf(rail),
    giveUpMs: settings.get('payments.give_up_days') * DAY_MS,
    alarmMs: alarmMs(),
  };
}

/**
 * Raises an alarm once for each payment that has been missing too long, so that people look for it elsewhere. The payment is not
 * changed, since there is no evidence.
 */
function reportMissing(rail: Rail, changes: readonly Change[]): void {
  for (const { before, payin } of changes) {
    if (!payin.isMissingReported || before?.isMissingReported) continue;
    const { id, txid, status, missingSince, owner } = payin;
    log.alarm('a payment is not shown any more, and nothing proves that it is gone', {
      ...{ rail: rail.id, payinId: id, txid, status, missingSince, ...idsOfOwner(owner) },
    });
  }
}

/**
 * Returns the observed payments, except payments that are known at another address. A payment belongs to the first address where
 * it was seen.
 */
async function withoutOthers(
  tx: Tx,
  rail: string,
  addresses: readonly LockedAddress[],
  observedPayments: ReadonlyMap<string, ObservedPayment>,
): Promise<ReadonlyMap<string, ObservedPayment>> {
  const others = await keysElsewhere(
    tx,
    rail,
    addresses.map(({ number }) => number),
    [...observedPayments.keys()],
  );
  if (others.size > 0) log.alarm('a payment is shown at two addresses', { rail, keys: [...others] });
  return new Map([...observedPayments].filter(([key]) => !others.has(key)));
}

/** Returns the changes that a poll makes to known payments, and the new payments. */
function changesOf(
  rail: Rail,
  addresses: readonly LockedAddress[],
  known: readonly Payin[],
  polled: Polled,
  terms: PollTerms,
): Change[] {
  const byNumber = new Map(addresses.map((address) => [address.number, address]));
  const byTo = new Map(addresses.map((address) => [address.to, address]));
  const fresh = new Map(polled.sightings);
  const changes = known.map((payin): Change => {
    const address = byNumber.get(payin.number);
    const shown = fresh.get(payin.key);
    fresh.delete(payin.key);
    if (payin.isDecided) return { payin, before: payin };
    const reported = reportedOf(payin, polled);
    const isReported = reported.sighting ? !contradicts(reported.sighting, payin) : reported.gone !== undefined;
    const missed = isMissed(rail, payin, shown, address && { sinceHeight: address.fromHeight });
    if (reported.sighting && !isReported) return { payin, before: payin };
    return isReported || missed
      ? pollPayin(payin, { ...reported, polledAt: address?.polledAt ?? null }, terms)
      : { payin, before: payin };
  });
  for (const observedPayment of fresh.values()) {
    const address = byTo.get(observedPayment.to);
    if (address) changes.push(...firstSightOf(address, observedPayment, terms));
  }
  // Events about reversed and dropped payments are published last. Otherwise an order whose payment is replaced by another
  // payment would have no payment in between.
  const isGone = ({ event }: Change): boolean => event === 'dropped' || event === 'reversed';
  return [...changes.filter((change) => !isGone(change)), ...changes.filter(isGone)];
}

/** True if a rail reports another amount or currency for a known payment. Neither can change, so the report is ignored. */
function contradicts(observedPayment: ObservedPayment, payin: Payin): boolean {
  if (observedPayment.parts === payin.parts && observedPayment.currency === payin.currency) return false;
  log.alarm('rail contradicts itself about a payment', {
    rail: currencyOf(payin.currency)?.rail,
    payinId: payin.id,
    key: payin.key,
    was: `${payin.parts} ${payin.currency}`,
    now: `${observedPayment.parts} ${observedPayment.currency}`,
  });
  return true;
}

function firstSightOf(address: LockedAddress, observedPayment: ObservedPayment, terms: PollTerms): Change[] {
  const currency = currencyOf(observedPayment.currency);
  if (!currency || observedPayment.parts < currency.dust) return [];
  const fresh = {
    id: newId(),
    number: address.number,
    owner: address.owner,
    customer: address.customer,
    unit: currency.unit,
    place: currency.arrivesAt,
    isForeign: observedPayment.currency !== address.currency,
    usd: null,
    seenAfter: address.polledAt,
  };
  return [firstSight(fresh, observedPayment, terms)];
}

/** Sets the USD value of a payment that had none so far. */
function valued(change: Change, { values }: PaymentsDeps): Change {
  const { payin } = change;
  if (payin.usd !== null || payin.status !== 'seen') return change;
  return { ...change, payin: { ...payin, usd: values.usd(money(payin.unit, payin.parts)) } };
}

function eventsOf(change: Change): OutboxEvent[] {
  const subject = subjectOf(change.payin.owner);
  const { event } = change;
  return [
    ...(event ? [{ id: newId(), kind: PAYIN_EVENT, subject, body: payinBody(change, event) }] : []),
    ...(becameDeep(change) ? [{ id: newId(), kind: PAYIN_DEEP_EVENT, subject, body: payinBody(change, 'final') }] : []),
  ];
}
