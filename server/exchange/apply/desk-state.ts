// What the machine is told about the desk in one transaction: read once, then kept along with what is posted and let out.

import { type PriceTerms, REWARD_UNIT, money, percentText } from '@kurs/money';
import { type Owed, type PayerHistory, clearingMs } from '../../compliance/index.ts';
import { freeAgain } from '../../coupons/index.ts';
import { type AccountRef, type Leg, accounts, balances } from '../../ledger/index.ts';
import {
  type Counting,
  type OutSums,
  countOut,
  customerKey,
  lockOut,
  peopleOut,
  readOut,
  toldBounds,
  uncountOut,
} from '../../moneyout/index.ts';
import { currencyOf, lastFloat, offCurrencies } from '../../payments/index.ts';
import { type Tx, newId } from '../../platform/index.ts';
import { type AskedDiscount, type WalletSides, currentTerms, readReserve } from '../../pricing/index.ts';
import { latest, usdCents, usdValue } from '../../rates/index.ts';
import { autoLimits } from '../machine/auto-limits.ts';
import { approvalFor, peopleForSum } from './approvals.ts';
import type { Context } from '../order/events/events.ts';
import { ORDER_OUT, REFUND_OUT } from '../order/kinds.ts';
import type { Approval, OrderView, Side, Transfer } from '../order/order.ts';
import { discountsAgain, hasFreeUses } from '../order/money/order-coupons.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { owing } from './debts-of-orders.ts';
import { peopleByOwn } from '../calculation/own-waits.ts';
import { holderHistories } from '../calculation/payer-history.ts';
import { rules } from '../machine/settings.ts';

/** What a desk reads from the database. */
interface Known {
  /** What can be promised, by the currency got. */
  readonly reserves: Map<string, bigint>;
  /** What is there, by account. */
  readonly balances: Map<string, bigint>;
  readonly floats: ReadonlyMap<string, bigint>;
  readonly out: OutSums;
  /** For account holders with reversible payments, by their ids. */
  readonly payers: ReadonlyMap<string, PayerHistory>;
  /** Currencies of which the rail has had less than the books for too long. */
  readonly off: ReadonlySet<string>;
  /** Uses of coupons that orders may take again. */
  readonly again: ReadonlySet<string>;
  /** What customers owe, by order. */
  readonly owed: ReadonlyMap<string, Owed>;
}

/** The machine asked for money that was not read: the caller must call `read` first. */
export class DeskNotRead extends Error {
  constructor() {
    super('The machine asked for the desk, which has not been read');
    this.name = 'DeskNotRead';
  }
}

/** The desk as one transaction sees it: knows the market at once, and its money after `read`. */
export class DeskState {
  readonly #now: Date;
  #known: Known | undefined;
  /** What was posted before the reading, which can't see it. */
  readonly #unseen: { readonly view: OrderView; readonly legs: readonly Leg[] }[] = [];
  readonly #parents = new Map<string, string>();
  /** Payouts that leave by themselves from now on, and those that were to and came to nothing. */
  readonly #counted = new Map<string, Counting>();
  readonly #uncounted = new Set<string>();
  readonly #terms = new Map<string, { terms: PriceTerms; version: string } | undefined>();

  constructor(now: Date) {
    this.#now = now;
  }

  /** Reads, once, what deciding about these orders can ask for. Locks the count of what leaves by itself. */
  async read(tx: Tx, orders: readonly StoredOrder[]): Promise<void> {
    if (this.#known) return;
    this.#known = await readKnown(tx, orders);
    for (const { view, legs } of this.#unseen.splice(0)) this.posted(view, legs);
  }

  #money(): Known {
    if (!this.#known) throw new DeskNotRead();
    return this.#known;
  }

  /**
   * What the machine is told about the world for this order. Limits allow nothing and screening is clean unless given.
   * Money that has not been read throws DeskNotRead when it is asked for.
   */
  context(order: StoredOrder, given: Partial<Context> = {}): Context {
    const { view, holderId } = order;
    const { give, get } = view;
    const known = (): Known => this.#money();
    const owes = () => this.#owes(view.id);
    const { give: fromWallet, get: intoWallet } = view.pinned.wallets ?? {};
    const share = view.pinned.terms?.discounts.find(({ code }) => code === 'loyalty')?.percent;
    const loyalty = share ? [{ kind: 'loyalty', percent: share } as const] : [];
    const again = (): ReadonlySet<string> | undefined => (hasFreeUses(view) ? known().again : undefined);
    const market = (): Context['market'] => {
      const discounts = [...discountsAgain(view, again()), ...loyalty];
      const there = get && this.#market(give.currency, get.currency, sidesOf(fromWallet, intoWallet), discounts);
      const back = get && there && this.#market(get.currency, give.currency, sidesOf(intoWallet, fromWallet), []);
      return there && { ...there, ...(back && { back: back.terms }) };
    };
    return {
      now: this.#now,
      rules: rules(),
      newId,
      get free() {
        const { reserves, balances: held } = known();
        return {
          get: (get && reserves.get(get.currency)) ?? 0n,
          give: held.get(accounts.deskFree(give.unit).name) ?? 0n,
          reward: held.get(accounts.deskFree(REWARD_UNIT).name) ?? 0n,
        };
      },
      get held() {
        return known().balances.get(arrivalOf(view).name) ?? 0n;
      },
      get market() {
        return market();
      },
      get again() {
        return again();
      },
      allows: () => false,
      approvalFor: (got) => ({ ...this.#people(order, got), ...this.#clearing(view, holderId) }),
      get owes() {
        return owes();
      },
      screening: 'clean',
      ...given,
    };
  }

  /** The terms of now, with what the order is let off. */
  #market(
    from: string,
    to: string,
    wallet: WalletSides | undefined,
    discounts: readonly AskedDiscount[],
  ): { terms: PriceTerms; version: string } | undefined {
    const asked = discounts.map(({ kind, percent, worth: most }) =>
      [kind, percent && percentText(percent), most?.parts].join('-'),
    );
    const key = [from, to, wallet ?? '', ...asked].join(' ');
    if (!this.#terms.has(key)) {
      const current = currentTerms(from, to, { wallet, discounts });
      this.#terms.set(key, current && { terms: current.terms, version: current.snapshot.version.toString() });
    }
    return this.#terms.get(key);
  }

  /** Who lets it out: what goes into a wallet doesn't leave; what comes from one passes its door's bounds, too. */
  #people(order: StoredOrder, got: bigint): Approval {
    const { view } = order;
    if (view.pinned.wallets?.get !== undefined) return { people: 0 };
    const { out, floats, off } = this.#money();
    const currency = view.get?.currency ?? '';
    const asked = peopleForPayout(order, got, out, { parts: got, float: floats.get(currency) ?? 0n });
    const people = Math.max(asked, peopleWhileOff(order, got, off)) as 0 | 1 | 2;
    const own = people > 0 && waitsByOwn(order, got, out) ? { isOwn: true as const } : {};
    return this.#owes(view.id) === undefined ? { people, ...own } : { people: people === 0 ? 1 : people, isDebt: true, ...own };
  }

  /** Whether a block or a debt is shown to be an order's customer's, or shares with them what somebody typed. */
  #owes(id: string): Context['owes'] {
    const owed = this.#money().owed.get(this.#parents.get(id) ?? id);
    if (owed?.shown.some(({ about }) => about === 'block')) return 'blocked';
    return owed && (owed.shown.length > 0 ? 'shown' : 'typed');
  }

  /** An order that was made of another's money is its customer's. */
  inherit(id: string, parent: string): void {
    this.#parents.set(id, parent);
  }

  /** Keeps free money and addresses along with what was posted for an order. */
  posted(view: OrderView, legs: readonly Leg[]): void {
    if (!this.#known) {
      this.#unseen.push({ view, legs });
      return;
    }
    const { get } = view;
    const held = this.#known.balances;
    for (const { from, to, parts } of legs) {
      for (const [ref, change] of [
        [from, -parts],
        [to, parts],
      ] as const) {
        const shown = ref.class === 'held' ? -change : change;
        const known = held.get(ref.name);
        if (known !== undefined) held.set(ref.name, known + shown);
        // What is promised is less of a reserve; what comes free again counts from the next reading on.
        if (get && ref.name === accounts.deskFree(get.unit).name && change < 0n) this.#shrinkReserves(get.unit, parts);
      }
    }
  }

  #shrinkReserves(unit: string, parts: bigint): void {
    const { reserves } = this.#money();
    for (const [currency, reserve] of reserves) {
      if (currencyOf(currency)?.unit === unit) reserves.set(currency, reserve > parts ? reserve - parts : 0n);
    }
  }

  /** Counts what leaves by itself from now on. */
  letOut(order: StoredOrder, transfer: Transfer): void {
    const counting = countingOf(order, transfer);
    if (!counting) return;
    this.#counted.set(counting.payoutId, counting);
    this.#known?.out.add(counting);
  }

  /** A payout that was to leave was stopped, refused, or came back. */
  cameBack({ intent }: Transfer): void {
    this.#counted.delete(intent);
    this.#uncounted.add(intent);
  }

  /** What can be taken back waits before it is paid out. */
  #clearing({ pinned }: OrderView, holderId: string | undefined): { clearingUntil?: Date } {
    if (!pinned.reversible) return {};
    const finished = this.#money().payers.get(holderId ?? '')?.finished ?? 0;
    return { clearingUntil: new Date(this.#now.getTime() + clearingMs(finished)) };
  }

  /** Writes down what leaves by itself, and what does no more. */
  async save(tx: Tx): Promise<void> {
    await uncountOut(tx, [...this.#uncounted]);
    await countOut(tx, [...this.#counted.values()]);
  }
}

/** Which sides are wallets of ours: no rail takes anything there. */
function sidesOf(give: string | undefined, get: string | undefined): WalletSides | undefined {
  if (give !== undefined && get !== undefined) return 'both';
  return give !== undefined ? 'give' : get !== undefined ? 'get' : undefined;
}

/** The custody account that an order's latest payment arrived at. */
function arrivalOf({ give, payments }: OrderView): AccountRef {
  return accounts.custody(give.currency, payments.at(-1)?.place ?? 'hot', give.unit);
}

/** The custody accounts that payments to an order can arrive at. */
const arrivalsOf = ({ currency, unit }: Side): AccountRef[] => [
  accounts.custody(currency, 'hot', unit),
  accounts.custody(currency, 'deposit', unit),
];

/** Cents of USD that so much of a side is worth now; without a rate, what the order was worth when placed. */
function worth(side: Side | undefined, parts: bigint, placed: bigint): bigint {
  const snapshot = latest();
  if (!side || !snapshot) return placed;
  try {
    return usdValue(snapshot, money(side.unit, parts)).parts;
  } catch {
    return placed;
  }
}

/**
 * How many people let so much of what an order gets out, as things stand; by what left by itself already and, where it is
 * given, the share of a rail's float that goes in an hour. What is paid from a wallet passes the bounds of its door, too.
 */
export function peopleForPayout(
  order: StoredOrder,
  got: bigint,
  sums: OutSums,
  share?: { readonly parts: bigint; readonly float: bigint },
): 0 | 1 | 2 {
  const { view, usd } = order;
  const { get, give, people: pinned = 0 } = view.pinned.wallets ?? {};
  if (get !== undefined) return 0;
  const value = worth(view.get, got, usd);
  const out = sums.of({ customer: outCustomer(order), currency: view.get?.currency ?? '' });
  const asked = [approvalFor(value, out, autoLimits(), share).people, pinned, give === undefined ? 0 : peopleOut(value, out)];
  return Math.max(...asked) as 0 | 1 | 2;
}

/**
 * Whether people let so much of what an order gets out because of its customer's own sums, whatever the desk's are: of a day, or of
 * this order where more was paid than was reviewed. What the market has moved since the placing is not theirs.
 */
function waitsByOwn(order: StoredOrder, got: bigint, sums: OutSums): boolean {
  const { view, usd } = order;
  const { customerDay } = sums.of({ customer: outCustomer(order), currency: '' });
  const fromWallet = view.pinned.wallets?.give !== undefined;
  const placedFor = view.get?.parts ?? 0n;
  const brought = placedFor === 0n ? usd : (usd * got) / placedFor;
  return peopleForSum(brought, autoLimits()) > 0 || peopleByOwn({ usd: worth(view.get, got, usd), customerDay, fromWallet }) > 0;
}

/** How many people an order's payout takes by its worth alone, as of now. */
export const peopleByWorth = ({ view, usd }: StoredOrder): 0 | 1 | 2 =>
  peopleForSum(worth(view.get, view.positions.out, usd), autoLimits());

/** The customer that payouts of an order count for. */
export const outCustomer = ({ view, email, holderId }: StoredOrder): string =>
  customerKey({ holderId, email, isMailboxShown: view.pinned.mailbox });

/** True if people let a payout of an order out, so that it counts towards no bound. To end a hold is not to let out. */
export const isLetOut = ({ facts }: OrderView, { kind, byPeople }: Transfer): boolean =>
  kind === 'payout' ? (facts.approved ?? 0) > 0 : byPeople === true;

/** What a payout of an order counts towards the bounds of what leaves without a person; undefined for nothing. */
export function countingOf(order: StoredOrder, { intent, kind, parts }: Transfer): Counting | undefined {
  const { view, usd } = order;
  const side = kind === 'payout' ? view.get : view.give;
  if (!side) return undefined;
  const of = { kind: kind === 'payout' ? ORDER_OUT : REFUND_OUT, customer: outCustomer(order) };
  return { payoutId: intent, ...of, usd: worth(side, parts, usd), currency: side.currency, parts };
}

/**
 * How many people let so much of what an order gets out while the rail has less than the books: a larger payout is looked at by
 * one. `off`: the currencies of which that is so.
 */
export function peopleWhileOff({ view, usd }: StoredOrder, got: bigint, off: ReadonlySet<string>): 0 | 1 {
  const { get } = view;
  return get && off.has(get.currency) && worth(get, got, usd) > usdCents(toldBounds().alone_usd) ? 1 : 0;
}

/** Whether an order of this worth, in cents of USD, waits for a person whatever else goes out. */
export const waitsForPerson = (usd: bigint): boolean => peopleForSum(usd, autoLimits()) > 0;

/** A desk that has been read for these orders. */
export async function openDesk(tx: Tx, orders: readonly StoredOrder[]): Promise<DeskState> {
  const desk = new DeskState(tx.now);
  await desk.read(tx, orders);
  return desk;
}

async function readKnown(tx: Tx, orders: readonly StoredOrder[]): Promise<Known> {
  const views = orders.map(({ view }) => view);
  const currencies = [...new Set(views.flatMap(({ get }) => (get ? [get.currency] : [])))].sort();
  // Anyone who lets something out holds the count, so that two don't use the same room twice.
  await lockOut(tx);
  const customers = [...new Set(orders.map(outCustomer))];
  const out = await readOut(tx, tx.now, { customers, currencies });
  const owed = await owing(tx, orders);
  const off = await offCurrencies(tx);
  const reversible = orders.flatMap(({ view, holderId }) => (view.pinned.reversible && holderId ? [holderId] : []));
  const payers = reversible.length === 0 ? new Map<string, PayerHistory>() : await holderHistories(tx, reversible);
  const reserves = new Map<string, bigint>();
  const floats = new Map<string, bigint>();
  for (const currency of currencies) {
    reserves.set(currency, await readReserve(tx, currency));
    floats.set(currency, await lastFloat(tx, currency));
  }
  const rewards = views.some(({ pinned }) => pinned.coupons) ? [accounts.deskFree(REWARD_UNIT)] : [];
  const refs = new Map(
    [...views.flatMap(({ give }) => [accounts.deskFree(give.unit), ...arrivalsOf(give)]), ...rewards].map((ref) => [
      ref.name,
      ref,
    ]),
  );
  const uses = views.filter(hasFreeUses).flatMap(({ pinned: { coupons = [] } }) => coupons.map(({ id }) => id));
  const again = await freeAgain(tx, uses);
  const found = await balances(tx, [...refs.values()]);
  return {
    ...{ reserves, floats, out, payers, owed, off, again },
    balances: new Map([...refs.keys()].map((name, at) => [name, found[at] ?? 0n])),
  };
}
