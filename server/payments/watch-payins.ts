import { money } from '@kurs/money';
import { type Fact, type Tx, facts, log, newId } from '../platform/index.ts';
import { accounts, leg } from '../ledger/index.ts';
import type { Rail, Sighting, WatchedPlace } from '../rails/rail.ts';
import { type PaymentsDeps, within } from './deps.ts';
import { PAYIN_FACT } from './facts.ts';
import { usedEntries } from './entries.ts';
import { type PaymentEvent, recordEvents } from './events.ts';
import { depthsOf } from './finality.ts';
import { subjectOf } from './owner.ts';
import { attemptsAreDue } from './attempt-store.ts';
import {
  type Change,
  type LookTerms,
  type Payin,
  feeMore,
  firstSight,
  isChanged,
  judge,
  look,
  payinBody,
  withFee,
} from './payin.ts';
import {
  type ClaimedPlace,
  type LockedPlace,
  type Schedule,
  claimPlaces,
  exposedWith,
  keysElsewhere,
  lockPlaces,
  payinsAt,
  placesAreDue,
  savePayins,
  schedulePlaces,
} from './payin-store.ts';
import { checkRail, noteFailure } from './rail-state.ts';
import { currencyOf } from './registry.ts';
import { finalityOf, settings } from './settings.ts';

const GROUP = 256;
/** A look that hasn't come back after so long is taken over by another. */
const LOOK_SECONDS = 30;
/** Blocks below the tip that a next look still reads: as deep as a reorg is looked for, and some. */
const OVERLAP = 150;
const DAY_MS = 86_400_000;

/**
 * One turn of a rail's watcher: asks how the rail is, looks at every place that is due and records what has changed;
 * gives how many places it looked at. While the rail is down nothing is looked at, so nothing is credited.
 */
export async function watchRail(deps: PaymentsDeps, rail: Rail): Promise<number> {
  const { state, moved, reorg } = await checkRail(deps, rail);
  if (!state.up || !rail.payin) return 0;
  if (moved) {
    await placesAreDue(deps.db, rail.id, reorg);
    await attemptsAreDue(deps.db, rail.id);
  }
  let looked = 0;
  for (;;) {
    const claimed = await claimPlaces(deps.db, rail.id, GROUP, LOOK_SECONDS);
    if (claimed.length === 0 || !(await lookAt(deps, rail, claimed, state.height))) return looked;
    looked += claimed.length;
    if (claimed.length < GROUP) return looked;
  }
}

/** Observes claimed places and applies what is seen. False where the rail didn't answer. */
async function lookAt(deps: PaymentsDeps, rail: Rail, claimed: readonly ClaimedPlace[], height: number): Promise<boolean> {
  const sightings = await observe(deps, rail, claimed);
  if (!sightings) return false;
  if (sightings.length === 0 && claimed.every(({ open }) => !open)) {
    // Nothing there and nothing known: the usual look, one statement.
    await deps.db.tx(async (tx) => {
      const places = await lockPlaces(tx, rail.id, claimed);
      await schedulePlaces(tx, rail.id, scheduleAll(tx.now, places, claimed, [], height, rail.kind === 'provider'));
    });
    return true;
  }
  await deps.db.tx((tx) => apply(tx, deps, rail, claimed, sightings, height));
  return true;
}

async function observe(deps: PaymentsDeps, rail: Rail, claimed: readonly ClaimedPlace[]): Promise<Sighting[] | undefined> {
  const { payin } = rail;
  if (!payin) return undefined;
  try {
    const places = await placesOf(deps, rail, claimed);
    return await within(deps.callMs, `${rail.id} observe`, () => payin.observe(places));
  } catch (error) {
    await noteFailure(deps, rail, error);
    return undefined;
  }
}

/** What the rail needs to know of each place: of one that takes vouchers also those that were entered. */
async function placesOf(deps: PaymentsDeps, rail: Rail, claimed: readonly ClaimedPlace[]): Promise<WatchedPlace[]> {
  const entries = rail.payin?.redeem ? await usedEntries(deps, rail.id, claimed) : undefined;
  return claimed.map(({ currency, to, sinceHeight, id, wanted, number }) => ({
    ...{ currency, to, sinceHeight },
    ...(id !== undefined && { id }),
    ...(wanted !== undefined && { wanted }),
    ...(entries && { entries: entries.get(number) ?? [] }),
  }));
}

async function apply(
  tx: Tx,
  deps: PaymentsDeps,
  rail: Rail,
  claimed: readonly ClaimedPlace[],
  sightings: readonly Sighting[],
  height: number,
): Promise<void> {
  const places = await lockPlaces(tx, rail.id, claimed);
  const known = await payinsAt(
    tx,
    rail.id,
    places.map(({ number }) => number),
  );
  const terms = termsNow(tx.now, rail.id);
  const isProvider = rail.kind === 'provider';
  const own = isProvider ? await withoutOthers(tx, rail.id, places, sightings) : sightings;
  const looked = changesOf(places, known, own, terms, isProvider).map((change) => valued(change, deps));
  const changes = (await judgeAll(tx, rail, looked, terms)).map(withFee);
  await savePayins(
    tx,
    rail.id,
    changes.filter(isChanged).map(({ payin }) => payin),
  );
  await schedulePlaces(tx, rail.id, scheduleAll(tx.now, places, claimed, changes, height, rail.kind === 'provider'));
  await facts.record(tx, changes.flatMap(factOf));
  await recordEvents(tx, deps.values, changes.flatMap(keptBy));
}

/** What a payment's provider keeps of it, once it is known (money.md O3). */
function keptBy(change: Change): PaymentEvent[] {
  const more = feeMore(change);
  if (more === 0n) return [];
  const { id, currency, unit } = change.payin;
  const [spent, hot] = [accounts.spent('rail', unit), accounts.custody(currency, 'hot', unit)];
  const legs = [more > 0n ? leg(spent, hot, more) : leg(hot, spent, -more)];
  return [{ kind: 'rail_fee', cause: id, legs }];
}

/** Decides which of the payments that are not final have become so, by all that is exposed together with them (A11). */
async function judgeAll(tx: Tx, rail: Rail, looked: readonly Change[], terms: LookTerms): Promise<Change[]> {
  const open = looked.filter(({ payin }) => payin.status === 'seen');
  if (open.length === 0) return [...looked];
  const here = looked.map(({ payin }) => payin);
  const exposed = [...here, ...(await exposedWith(tx, rail.id, here))];
  const depths = depthsOf(
    terms.policy,
    open.map(({ payin }) => payin),
    exposed,
  );
  const depthOf = new Map(open.map((change, at) => [change, depths[at]]));
  return looked.map((change) => {
    const depth = depthOf.get(change);
    return depth ? judge(change, depth, terms.now) : change;
  });
}

function termsNow(now: Date, rail: string): LookTerms {
  return {
    now,
    policy: finalityOf(rail),
    droppedGraceMs: settings.get('payments.dropped_grace_seconds') * 1_000,
    reversedGraceMs: settings.get('payments.reversed_grace_seconds') * 1_000,
    giveUpMs: settings.get('payments.give_up_days') * DAY_MS,
  };
}

/** Sightings without those of payments that another place has: one payment is one place's, the first that it was seen at. */
async function withoutOthers(
  tx: Tx,
  rail: string,
  places: readonly LockedPlace[],
  sightings: readonly Sighting[],
): Promise<readonly Sighting[]> {
  const others = await keysElsewhere(
    tx,
    rail,
    places.map(({ number }) => number),
    sightings.map(({ key }) => key),
  );
  if (others.size > 0) log.alarm('a payment is shown at two places', { rail, keys: [...others] });
  return sightings.filter(({ key }) => !others.has(key));
}

/** What the look did to each known payment, and the payments that are new. */
function changesOf(
  places: readonly LockedPlace[],
  known: readonly Payin[],
  sightings: readonly Sighting[],
  terms: LookTerms,
  isProvider: boolean,
): Change[] {
  const byTo = new Map(places.map((place) => [place.to, place]));
  const byKey = new Map<string, Sighting>();
  for (const sighting of sightings) {
    // A rail may say a thing twice; what is in a block says more than what waits.
    if (byKey.get(sighting.key)?.standing.at !== 'block') byKey.set(sighting.key, sighting);
  }
  const from = new Map(places.map(({ number, fromHeight }) => [number, fromHeight]));
  const spender = new Map(sightings.flatMap(({ inputs = [], txid }) => inputs.map((input) => [input, txid])));
  const changes: Change[] = [];
  const replaced: Change[] = [];
  for (const payin of known) {
    const sighting = byKey.get(payin.key);
    byKey.delete(payin.key);
    if (payin.decided) {
      changes.push({ payin, before: payin });
      continue;
    }
    const believed = sighting && !contradicts(sighting, payin);
    // What lies below the part of the chain that was read is not missing.
    const covered = payin.height === null || payin.height >= (from.get(payin.number) ?? 0);
    // A provider says so when it takes a payment back; that it shows one no more says nothing.
    const stays = payin.status === 'final' && (!payin.followed || isProvider);
    const missed = !sighting && covered && !stays;
    if (missed && isReplaced(payin, spender)) replaced.push(look(payin, undefined, terms, true));
    else changes.push(believed || missed ? look(payin, sighting, terms) : { payin, before: payin });
  }
  for (const sighting of byKey.values()) {
    const place = byTo.get(sighting.to);
    if (place) changes.push(...firstSightOf(place, sighting, terms));
  }
  // Told after what replaces them, so that nobody's order stands without a payment in between.
  return [...changes, ...replaced];
}

/** Is something that it spends spent by another transaction? `spender`: the transaction by what it spends. */
function isReplaced({ inputs, txid }: Payin, spender: ReadonlyMap<string, string>): boolean {
  return inputs.some((input) => (spender.get(input) ?? txid) !== txid);
}

/** One payment can't change its amount or its receiver: a rail that says so is not believed. */
function contradicts(sighting: Sighting, payin: Payin): boolean {
  if (sighting.parts === payin.parts && sighting.currency === payin.currency) return false;
  log.alarm('rail contradicts itself about a payment', {
    payin: payin.id,
    key: payin.key,
    was: `${payin.parts} ${payin.currency}`,
    now: `${sighting.parts} ${sighting.currency}`,
  });
  return true;
}

function firstSightOf(place: LockedPlace, sighting: Sighting, terms: LookTerms): Change[] {
  const currency = currencyOf(sighting.currency);
  if (!currency || sighting.parts < currency.dust) return [];
  const fresh = {
    id: newId(),
    number: place.number,
    owner: place.owner,
    customer: place.customer,
    unit: currency.unit,
    place: currency.arrivesAt,
    foreign: sighting.currency !== place.currency,
    usd: null,
  };
  return [firstSight(fresh, sighting, terms)];
}

/** Values what could not be valued at first sight. */
function valued(change: Change, { values }: PaymentsDeps): Change {
  const { payin } = change;
  if (payin.usd !== null || payin.status !== 'seen') return change;
  return { ...change, payin: { ...payin, usd: values.usd(money(payin.unit, payin.parts)) } };
}

function factOf(change: Change): Fact[] {
  if (!change.event) return [];
  const { owner } = change.payin;
  return [{ id: newId(), kind: PAYIN_FACT, subject: subjectOf(owner), body: payinBody(change, change.event) }];
}

function scheduleAll(
  now: Date,
  places: readonly LockedPlace[],
  claimed: readonly ClaimedPlace[],
  changes: readonly Change[],
  height: number,
  isPrompted: boolean,
): Schedule[] {
  const looks = new Map(claimed.map(({ number, look: token }) => [number, token]));
  const payins = Map.groupBy(changes, ({ payin }) => payin.number);
  return places.map((place) => {
    const here = payins.get(place.number) ?? [];
    const mayHold = here.some(({ event }) => event === 'final');
    const next = nextLook(
      now,
      place,
      here.map(({ payin }) => payin),
      height,
      isPrompted,
    );
    return { ...next, mayHold, number: place.number, look: looks.get(place.number) ?? '' };
  });
}

/** What came for good of what a place was handed out for. */
function paidFor({ currency }: LockedPlace, payins: readonly Payin[]): bigint {
  return payins.reduce((sum, one) => (one.status === 'final' && one.currency === currency ? sum + one.parts : sum), 0n);
}

/** When and from which height on a place is looked at next. */
function nextLook(
  now: Date,
  place: LockedPlace,
  payins: readonly Payin[],
  height: number,
  isPrompted: boolean,
): Omit<Schedule, 'number' | 'look' | 'mayHold'> {
  const watch = settings.get('payments.watch');
  const unfinished = payins.some(({ status, followed }) => status === 'seen' || (status === 'reversed' && followed));
  const settling = payins.some(({ status, followed }) => status === 'final' && followed);
  const missing = payins.some(({ missingSince }) => missingSince !== null);
  // Until all of it is here the rest may come at any moment.
  const isWhole = paidFor(place, payins) >= place.expected;
  // A provider tells when something happens; until then its answer is asked for with some patience.
  const closeMs = isPrompted ? watch.promptedMs : watch.closeMs;
  const inMs = missing ? closeMs
    : isPrompted && isWhole && !unfinished ? watch.liveMs
    : settling && !unfinished && (isWhole || now >= place.closeUntil) ? watch.settlingMs
    : now < place.closeUntil ? closeMs
    : unfinished ? watch.unfinishedMs
    : now < place.liveUntil ? watch.liveMs
    : watch.everMs; // prettier-ignore
  const heights = payins.flatMap((payin) =>
    payin.height === null || !(payin.followed || payin.status === 'seen') ? [] : payin.height,
  );
  return {
    fromHeight: missing ? place.fromHeight : Math.max(0, Math.min(height - OVERLAP, ...heights)),
    unfinished: unfinished || missing,
    settling,
    inMs,
  };
}
