// The auditor: after every step it reads orders and books, compares them with the rails' real holdings, and throws at every
// difference. It uses none of the code that it checks.

import { type OrderView, RESTING, type StoredOrder, payoutOf, readOrders } from '../../exchange/index.ts';
import type { Rate } from '@kurs/money';
import { accounts, verify } from '../../ledger/index.ts';
import { OWNERS } from '../../assembly/index.ts';
import { checksOf } from '../../operator/index.ts';
import { type PayoutStatus, differences } from '../../payments/index.ts';
import type { Db } from '../../platform/index.ts';
import type { Chain, Code } from '../chain.ts';
import { type CouponRow, mustCountUses } from './coupon-audit.ts';
import { Fault, OF_ORDERS, accountsOf, mustBeCovered, mustBeShown, mustRest, received } from './invariants.ts';
import { HeldRates, type HoldTerms } from './held-rates.ts';
import { InvoiceAudit } from './invoice-audit.ts';
import { type Player, PRIZE_ROWS, type PrizeRows, mustBeWon } from './prize-audit.ts';
import { type SettledMoney, StoreAudit } from './store-audit.ts';
import { isOwedByAffiliate, mustBeEarned } from './senders.ts';
import { WalletAudit } from './wallet-audit.ts';

/** The desk's initial capital, in minor units by currency. */
export const CAPITAL = {
  BTC: 20n * 10n ** 8n,
  LTC: 100n * 10n ** 8n,
  USDT_ERC20: 1_000_000n * 10n ** 6n,
  ETH: 10n * 10n ** 18n,
} as const;

const UNIT_OF: Readonly<Record<keyof typeof CAPITAL, string>> = { BTC: 'BTC', LTC: 'LTC', USDT_ERC20: 'USDT', ETH: 'ETH' };

/** Confirmations after which no reorg takes a payment back that we expect. */
const DEEP: Readonly<Record<Code, number>> = { BTC: 6, USDT_ERC20: 64 };

/** Limits of the money rules: a hold of 72 hours, and 30 minutes with papers. */
const HOLDS: HoldTerms = { hold: 72 * 3_600_000, withPapers: 30 * 60_000 };

/** And those of invoices, and of a holder's wallets whose money somebody waits for. */
const WAITS = /^(invoice:|wallet:[^:]+:[^:]+:(held|uncleared)$)/;
/** Debts that stores' and affiliates' own checks compare. */
const IS_OTHERS = /^receivable:business_/;

interface Balance {
  readonly name: string;
  readonly unit: string;
  readonly class: string;
  readonly balance: string;
}

interface Reading {
  readonly versions: readonly { readonly id: string; readonly version: number }[];
  readonly balances: readonly Balance[];
  /** Transactions of payments that count as gone, except those that were given up after a long wait. */
  readonly gone: readonly { readonly txid: string; readonly currency: string }[];
  /** The states of orders' payouts, by their ids. */
  readonly payouts: Readonly<Record<string, PayoutStatus>>;
  /** Those of them that left and came back. */
  readonly returned: readonly string[];
  readonly coupons: readonly CouponRow[];
  readonly prizes: PrizeRows;
}

/**
 * The whole proof of the books, with the checks of all rooms, takes longest. One world of so many runs it after every step that changed
 * something. The others run it at rest and, if there are account holders, after some steps.
 */
const PROVEN_WORLDS = 23;
const PROOF_EVERY = 50;

/** The auditor's view of the world. */
interface Seen {
  readonly seed: number;
  readonly db: Db;
  readonly chains: Readonly<Record<Code, Chain>>;
  readonly hasHolders: boolean;
  readonly hasSenders: boolean;
  readonly hasShops: boolean;
  /** The players of draws, and the hours in which the pot of prizes may have been filled. */
  readonly players: readonly Player[];
  readonly hoursOfPrizes: ReadonlySet<number>;
  /** Returns the worth of one unit in another since the last check. */
  readonly markets: (from: string, to: string) => readonly Rate[];
  readonly now: () => number;
  /** Counts what was met. */
  readonly tally: (what: string) => void;
}

export class Auditor {
  /** Every order and unallocated payment, in its state at the last check. */
  readonly orders = new Map<string, StoredOrder>();
  readonly wallets: WalletAudit;
  readonly invoices: InvoiceAudit;
  readonly stores: StoreAudit;
  readonly #db: Db;
  readonly #chains: Readonly<Record<Code, Chain>>;
  readonly #ownerOf = new Map<string, string>();
  readonly #surrendered = new Map<string, bigint>();
  /** Senders that screening's last word was against, and the payments that some order was held for. */
  readonly #suspects = new Set<string>();
  readonly #heldFor = new Set<string>();
  #books = new Map<string, bigint>();
  #payouts: Reading['payouts'] = {};
  #coupons: readonly CouponRow[] = [];
  #prizes: PrizeRows = { draws: [], tasks: [] };
  readonly #mustBeWon: (rows: PrizeRows, coupons: readonly CouponRow[]) => void;
  #returned: ReadonlySet<string> = new Set();
  readonly #hasHolders: boolean;
  readonly #hasSenders: boolean;
  readonly #hasShops: boolean;
  /** Number of checks of changes between whole proofs. */
  readonly #proofEvery: number;
  #looks = 0;
  readonly #markets: Seen['markets'];
  readonly #now: Seen['now'];
  readonly #heldRates: HeldRates;
  #isStale = true;

  constructor({ seed, db, chains, hasHolders, hasSenders, hasShops, players, hoursOfPrizes, markets, now, tally }: Seen) {
    this.#mustBeWon = (rows, coupons) => mustBeWon(rows, { players, coupons, hours: hoursOfPrizes.size, shown: this.shown });
    this.#proofEvery = seed % PROVEN_WORLDS === 0 ? 1 : hasHolders ? PROOF_EVERY : Infinity;
    this.#now = now;
    this.#heldRates = new HeldRates(HOLDS, tally);
    this.#hasHolders = hasHolders;
    this.#hasSenders = hasSenders;
    this.#hasShops = hasShops;
    this.#markets = markets;
    this.#db = db;
    this.wallets = new WalletAudit(db, now, tally);
    this.invoices = new InvoiceAudit(db, tally);
    this.stores = new StoreAudit(db, tally);
    this.#chains = chains;
  }

  /** One of our processes has worked: orders and books may have changed. Blocks and time alone don't change them. */
  expectChange(): void {
    this.#isStale = true;
  }

  /** Reads changes and checks all of them. Throws a Fault. */
  async poll(): Promise<void> {
    if (this.#isStale) await this.#read();
    else this.wallets.pass();
    if (this.#isStale && (this.#looks += 1) % this.#proofEvery === 0) await this.#prove();
    this.#isStale = false;
    this.invoices.mustBeHandedOver(this.orders);
    this.#balances();
    this.#custody();
    for (const order of this.orders.values()) {
      mustRest(order.view);
      mustBeCovered(order.view);
      this.#credited(order.view);
      this.#checked(order.view);
    }
    this.wallets.mustAdd(this.all, this.shown);
    this.invoices.mustSettle(this.shown, (store, unit) => this.stores.out(store, unit));
    this.stores.mustBeInWallets(this.shown);
    this.stores.mustBeDeep(this.#settledMoney(), this.shown);
    this.#deep();
    mustCountUses(this.#coupons, this.all, this.shown);
    this.#mustBeWon(this.#prizes, this.#coupons);
    await this.#sends();
  }

  /** True if an order of this chain's currency knows a payment. */
  knows({ code }: Chain, txid: string): boolean {
    const isOrders = this.all.some(({ give, payments }) => give.currency === code && payments.some((one) => one.txid === txid));
    return isOrders || this.invoices.credited(code).some(({ key }) => key === `${code} ${txid}`);
  }

  /** Screening answers about a sender. */
  hear(sender: string, isSuspect: boolean): void {
    if (isSuspect) this.#suspects.add(sender);
    else this.#suspects.delete(sender);
  }

  /** Returns the state of an order's payout, while it has one. */
  payoutOf(view: OrderView): PayoutStatus | undefined {
    return this.#payouts[payoutOf(view) ?? ''];
  }

  get all(): OrderView[] {
    return [...this.orders.values()].map(({ view }) => view);
  }

  async #read(): Promise<void> {
    const { versions, balances, gone, payouts, returned, coupons, prizes } = (await this.#db.row<Reading>(READ, [], {
      name: 'simulation.read',
    })) as Reading;
    const changed = versions.filter(({ id, version }) => this.orders.get(id)?.view.version !== version).map(({ id }) => id);
    if (changed.length > 0) {
      for (const order of await readOrders(this.#db, changed)) this.#note(order);
    }
    this.#payouts = payouts;
    this.#coupons = coupons;
    this.#prizes = prizes;
    this.#returned = new Set(returned);
    for (const one of gone) this.#mustBeGone(one);
    const sums = new Map<string, bigint>();
    this.#books = new Map();
    for (const { name, unit, class: kind, balance } of balances) {
      const stored = BigInt(balance);
      sums.set(unit, (sums.get(unit) ?? 0n) + stored);
      this.#books.set(name, kind === 'held' || kind === 'spent' ? -stored : stored);
    }
    if (this.#hasHolders) await this.wallets.read();
    if (this.#hasShops) await this.invoices.read(this.#markets);
    if (this.#hasShops) await this.stores.read(this.#markets);
    if (this.#hasSenders) await mustBeEarned(this.#db, this.orders);
    this.wallets.mustWait(this.shown);
    this.wallets.mustBeAllowed(this.orders);
    for (const [unit, sum] of sums) if (sum !== 0n) throw new Fault(`${unit} does not balance: ${sum}`);
  }

  #note(order: StoredOrder): void {
    const { view } = order;
    const before = this.orders.get(view.id);
    this.#heldRates.follow(before?.view, view, this.#now());
    if (view.get) mustBeShown(view, before?.view, this.#markets(view.give.unit, view.get.unit), this.#heldRates.of(view));
    // People hand money over to an authority, outside the rails.
    const handed = before?.view.positions.frozen ?? 0n;
    if (view.state === 'surrendered' && before?.view.state === 'frozen') {
      this.#surrendered.set(view.give.currency, (this.#surrendered.get(view.give.currency) ?? 0n) + handed);
      this.#chainOf(view.give.currency).memory.world.fund(view.give.currency, 'hot', -handed);
    }
    if (view.state === 'holding') for (const { id } of view.payments) this.#heldFor.add(id);
    for (const transfer of [view.facts.transfer, view.facts.sent]) if (transfer) this.#ownerOf.set(transfer.intent, view.id);
    this.orders.set(view.id, order);
  }

  #chainOf(currency: string): Chain {
    return currency === 'USDT_ERC20' || currency === 'ETH' ? this.#chains.USDT_ERC20 : this.#chains.BTC;
  }

  /** Returns the balance of an account as shown, at the last check. */
  readonly shown = (name: string): bigint => this.#books.get(name) ?? 0n;

  /**
   * Returns an order with its payout's state: the books have the payout's outcome at once, and its order is notified a moment
   * later.
   */
  #asPosted(view: OrderView): OrderView {
    const { transfer, sent, ...facts } = view.facts;
    const last = transfer ?? sent;
    const status = this.#payouts[last?.intent ?? ''];
    const isBack = this.#returned.has(last?.intent ?? '');
    if (transfer && (status === 'sent' || status === 'final'))
      return { ...view, positions: { ...view.positions, transfer: 0n }, facts: { ...facts, sent: transfer } };
    if (!last || status !== 'failed' || (!transfer && !isBack)) return view;
    const key = last.kind === 'payout' ? 'out' : 'in';
    const back = isBack ? last.parts : last.parts + last.cost;
    const positions = { ...view.positions, transfer: 0n, [key]: view.positions[key] + back };
    return { ...view, positions, facts: { ...facts, ...(sent && !isBack && { sent }) } };
  }

  /** The positions of orders equal their accounts, and no account has money that no order knows. */
  #balances(): void {
    const expected = new Map<string, bigint>();
    for (const view of this.all) for (const [{ name }, parts] of accountsOf(this.#asPosted(view))) expected.set(name, parts);
    for (const [name, parts] of [...this.wallets.expected(), ...this.invoices.expected(), ...this.stores.expected()])
      expected.set(name, parts);
    for (const [name, parts] of expected) {
      if (this.shown(name) !== parts) throw new Fault(`${name} holds ${this.shown(name)}, its order says ${parts}`);
    }
    for (const [name, parts] of this.#books) {
      const isSomeones = OF_ORDERS.has(name.slice(0, name.indexOf(':'))) || WAITS.test(name);
      if (isSomeones && !expected.has(name) && !isOwedByAffiliate(name) && !IS_OTHERS.test(name))
        throw new Fault(`${name} holds ${parts} of no order`);
    }
  }

  /** Custody is the capital plus credited money, less money sent, spent on fees and handed over. */
  #custody(): void {
    for (const currency of Object.keys(CAPITAL) as (keyof typeof CAPITAL)[]) {
      if (this.wallets.isUnclear(currency)) continue;
      const unit = UNIT_OF[currency];
      const { credited, sent } = this.#flows(currency);
      const fees = this.shown(accounts.spent('network', unit).name) + this.shown(accounts.spent('rail', unit).name);
      const overdraft = this.shown(accounts.owedRail(this.#chainOf(currency).rail.id, unit).name);
      const expected = CAPITAL[currency] + credited - sent - fees - (this.#surrendered.get(currency) ?? 0n) + overdraft;
      const held = this.#held(currency);
      if (held !== expected) throw new Fault(`custody of ${currency} is ${held}, its orders and fees make ${expected}`);
    }
  }

  #held(currency: string): bigint {
    let sum = 0n;
    for (const [name, parts] of this.#books) if (name.startsWith(`custody:${currency}:`)) sum += parts;
    return sum;
  }

  #flows(currency: string): { credited: bigint; sent: bigint } {
    let { credited, sent } = this.wallets.flows(currency, this.shown);
    for (const { parts } of this.invoices.credited(currency)) credited += parts;
    sent += this.stores.sent(currency);
    for (const { give, get, payments, facts, pinned } of this.all.map((view) => this.#asPosted(view))) {
      if (give.currency === currency && pinned.wallets?.give === undefined) credited += received(payments);
      const isPayout = facts.sent?.kind === 'payout';
      const [side, wallet] = isPayout ? [get, pinned.wallets?.get] : [give, pinned.wallets?.give];
      if (facts.sent && side?.currency === currency && wallet === undefined) sent += facts.sent.parts;
    }
    return { credited, sent };
  }

  /** At most one send of an order stands at the rails, and it is the one that the order counts with. */
  async #sends(): Promise<void> {
    const status = new Map<string, string>();
    for (const chain of Object.values(this.#chains)) {
      for (const intent of chain.requested) {
        const times = chain.executions(intent);
        if (times === 0) continue;
        const owner = await this.#owner(intent);
        if (times > 1) throw new Fault(`${intent} was sent ${times} times`);
        if (status.has(owner)) throw new Fault(`two sends of ${owner} are out: ${status.get(owner)} and ${intent}`);
        status.set(owner, intent);
        if (this.wallets.mustKnow(intent) || this.stores.mustKnow(intent)) continue;
        const facts = this.orders.get(owner)?.view.facts;
        if (facts?.transfer?.intent !== intent && facts?.sent?.intent !== intent) {
          throw new Fault(`${intent} was sent, and its order in ${this.orders.get(owner)?.view.state} does not know`);
        }
      }
    }
  }

  async #owner(intent: string): Promise<string> {
    const known = this.#ownerOf.get(intent);
    if (known !== undefined) return known;
    const row = await this.#db.row<{ owner_id: string }>('select owner_id from payout where id = $1', [intent]);
    if (!row) throw new Fault(`${intent} was sent and is no intent of ours`);
    this.#ownerOf.set(intent, row.owner_id);
    return row.owner_id;
  }

  /** Received money was deep enough in a block once. */
  #credited({ id, payments, give }: OrderView): void {
    for (const payment of payments) {
      if (payment.status !== 'final' || payment.txid === '') continue;
      const paid = this.#chainOf(give.currency).paid.find(({ txid }) => txid === payment.txid);
      if (!paid || paid.deepest < Math.max(1, payment.needed)) {
        throw new Fault(`${id} was credited ${payment.txid} at ${paid?.deepest ?? 0} of ${payment.needed} confirmations`);
      }
    }
  }

  /** Final payments to invoices were deep enough in a block once; and those of suspects were held. */
  #deep(): void {
    for (const { id, currency, txid, needed } of this.invoices.finals()) {
      const paid = this.#chainOf(currency).paid.find((one) => one.txid === txid);
      if (!paid || paid.deepest < Math.max(1, needed))
        throw new Fault(`the payment ${id} to an invoice is final at ${paid?.deepest ?? 0} of ${needed} confirmations`);
      if (this.#suspects.has(paid.from) && !this.invoices.held.has(id))
        throw new Fault(`the payment ${id} to an invoice counts, which screening is against, and was never held`);
    }
  }

  /** Returns what settled payments brought the stores. Money at payment systems is deep at once. */
  #settledMoney(): SettledMoney[] {
    return this.invoices.settled().map(({ store, unit, net, currency, txid }) => {
      const chain = this.#chainOf(currency);
      const paid = chain.paid.find((one) => one.txid === txid);
      const isDeep = !chain.isChain || (paid?.deepest ?? 0) >= DEEP[chain.code];
      return { store, unit, net, isDeep };
    });
  }

  /** Nothing counts as gone that has never left the block that it is in. */
  #mustBeGone({ txid, currency }: Reading['gone'][number]): void {
    const chain = this.#chainOf(currency);
    if (chain.isChain && chain.isMined(txid) && !chain.disturbed.has(txid))
      throw new Fault(`payment ${txid} counts as gone, and has never left its block`);
  }

  /** A payment that screening flagged was held, by any order that took it. */
  #checked({ id, payments, give }: OrderView): void {
    if (this.#suspects.size === 0) return;
    for (const payment of payments) {
      const isHeld = this.#heldFor.has(payment.id) || this.invoices.held.has(payment.id);
      if (payment.status !== 'final' || isHeld) continue;
      const paid = this.#chainOf(give.currency).paid.find(({ txid }) => txid === payment.txid);
      if (paid && this.#suspects.has(paid.from)) {
        throw new Fault(`${id} counts ${payment.txid}, which screening is against, and was never held`);
      }
    }
  }

  /** Returns in words what is still open: an order that isn't at rest, or waiting work; undefined at quiescence. */
  async whatMoves(): Promise<string | undefined> {
    const other = this.wallets.whatMoves() ?? this.invoices.whatMoves();
    if (other !== undefined) return other;
    const order = this.all.find(({ state, facts }) => !RESTING.has(state) && facts.hold?.cause !== 'hard');
    if (order) return `${order.id} in ${order.state}`;
    const row = await this.#db.row<{ what: string }>(OPEN_WORK, [], { name: 'simulation.waits' });
    return row?.what;
  }

  /** At quiescence everybody rests or waits for people, and books and rails are equal. */
  async settled(): Promise<void> {
    const moving = await this.whatMoves();
    if (moving !== undefined) throw new Fault(`it never comes to rest: ${moving}`);
    this.#truth();
    if (this.#hasSenders) await mustBeEarned(this.#db, this.orders, { atRest: true });
    await this.#prove();
    const different = (await differences(this.#db)).find(({ parts }) => parts !== 0n);
    if (different) throw new Fault(`reconciliation finds ${different.parts} at ${different.currency}:${different.place}`);
  }

  /** The books prove themselves, and every room's check finds its rows and its accounts equal. */
  async #prove(): Promise<void> {
    const [fault] = (await verify(this.#db, { checks: checksOf(OWNERS), isWhole: true })).faults;
    if (fault) throw new Fault(`${fault.check} ${fault.account ?? ''}: ${fault.words}`);
  }

  /** Invariants 1 and 3 by the rails: nothing was given for missing payments, and all real payments are booked. */
  #truth(): void {
    for (const view of this.all) {
      const chain = this.#chainOf(view.give.currency);
      mustBeCovered({ ...view, payments: view.payments.filter(({ txid }) => txid === '' || chain.isMined(txid)) });
    }
    const credited = new Map<string, bigint>();
    for (const { key, parts } of this.wallets.credited()) credited.set(key, (credited.get(key) ?? 0n) + parts);
    for (const currency of Object.keys(CAPITAL))
      for (const { key, parts } of this.invoices.credited(currency)) credited.set(key, (credited.get(key) ?? 0n) + parts);
    for (const { payments, give } of this.all) {
      for (const { txid, parts, status } of payments) {
        const key = `${give.currency} ${txid}`;
        if (status === 'final') credited.set(key, (credited.get(key) ?? 0n) + parts);
      }
    }
    for (const chain of Object.values(this.#chains)) {
      for (const { txid, currency, parts } of chain.paid) {
        const status = chain.isMined(txid) ? parts - chain.memory.world.takenOf(txid) : 0n;
        const [real, ours] = [status, credited.get(`${currency} ${txid}`) ?? 0n];
        if (real !== ours) throw new Fault(`payment ${txid} of ${real} ${currency} counts as ${ours}`);
      }
    }
    for (const currency of Object.keys(CAPITAL) as (keyof typeof CAPITAL)[]) {
      const chain = this.#chainOf(currency);
      const books = this.#held(currency) - this.shown(accounts.owedRail(chain.rail.id, UNIT_OF[currency]).name);
      if (chain.held(currency) !== books) {
        throw new Fault(`the rail holds ${chain.held(currency)} ${currency}, the books say ${books}`);
      }
    }
  }
}

/** Both in one query, since it runs after every step. */
const READ = `
  select (select coalesce(json_agg(json_build_object('id', id, 'version', version) order by id), '[]') from customer_order) as versions,
    (select coalesce(json_agg(json_build_object('name', name, 'unit', unit, 'class', class, 'balance', balance::text)), '[]')
     from account where balance <> 0) as balances,
    (select coalesce(json_agg(json_build_object('txid', txid, 'currency', currency) order by id), '[]') from payin where status in ('dropped', 'reversed')
       and (height is not null or seen_at > clock_now() - interval '7 days')) as gone,
    (select coalesce(json_object_agg(id, status), '{}') from payout where owner_kind = 'order') as payouts,
    (select coalesce(json_agg(id order by id), '[]') from payout where owner_kind = 'order' and status = 'failed' and txid is not null) as returned,
    (select coalesce(json_agg(json_build_object('id', id, 'code', code, 'kind', kind, 'uses', uses, 'taken', taken, 'budget', budget::text,
       'held', held::text, 'max', max::text, 'state', state, 'holder', holder_id) order by id), '[]') from coupon) as coupons,
    ${PRIZE_ROWS} as prizes`;

const OPEN_WORK = `
  select 'the event ' || event_id || ': ' || coalesce(last_error, '') as what from event_delivery
  union all select 'the posting of ' || kind || ' ' || id || ': ' || coalesce(last_error, '') from payment_event where posted_at is null
  union all select 'the payout ' || id || ', ' || status from payout
    where status in ('queued', 'preparing', 'sending', 'in_doubt', 'sent')
  union all select 'the sweep ' || id || ', ' || status from payment_attempt
    where purpose <> 'payout' and status in ('stored', 'doubtful', 'sent')
  union all select 'the payment ' || txid from payin where status = 'seen' limit 1`;
