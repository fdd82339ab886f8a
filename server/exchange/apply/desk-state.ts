// The desk's money and market as the order machine sees them in one transaction: read once, then updated with each posting and
// payout.

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
  shownBounds,
  uncountOut,
} from '../../moneyout/index.ts';
import { currencyOf, lastFloat, offCurrencies } from '../../payments/index.ts';
import { type Tx, newId } from '../../platform/index.ts';
import { type RequestedDiscount, type WalletSides, currentTerms, readReserve } from '../../pricing/index.ts';
import { latest, usdCents, usdValue } from '../../rates/index.ts';
import { autoLimits } from '../machine/auto-limits.ts';
import { approvalFor, peopleForSum } from './approvals.ts';
import type { Context } from '../order/events/events.ts';
import { ORDER_OUT, REFUND_OUT } from '../order/kinds.ts';
import type { Approval, OrderView, Side, Transfer } from '../order/order.ts';
import { discountsAgain, hasFreeUses } from '../order/money/order-coupons.ts';
import { hasNoName } from '../order/store/owner.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { owing } from './debts-of-orders.ts';
import { peopleByOwn } from '../calculation/own-waits.ts';
import { holderHistories } from '../calculation/payer-history.ts';
import { rules } from '../machine/settings.ts';

/** Data that a `DeskState` reads from the database. */
interface DeskReading {
  /** Amount that the desk can promise, by the currency that a customer gets. */
  readonly reserves: Map<string, bigint>;
  /** Ledger balances, by account name. */
  readonly balances: Map<string, bigint>;
  readonly floats: ReadonlyMap<string, bigint>;
  readonly out: OutSums;
  /** Payment histories of the account holders whose orders have reversible payments, by holder. */
  readonly payers: ReadonlyMap<string, PayerHistory>;
  /** Currencies whose rail has, for too long, held less money than the books say. */
  readonly off: ReadonlySet<string>;
  /** Coupon uses that are free, so that their orders may take them again. */
  readonly again: ReadonlySet<string>;
  /** Customers' debts, by order. */
  readonly owed: ReadonlyMap<string, Owed>;
}

/** Thrown if the machine needs the desk's money before `read` was called. */
export class DeskNotRead extends Error {
  constructor() {
    super('The machine asked for the desk, which has not been read');
    this.name = 'DeskNotRead';
  }
}

/** The desk as one transaction sees it. Market prices are known from the start; the desk's money is known after `read`. */
export class DeskState {
  readonly #now: Date;
  #known: DeskReading | undefined;
  /** Legs that were posted before `read`; they are applied to the balances after it. */
  readonly #unseen: { readonly view: OrderView; readonly legs: readonly Leg[] }[] = [];
  readonly #parents = new Map<string, string>();
  /** Payouts that leave automatically because of this transaction, by intent. */
  readonly #counted = new Map<string, Counting>();
  /** Intents of payouts that were added to the totals earlier, and now won't leave. */
  readonly #uncounted = new Set<string>();
  readonly #terms = new Map<string, { terms: PriceTerms; version: string } | undefined>();

  constructor(now: Date) {
    this.#now = now;
  }

  /** Reads, once, all data that decisions about these orders can need. Locks the totals of automatic payouts. */
  async read(tx: Tx, orders: readonly StoredOrder[]): Promise<void> {
    if (this.#known) return;
    this.#known = await readKnown(tx, orders);
    for (const { view, legs } of this.#unseen.splice(0)) this.posted(view, legs);
  }

  #money(): DeskReading {
    if (!this.#known) throw new DeskNotRead();
    return this.#known;
  }

  /**
   * Returns the machine's context for an order; `given` overrides its parts. By default limits allow nothing, and screening is
   * clean. Parts that need the desk's money throw `DeskNotRead` before `read`.
   */
  context(order: StoredOrder, given: Partial<Context> = {}): Context {
    const { view, holderId } = order;
    const { give, get } = view;
    const known = (): DeskReading => this.#money();
    const owes = () => this.#owes(view.id);
    const { give: isFromWallet, get: intoWallet } = view.pinned.wallets ?? {};
    const share = view.pinned.terms?.discounts.find(({ code }) => code === 'loyalty')?.percent;
    const loyalty = share ? [{ kind: 'loyalty', percent: share } as const] : [];
    const again = (): ReadonlySet<string> | undefined => (hasFreeUses(view) ? known().again : undefined);
    const market = (): Context['market'] => {
      const discounts = [...discountsAgain(view, again()), ...loyalty];
      const there = get && this.#market(give.currency, get.currency, sidesOf(isFromWallet, intoWallet), discounts);
      const back = get && there && this.#market(get.currency, give.currency, sidesOf(intoWallet, isFromWallet), []);
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

  /** Returns the current terms of a pair with these discounts, and the version of their market snapshot. Undefined if there are none. */
  #market(
    from: string,
    to: string,
    wallet: WalletSides | undefined,
    discounts: readonly RequestedDiscount[],
  ): { terms: PriceTerms; version: string } | undefined {
    const requests = discounts.map(({ kind, percent, worth: max }) =>
      [kind, percent && percentText(percent), max?.parts].join('-'),
    );
    const key = [from, to, wallet ?? '', ...requests].join(' ');
    if (!this.#terms.has(key)) {
      const current = currentTerms(from, to, { wallet, discounts });
      this.#terms.set(key, current && { terms: current.terms, version: current.snapshot.version.toString() });
    }
    return this.#terms.get(key);
  }

  /** Returns the approval that a payout needs. A payout into a wallet needs none, as no money leaves the desk. */
  #people(order: StoredOrder, got: bigint): Approval {
    const { view } = order;
    if (view.pinned.wallets?.get !== undefined) return { people: 0 };
    const { out, floats, off } = this.#money();
    const currency = view.get?.currency ?? '';
    const request = peopleForPayout(order, got, out, { parts: got, float: floats.get(currency) ?? 0n });
    const people = Math.max(request, peopleWhileOff(order, got, off)) as 0 | 1 | 2;
    const own = people > 0 && waitsByOwn(order, got, out) ? { isOwn: true as const } : {};
    return this.#owes(view.id) === undefined ? { people, ...own } : { people: people === 0 ? 1 : people, isDebt: true, ...own };
  }

  /** Returns the kind of block or debt of an order's customer: proven, or matching only typed data. Undefined if there is none. */
  #owes(id: string): Context['owes'] {
    const owed = this.#money().owed.get(this.#parents.get(id) ?? id);
    if (owed?.shown.some(({ about }) => about === 'block')) return 'blocked';
    return owed && (owed.shown.length > 0 ? 'shown' : 'typed');
  }

  /** Uses the parent's debts for an order that is made of the parent's money: both have the same customer. */
  inherit(id: string, parent: string): void {
    this.#parents.set(id, parent);
  }

  /** Updates reserves and balances with the legs posted for an order. */
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
        // A promise shrinks the reserve at once. Released money is only added to the reserve by the next transaction's reading.
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

  /** Adds a payout to the totals of automatic payouts. */
  letOut(order: StoredOrder, transfer: Transfer): void {
    const counting = countingOf(order, transfer);
    if (!counting) return;
    this.#counted.set(counting.payoutId, counting);
    this.#known?.out.add(counting);
  }

  /** Removes a payout that was stopped, refused or returned from the totals of automatic payouts. */
  cameBack({ intent }: Transfer): void {
    this.#counted.delete(intent);
    this.#uncounted.add(intent);
  }

  /** Returns the end of the clearing period, if the order's payment is reversible. */
  #clearing({ pinned }: OrderView, holderId: string | undefined): { clearingUntil?: Date } {
    if (!pinned.isReversible) return {};
    const finished = this.#money().payers.get(holderId ?? '')?.finished ?? 0;
    return { clearingUntil: new Date(this.#now.getTime() + clearingMs(finished)) };
  }

  /** Stores this transaction's automatic payouts, and removes earlier payouts that now won't leave. */
  async save(tx: Tx): Promise<void> {
    await uncountOut(tx, [...this.#uncounted]);
    await countOut(tx, [...this.#counted.values()]);
  }
}

/** Returns the sides of an exchange that are wallets, for which rails charge nothing. `give`, `get`: the wallets' holders. */
function sidesOf(give: string | undefined, get: string | undefined): WalletSides | undefined {
  if (give !== undefined && get !== undefined) return 'both';
  return give !== undefined ? 'give' : get !== undefined ? 'get' : undefined;
}

/** Returns the custody account that an order's latest payment arrived at. */
function arrivalOf({ give, payments }: OrderView): AccountRef {
  return accounts.custody(give.currency, payments.at(-1)?.place ?? 'hot', give.unit);
}

/** Returns the custody accounts that payments to an order can arrive at. */
const arrivalsOf = ({ currency, unit }: Side): AccountRef[] => [
  accounts.custody(currency, 'hot', unit),
  accounts.custody(currency, 'deposit', unit),
];

/** Returns an amount's current worth in cents of USD. Without a rate, returns `placed`, the order's worth at the placing. */
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
 * Returns the number of approvals that an order's payout needs now. Earlier automatic payouts are included, and the hourly share
 * of the rail's float if `share` is given. A payment from a wallet also falls under the wallet's limits. A payout into a wallet
 * needs no approval.
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
  const requests = [approvalFor(value, out, autoLimits(), share).people, pinned, give === undefined ? 0 : peopleOut(value, out)];
  return Math.max(...requests) as 0 | 1 | 2;
}

/**
 * True if a payout needs approval because of its customer's own payout totals: the order's worth, or the customer's payouts of
 * the day. Payouts to others are ignored. The order's worth is taken at the rates of the placing, because customers don't cause
 * moves of the market.
 */
function waitsByOwn(order: StoredOrder, got: bigint, sums: OutSums): boolean {
  const { view, usd } = order;
  const { customerDay } = sums.of({ customer: outCustomer(order), currency: '' });
  const isFromWallet = view.pinned.wallets?.give !== undefined;
  const placedFor = view.get?.parts ?? 0n;
  const brought = placedFor === 0n ? usd : (usd * got) / placedFor;
  return (
    peopleForSum(brought, autoLimits()) > 0 || peopleByOwn({ usd: worth(view.get, got, usd), customerDay, isFromWallet }) > 0
  );
}

/** Returns the number of approvals that an order's payout needs now because of its own worth. */
export const peopleByWorth = ({ view, usd }: StoredOrder): 0 | 1 | 2 =>
  peopleForSum(worth(view.get, view.positions.out, usd), autoLimits());

/**
 * Returns the key of the customer to whose totals of automatic payouts this order's payouts are added. An order without an address
 * is a customer of its own.
 */
export const outCustomer = ({ view, email, holderId }: StoredOrder): string =>
  hasNoName({ email, holderId })
    ? `order:${view.id}`
    : customerKey({ holderId, email, isMailboxShown: view.pinned.isMailboxProven });

/** True if people approved an order's transfer, so that no limit on automatic payouts includes it. Ending a hold is no approval. */
export const isLetOut = ({ facts }: OrderView, { kind, isByPeople }: Transfer): boolean =>
  kind === 'payout' ? (facts.approved ?? 0) > 0 : isByPeople === true;

/**
 * Returns the entry that a transfer adds to the totals of automatic payouts. Undefined for a payout if the order has no currency
 * to get.
 */
export function countingOf(order: StoredOrder, { intent, kind, parts }: Transfer): Counting | undefined {
  const { view, usd } = order;
  const side = kind === 'payout' ? view.get : view.give;
  if (!side) return undefined;
  const of = { kind: kind === 'payout' ? ORDER_OUT : REFUND_OUT, customer: outCustomer(order) };
  return { payoutId: intent, ...of, usd: worth(side, parts, usd), currency: side.currency, parts };
}

/**
 * Returns 1 if a payout needs an approval because its rail holds less money than the books say; else 0. Payouts up to a set worth
 * need none. `off`: the currencies with such a shortfall.
 */
export function peopleWhileOff({ view, usd }: StoredOrder, got: bigint, off: ReadonlySet<string>): 0 | 1 {
  const { get } = view;
  return get && off.has(get.currency) && worth(get, got, usd) > usdCents(shownBounds().alone_usd) ? 1 : 0;
}

/** True if an order of this worth, in cents of USD, needs approval even if nothing else is paid out. */
export const waitsForPerson = (usd: bigint): boolean => peopleForSum(usd, autoLimits()) > 0;

/** Returns a `DeskState` that has read its data for these orders. */
export async function openDesk(tx: Tx, orders: readonly StoredOrder[]): Promise<DeskState> {
  const desk = new DeskState(tx.now);
  await desk.read(tx, orders);
  return desk;
}

async function readKnown(tx: Tx, orders: readonly StoredOrder[]): Promise<DeskReading> {
  const views = orders.map(({ view }) => view);
  const currencies = [...new Set(views.flatMap(({ get }) => (get ? [get.currency] : [])))].sort();
  // This lock serialises payouts, so that two don't use the same remaining limit.
  await lockOut(tx);
  const customers = [...new Set(orders.map(outCustomer))];
  const out = await readOut(tx, tx.now, { customers, currencies });
  const owed = await owing(tx, orders);
  const off = await offCurrencies(tx);
  const reversible = orders.flatMap(({ view, holderId }) => (view.pinned.isReversible && holderId ? [holderId] : []));
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
