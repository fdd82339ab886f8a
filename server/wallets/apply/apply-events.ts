// What payments tell of payments into wallets, applied in groups: one posting at the end.

import { settleLimits } from '../../compliance/index.ts';
import { type AccountRef, type Journal, accounts, balances, post } from '../../ledger/index.ts';
import { INTO_WALLET_EVENT, type IntoWallet } from '../../moneyout/index.ts';
import {
  PAYIN_EVENT,
  type PayinBody,
  WAY_EVENT,
  type WayBody,
  currencyOf,
  marketPrices,
  stopPayout,
} from '../../payments/index.ts';
import { type Left, type StoredEvent, type Subscription, type Tx, log, newId } from '../../platform/index.ts';
import { saveWays } from '../deposits/asked-store.ts';
import {
  type Deposit,
  type Step,
  type There,
  afterGiveBack,
  arrive,
  beforeFinal,
  sighted,
  takeBack,
  takenOf,
} from '../deposits/deposit.ts';
import { newsOf, queueDepositLetter } from '../deposits/deposit-letters.ts';
import { type Judged, isReversibleDeposit, judgeDeposits } from '../deposits/judge-deposits.ts';
import { turnDownUnsent } from '../withdrawals/turn-down.ts';
import { depositsById, openWallet, placesById, saveDeposits } from '../store.ts';

const PREFIX = 'wallet:';
const UNSCREENED = 'the payment is not screened yet';

/** Subscribes wallets to the events of payments. `name`: the product's, for letters. */
export function walletsSubscription(name: string): Subscription {
  return {
    subscriber: 'wallets',
    kinds: [PAYIN_EVENT, WAY_EVENT, INTO_WALLET_EVENT],
    about: PREFIX,
    handle: (tx, events) => applyEvents(tx, events, name),
  };
}

interface Told {
  readonly event: StoredEvent;
  readonly placeId: string;
  readonly body: PayinBody;
}

/**
 * Applies a group of events, oldest first. Left are final payments that wait for their screening, with what comes after
 * them at the same place. One whose sender a person has to look at is the holder's, but not to be used (`uncleared`).
 */
export async function applyEvents(tx: Tx, events: readonly StoredEvent[], name: string): Promise<Left | undefined> {
  for (const { kind, body } of events) {
    const { holderId, unit } = body as IntoWallet;
    if (kind === INTO_WALLET_EVENT) await openWallet(tx, holderId, unit);
  }
  await saveWays(tx, events.flatMap(wayOf));
  const told = events.flatMap(toldOf);
  return told.length === 0 ? undefined : applyPayins(tx, told, name);
}

async function applyPayins(tx: Tx, told: readonly Told[], name: string): Promise<Left | undefined> {
  const places = await placesById(tx, told.map(({ placeId }) => placeId)); // prettier-ignore
  const deposits = await depositsById(tx, told.map(({ body }) => body.payinId)); // prettier-ignore
  const payments = told.map(({ event, placeId, body }) => {
    const place = places.get(placeId);
    if (!place) throw new Error(`The fact ${event.id} is about a wallet's place that does not exist: ${placeId}`);
    return { event, body, place };
  });
  const judged = await judgeDeposits(tx, payments);
  const group = new Group(tx, name, judged);
  const leave = new Map<string, string>();
  /** Places at which something waits: what is told of them later waits behind it. */
  const waiting = new Set<string>();
  const touched = new Map<string, Deposit>();
  for (const { event, body, place } of payments) {
    const known = touched.get(body.payinId) ?? deposits.get(body.payinId);
    const one = sighted(body, known, { placeId: place.id, holderId: place.holderId });
    if (judged.of(body) === 'waits' || waiting.has(place.id)) {
      waiting.add(place.id);
      if (!known) touched.set(body.payinId, one);
      leave.set(event.id, UNSCREENED);
      continue;
    }
    const next = await group.apply(one, body);
    const news = newsOf(one, next, movedBy(one, body));
    if (news) await queueDepositLetter(tx, name, next, news);
    touched.set(body.payinId, next);
  }
  await saveDeposits(tx, [...touched.values()]);
  await endLimits(tx, [...touched.values()]);
  await group.post();
  return leave.size > 0 ? { leave } : undefined;
}

/** How many parts a word of payments takes back, or brings. */
const movedBy = (one: Deposit, body: PayinBody): bigint =>
  body.event === 'reversed' ? takenOf(one, body) : body.event === 'final' ? BigInt(body.part ?? body.parts) : 0n;

/** What was taken back counts towards nobody's limits any more. */
async function endLimits(tx: Tx, touched: readonly Deposit[]): Promise<void> {
  const gone = touched.filter((one) => one.status === 'reversed' && isReversibleDeposit(one));
  const ids = [...new Set(gone.map(({ placeId }) => placeId))];
  if (ids.length > 0) await settleLimits(tx, ids.map((orderId) => ({ orderId, outcome: 'ended' }) as const)); // prettier-ignore
}

function toldOf(event: StoredEvent): Told[] {
  if (event.kind !== PAYIN_EVENT || !event.subject.startsWith(PREFIX)) return [];
  return [{ event, placeId: event.subject.slice(PREFIX.length), body: event.body as PayinBody }];
}

function wayOf({ kind, subject, body }: StoredEvent): { placeId: string; told: WayBody }[] {
  if (kind !== WAY_EVENT || !subject.startsWith(PREFIX)) return [];
  return [{ placeId: subject.slice(PREFIX.length), told: body as WayBody }];
}

/** A group's journals, and what they leave where something is taken from. */
class Group {
  readonly #tx: Tx;
  readonly #name: string;
  readonly #judged: Judged;
  readonly #journals: Journal[] = [];
  readonly #there = new Map<string, bigint>();

  constructor(tx: Tx, name: string, judged: Judged) {
    this.#tx = tx;
    this.#name = name;
    this.#judged = judged;
  }

  /** What a word of payments makes of a deposit; its journal joins the group's. */
  async apply(one: Deposit, body: PayinBody): Promise<Deposit> {
    const { now } = this.#tx;
    if (body.event === 'final') {
      await openWallet(this.#tx, one.holderId, one.unit);
      const verdict = this.#judged.of(body);
      return this.#take(arrive(one, body, verdict === 'waits' ? {} : verdict, now, newId()));
    }
    if (body.event !== 'reversed') return beforeFinal(one, body.event, now);
    const here = await this.#unsentBack(one, body);
    return this.#take(
      takeBack(here, body, currencyOf(one.currency)?.rail ?? 'gone', await this.#thereOf(here, body), now, newId()),
    );
  }

  /** What has not left yet comes back before a deposit is taken back: its own giving back, and what its wallet was asked for. */
  async #unsentBack(one: Deposit, body: PayinBody): Promise<Deposit> {
    const { backId, status, unit } = one;
    const isStopped = status === 'returning' && backId !== undefined && (await stopPayout(this.#tx, backId));
    const back = isStopped ? afterGiveBack(one, 'kept', this.#tx.now, newId()) : undefined;
    const here = back ? this.#take(back) : one;
    if (takenOf(here, body) > here.uncleared) {
      const prices = marketPrices([unit]);
      for (const journal of await turnDownUnsent(this.#tx, this.#name, one)) this.#journals.push({ ...journal, prices });
    }
    return here;
  }

  /** A wallet that is spent from at the same moment makes the ledger refuse: the whole group is then told again. */
  async #thereOf({ holderId, unit }: Deposit, { currency, place }: PayinBody): Promise<There> {
    const [available, custody] = [
      await this.#balance(accounts.wallet(holderId, unit)),
      await this.#balance(accounts.custody(currency, place, unit)),
    ];
    return { available, custody };
  }

  /** As shown: before this group, and what it has moved so far. */
  async #balance(ref: AccountRef): Promise<bigint> {
    const [stored = 0n] = this.#there.has(ref.name) ? [this.#there.get(ref.name)] : await balances(this.#tx, [ref]);
    this.#there.set(ref.name, stored);
    const sign = ref.class === 'held' ? -1n : 1n;
    const moved = this.#journals
      .flatMap(({ legs }) => legs)
      .reduce((sum, { from, to, parts }) => sum + (to.name === ref.name ? parts : from.name === ref.name ? -parts : 0n), 0n);
    return stored + sign * moved;
  }

  #take({ deposit, journal }: Step): Deposit {
    if (journal) this.#journals.push({ ...journal, prices: marketPrices([deposit.unit]) });
    return deposit;
  }

  /** The group's one posting, the last thing that its transaction does. */
  async post(): Promise<void> {
    if (this.#journals.length === 0) return;
    const statuses = await post(this.#tx, this.#journals);
    const refused = statuses.find(({ status }) => status !== 'posted');
    if (refused) throw new Error(`The ledger refused a deposit: ${refused.status}`);
    log.info('deposits were posted', { journals: this.#journals.length });
  }
}
