// What the machine is told about the desk in one transaction: read once, then kept along with what is posted.

import { money, type PriceTerms } from '@kurs/money';
import { type Owed, type PayerHistory, seasonMs } from '../compliance/index.ts';
import { type AccountRef, type Leg, accounts, balances } from '../ledger/index.ts';
import { currencyOf, lastFloat } from '../payments/index.ts';
import { canonicalEmail, type Tx, newId } from '../platform/index.ts';
import { currentTerms, readReserve } from '../pricing/index.ts';
import { latest, usdValue } from '../rates/index.ts';
import { type AutoLimits, type LetOut, approvalFor, peopleForSum } from './approvals.ts';
import type { Context } from './events.ts';
import type { Approval, OrderView, Side } from './order.ts';
import type { StoredOrder } from './order-store.ts';
import { owing } from './owing.ts';
import { payerHistories } from './payer-history.ts';
import { cents, rules, settings } from './settings.ts';

const HOUR = 3_600_000;
const DAY_HOURS = 24;

interface Used {
  hour: bigint;
  day: bigint;
}

/** What a desk reads from the database. */
interface Known {
  /** What can be promised, by the currency got. */
  readonly reserves: Map<string, bigint>;
  /** What is there, by account. */
  readonly balances: Map<string, bigint>;
  readonly floats: ReadonlyMap<string, bigint>;
  readonly used: ReadonlyMap<string, Used>;
  /** Of customers whose payment can be taken back. */
  readonly payers: ReadonlyMap<string, PayerHistory>;
  /** What customers owe, by order. */
  readonly owed: ReadonlyMap<string, Owed>;
}

/** The machine asked for money that has not been read: whoever opened the desk must read it first. */
export class DeskUnread extends Error {
  constructor() {
    super('The machine asked for the desk, which has not been read');
    this.name = 'DeskUnread';
  }
}

/** The desk as one transaction sees it: knows the market at once, and its money after `read`. */
export class Desk {
  readonly #now: Date;
  #known: Known | undefined;
  /** What was posted before the reading, which can't see it. */
  readonly #unseen: { readonly view: OrderView; readonly legs: readonly Leg[] }[] = [];
  readonly #added = new Map<string, bigint>();
  readonly #parents = new Map<string, string>();
  readonly #terms = new Map<string, { terms: PriceTerms; version: string } | undefined>();

  constructor(now: Date) {
    this.#now = now;
  }

  /** Reads, once, what deciding about these orders can ask for. Locks the row that counts what goes out by itself. */
  async read(tx: Tx, orders: readonly StoredOrder[]): Promise<void> {
    if (this.#known) return;
    this.#known = await readKnown(tx, orders);
    for (const { view, legs } of this.#unseen.splice(0)) this.posted(view, legs);
  }

  #money(): Known {
    if (!this.#known) throw new DeskUnread();
    return this.#known;
  }

  /**
   * What the machine is told about the world for this order. Limits allow nothing and screening is clean unless given.
   * Money that has not been read throws DeskUnread when it is asked for.
   */
  context({ view, usd, email }: StoredOrder, given: Partial<Context> = {}): Context {
    const { give, get } = view;
    const known = (): Known => this.#money();
    const owes = () => this.#owes(view.id);
    const market = get && this.#market(give.currency, get.currency);
    const back = get && market && this.#market(get.currency, give.currency);
    return {
      now: this.#now,
      rules: rules(),
      newId,
      get free() {
        const { reserves, balances: held } = known();
        return {
          get: (get && reserves.get(get.currency)) ?? 0n,
          give: held.get(accounts.deskFree(give.unit).name) ?? 0n,
        };
      },
      get held() {
        return known().balances.get(arrivalOf(view).name) ?? 0n;
      },
      ...(market && { market: { ...market, ...(back && { back: back.terms }) } }),
      allows: () => false,
      approvalFor: (got) => ({ ...this.#people(view, email, usd, got), ...this.#season(view, email) }),
      get owes() {
        return owes();
      },
      screening: 'clean',
      ...given,
    };
  }

  #market(from: string, to: string): { terms: PriceTerms; version: string } | undefined {
    const key = `${from} ${to}`;
    if (!this.#terms.has(key)) {
      const current = currentTerms(from, to);
      this.#terms.set(key, current && { terms: current.terms, version: current.snapshot.version.toString() });
    }
    return this.#terms.get(key);
  }

  /** Who lets it out (A2): what goes into a wallet doesn't leave; what comes from one has passed its door, too. */
  #people(view: OrderView, email: string, usd: bigint, got: bigint): Approval {
    const { get, people = 0 } = view.pinned.wallets ?? {};
    if (get !== undefined) return { people: 0 };
    const asked = approvalFor(worth(view, got, usd), got, this.#letOut(view, email), this.#float(view), autoLimits());
    const needed = asked.people > people ? asked.people : people;
    return this.#owes(view.id) === undefined ? { people: needed } : { people: needed === 0 ? 1 : needed, isDebt: true };
  }

  /** Whether a debt is shown to be an order's customer's, or shares with him what somebody typed. */
  #owes(id: string): Context['owes'] {
    const owed = this.#money().owed.get(this.#parents.get(id) ?? id);
    return owed && (owed.shown.length > 0 ? 'shown' : 'typed');
  }

  /** An order that was made of another's money is its customer's. */
  inherit(id: string, parent: string): void {
    this.#parents.set(id, parent);
  }

  /** Keeps free money and places along with what was posted for an order. */
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

  /** Counts a payout that went out by itself. */
  letOut({ view, usd, email }: StoredOrder, got: bigint): void {
    if (view.pinned.wallets?.get !== undefined) return;
    const value = worth(view, got, usd);
    const keys = keysOf(view, email);
    this.#add(keys.desk, value);
    this.#add(keys.customer, value);
    this.#add(keys.currency, got);
  }

  #add(key: string, amount: bigint): void {
    this.#added.set(key, (this.#added.get(key) ?? 0n) + amount);
  }

  #letOut(view: OrderView, email: string): LetOut {
    const keys = keysOf(view, email);
    const { used } = this.#money();
    const of = (key: string, span: keyof Used) => (used.get(key)?.[span] ?? 0n) + (this.#added.get(key) ?? 0n);
    return {
      customerDay: of(keys.customer, 'day'),
      deskHour: of(keys.desk, 'hour'),
      deskDay: of(keys.desk, 'day'),
      currencyHour: of(keys.currency, 'hour'),
    };
  }

  /** What can be taken back waits before it is paid out (A4). */
  #season({ pinned }: OrderView, email: string): { seasonUntil?: Date } {
    if (!pinned.reversible) return {};
    const finished = this.#money().payers.get(canonicalEmail(email))?.finished ?? 0;
    return { seasonUntil: new Date(this.#now.getTime() + seasonMs(finished)) };
  }

  #float({ get }: OrderView): bigint {
    return (get && this.#money().floats.get(get.currency)) ?? 0n;
  }

  /** Writes down what went out by itself. */
  async save(tx: Tx): Promise<void> {
    if (this.#added.size === 0) return;
    const sorted = [...this.#added].sort(([a], [b]) => (a < b ? -1 : 1));
    await tx.run(
      `insert into payout_use (key, hour, amount) select key, $3, amount from unnest($1::text[], $2::numeric[]) as u (key, amount)
       on conflict (key, hour) do update set amount = payout_use.amount + excluded.amount`,
      [sorted.map(([key]) => key), sorted.map(([, amount]) => amount), hourOf(tx.now)],
      { name: 'exchange.add_payout_use' },
    );
  }
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

/** Cents of USD that so much of the unit got is worth now; without a rate, what the order was worth when placed. */
function worth({ get }: OrderView, got: bigint, placed: bigint): bigint {
  const snapshot = latest();
  return get && snapshot ? usdValue(snapshot, money(get.unit, got)).parts : placed;
}

const keysOf = ({ get }: OrderView, email: string) => ({
  desk: 'desk',
  customer: `customer:${canonicalEmail(email)}`,
  currency: `currency:${get?.currency ?? ''}`,
});

const hourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / HOUR) * HOUR);

/** The bounds of A2 as the operator has set them. */
export function autoLimits(): AutoLimits {
  return {
    order: cents('exchange.auto_order_usd'),
    customerDay: cents('exchange.auto_customer_day_usd'),
    deskHour: cents('exchange.auto_desk_hour_usd'),
    deskDay: cents('exchange.auto_desk_day_usd'),
    floatPercent: settings.get('exchange.auto_float_percent'),
    twoPeople: cents('exchange.two_people_usd'),
  };
}

/** Whether an order of this worth, in cents of USD, waits for a person whatever else goes out. */
export const waitsForPerson = (usd: bigint): boolean => peopleForSum(usd, autoLimits()) > 0;

/** A desk that has been read for these orders. */
export async function openDesk(tx: Tx, orders: readonly StoredOrder[]): Promise<Desk> {
  const desk = new Desk(tx.now);
  await desk.read(tx, orders);
  return desk;
}

async function readKnown(tx: Tx, orders: readonly StoredOrder[]): Promise<Known> {
  const views = orders.map(({ view }) => view);
  const currencies = [...new Set(views.flatMap(({ get }) => (get ? [get.currency] : [])))].sort();
  const used = await readUsed(tx, orders);
  const owed = await owing(tx, orders);
  const reversible = orders.filter(({ view }) => view.pinned.reversible).map(({ email }) => email);
  const payers = reversible.length === 0 ? new Map<string, PayerHistory>() : await payerHistories(tx, reversible);
  const reserves = new Map<string, bigint>();
  const floats = new Map<string, bigint>();
  for (const currency of currencies) {
    reserves.set(currency, await readReserve(tx, currency));
    floats.set(currency, await lastFloat(tx, currency));
  }
  const refs = new Map(
    views.flatMap(({ give }) => [accounts.deskFree(give.unit), ...arrivalsOf(give)]).map((ref) => [ref.name, ref]),
  );
  const found = await balances(tx, [...refs.values()]);
  return { reserves, floats, used, payers, owed, balances: new Map([...refs.keys()].map((name, at) => [name, found[at] ?? 0n])) };
}

async function readUsed(tx: Tx, orders: readonly StoredOrder[]): Promise<Map<string, Used>> {
  const keys = [...new Set(orders.flatMap(({ view, email }) => Object.values(keysOf(view, email))))];
  const hour = hourOf(tx.now);
  // Whoever lets something out holds the desk's row of this hour, so that two don't count the same room twice.
  await tx.run(
    `insert into payout_use (key, hour, amount) values ('desk', $1, 0) on conflict (key, hour) do update set amount = payout_use.amount`,
    [hour],
    { name: 'exchange.lock_payout_use' },
  );
  const rows = await tx.rows<{ key: string; hour: string | null; day: string }>(
    `select key, sum(amount) filter (where hour = $2) as hour, sum(amount) as day from payout_use
     where key = any ($1) and hour > $3 group by key`,
    [keys, hour, new Date(hour.getTime() - DAY_HOURS * HOUR)],
    { name: 'exchange.payout_use' },
  );
  return new Map(rows.map((row) => [row.key, { hour: BigInt(row.hour ?? '0'), day: BigInt(row.day) }]));
}
