// A seed's world: the product's own code on a real database, two rails in memory with all their users, and a clock that jumps.
// Everything is one step by somebody (customers, the desk, our workers, the outside), chosen by the dice. The auditor checks
// after each step. The same seed is the same story.

import { fraction, rate } from '@kurs/money';
import { affiliateOrders } from '../affiliates/index.ts';
import { fillWaiting, matureDue, settleOwed } from '../affiliates/testing.ts';
import { OWNERS } from '../assembly/index.ts';
import { alone, gatesOf, subscriptionsOf } from '../collecting/index.ts';
import { gateRoutes } from '../gate/index.ts';
import { type Store, dueDebts, dueInvoices, dueMoves, dueRefunds } from '../gate/testing.ts';
import { earnRoutes, earnSubscription, tendPrizes } from '../earn/index.ts';
import { type StoredOrder, ORDER_OWNER, exchangeRoutes, shownState, sweepDue } from '../exchange/index.ts';
import { type Risk, configureCompliance, screenPayments, screenPayouts, screens } from '../compliance/index.ts';
import { fundDesk, paymentsDeps, paymentsWork, useRails } from '../payments/index.ts';
import { type Context, type Db, type Subscription, outbox, newId } from '../platform/index.ts';
import { freely, testSealer as sealer } from '../platform/testing.ts';
import { fundPot } from '../pots/index.ts';
import { moneyOutOfWallets, walletRoutes } from '../wallets/index.ts';
import { dueDeposits } from '../wallets/testing.ts';
import { moneyOutRoutes } from '../moneyout/index.ts';
import { addPerson, newCoupons } from '../operator/testing.ts';
import type { MemoryTx } from '../payments/memory.ts';
import type { Rail } from '../rails/rail.ts';
import { Auditor, CAPITAL } from './audit/auditor.ts';
import { Chain, type Code } from './chain.ts';
import { COUPONS, COUPON_POT } from './audit/coupon-audit.ts';
import { type Dice, openDice } from './dice.ts';
import { EPOCH, type Ground, NAME } from './ground.ts';
import { Killed, Mortal, type Nap } from './mortal-process.ts';
import { PLAYERS, openPlayers } from './players/prizes.ts';
import { openStores } from './players/stores.ts';
import { openSenders } from './audit/senders.ts';
import type { Tally } from './tally.ts';

/** Emphasis of a seed. */
export interface Mood {
  readonly name: string;
  /** Probability of a faulty rail call, and of a process that dies. */
  readonly trouble: number;
  readonly deaths: number;
  /** Weights of the clock's longer jumps, of what the chains do, and of what the desk's people do. */
  readonly time: number;
  readonly chains: number;
  readonly desk: number;
  /** True if payments' senders are screened. */
  readonly hasScreening: boolean;
  /** Weight of account holders' actions, and of the desk's on wallets. */
  readonly holders: number;
}

/** Stores and buyers are in one of so many seeds. */
export const SHOPS_EVERY = 5;

const ORDERS = [ORDER_OWNER];
const OTHERS = OWNERS.filter((one) => one !== ORDER_OWNER);

/** A seed's mood is the one whose place it falls upon. */
export const MOODS: readonly Mood[] = [
  { name: 'fair', trouble: 0.02, deaths: 0.02, time: 1, chains: 1, desk: 1, hasScreening: false, holders: 0 },
  { name: 'stormy', trouble: 0.2, deaths: 0.1, time: 1, chains: 1, desk: 1, hasScreening: false, holders: 0 },
  { name: 'deadly', trouble: 0.05, deaths: 0.5, time: 1, chains: 1, desk: 1, hasScreening: false, holders: 0 },
  { name: 'reorganised', trouble: 0.06, deaths: 0.05, time: 1, chains: 4, desk: 1, hasScreening: false, holders: 0 },
  { name: 'strict', trouble: 0.06, deaths: 0.05, time: 1, chains: 2, desk: 4, hasScreening: true, holders: 0 },
  { name: 'slow', trouble: 0.12, deaths: 0.05, time: 4, chains: 2, desk: 1, hasScreening: false, holders: 0 },
  { name: 'banking', trouble: 0.04, deaths: 0.05, time: 1, chains: 1, desk: 1, hasScreening: true, holders: 1 },
  { name: 'seams', trouble: 0.12, deaths: 0.15, time: 2, chains: 4, desk: 2, hasScreening: false, holders: 1.5 },
];

/** Replaces a sound part by a broken one, to check that it is found. */
export interface Sabotage {
  readonly db?: (db: Db) => Db;
  readonly rail?: (rail: Rail) => Rail;
  readonly subscription?: (subscription: Subscription) => Subscription;
  /** Events of orders for the room of affiliates. */
  readonly rewards?: (subscription: Subscription) => Subscription;
  readonly calls?: (calls: Process['calls']) => Process['calls'];
}

/** One of our processes. It works until its turn ends, or until it dies. */
export interface Process {
  readonly db: Db;
  /** The customers' calls. */
  readonly calls: ReturnType<typeof exchangeRoutes> &
    ReturnType<typeof moneyOutOfWallets> &
    ReturnType<typeof moneyOutRoutes> &
    ReturnType<typeof earnRoutes> &
    ReturnType<typeof gateRoutes> &
    ReturnType<typeof walletRoutes>;
  /** Runs loops of the worker by name: `payments:watch`, `events`, `due`, `screening`. */
  readonly run: (...loops: readonly string[]) => Promise<void>;
}

/** An account holder, their deposit addresses by currency, and their address book. */
export interface Holder {
  readonly id: string;
  readonly email: string;
  readonly places: Map<string, string>;
  readonly book: { readonly currency: string; readonly address: string }[];
}

/** Coupons that every seed's customers may use, and the pot that they are made of. */
async function makeSeedsCoupons(db: Db): Promise<void> {
  await alone(db, async (unit) =>
    unit.post(await fundPot(unit.tx, { id: newId(), pot: 'late', parts: COUPON_POT, isBack: false })),
  );
  // A seed begins without the rows of an installation, those of roles among them.
  const ann = { ...(await addPerson(db, 'ann')), permissions: ['coupons.change'] as const };
  for (const one of COUPONS) await newCoupons(db, ann, { ...one, per_customer: 1, first_order: false, reason: 'seed' });
}

/** A loop that a rail's failure stopped is run again later. */
function unlessOfRail(error: unknown): void {
  const isRails = error instanceof Error && /^the rail's |no answer within/.test(error.message);
  if (!isRails) throw error;
}

/** Cost of a unit in USD at a price of a bitcoin. */
const usd = (unit: string, btc: number): bigint => (unit === 'BTC' ? BigInt(btc) : unit === 'LTC' ? 80n : 1n);

const RAIL_KINDS = [
  [4, 'chain'],
  [4, 'provider'],
  [3, 'deduper'],
] as const;

export class World {
  readonly seed: number;
  readonly mood: Mood;
  readonly dice: Dice;
  readonly ground: Ground;
  readonly tally: Tally;
  readonly chains: Readonly<Record<Code, Chain>>;
  readonly auditor: Auditor;
  /** Payments that were in a block or waited for one, and are gone. */
  readonly lost: { readonly chain: Chain; readonly tx: MemoryTx }[] = [];
  readonly holders: Holder[] = [];
  /** Hours in which the pot of prizes may have been filled. */
  readonly hoursOfPrizes = new Set<number>();
  /** True if affiliates refer some customers. */
  readonly hasSenders: boolean;
  /** True if there are stores and buyers. */
  readonly hasShops: boolean;
  /** Accounts of providers that paid and may be paid back. */
  readonly payers = new Set<string>();
  /** Stores whose invoices buyers pay; none in most seeds. */
  shops: readonly Store[] = [];
  /** The story, a line a step. */
  readonly story: string[] = [];
  readonly #sabotage: Sabotage;
  #now = EPOCH.getTime();
  #bitcoin = 90_000;
  /** Prices of a bitcoin since the auditor's last check. */
  #prices = [90_000];
  #isCalm = false;
  #sleeper: { readonly wake: () => void; readonly done: Promise<boolean> } | undefined;

  constructor(seed: number, ground: Ground, tally: Tally, sabotage: Sabotage = {}) {
    this.seed = seed;
    this.ground = ground;
    this.tally = tally;
    this.#sabotage = sabotage;
    this.dice = openDice(seed);
    this.mood = MOODS[seed % MOODS.length] as Mood;
    this.hasSenders = seed % 3 === 0;
    this.hasShops = seed % SHOPS_EVERY === 0;
    const of = (code: Code): Chain =>
      new Chain({
        code,
        // Wallets are paid into at addresses.
        kind: code === 'BTC' && this.mood.holders > 0 ? 'chain' : this.dice.weighed(RAIL_KINDS),
        dice: this.dice,
        trouble: this.mood.trouble,
        now: () => this.#now,
        tally: (fault) => this.tally.fault(fault),
        isKnown: (txid) => this.auditor.knows(this.chains[code], txid),
      });
    this.chains = { BTC: of('BTC'), USDT_ERC20: of('USDT_ERC20') };
    this.auditor = new Auditor({
      seed,
      db: ground.db,
      chains: this.chains,
      hasHolders: this.mood.holders > 0,
      hasSenders: this.hasSenders,
      hasShops: this.hasShops,
      players: PLAYERS,
      hoursOfPrizes: this.hoursOfPrizes,
      now: () => this.#now,
      tally: (what) => this.tally.fault(what),
      markets: (from, to) => this.#prices.map((btc) => rate(from, to, fraction(usd(from, btc), usd(to, btc)))),
    });
  }

  /** Clears the ground, funds the desk and brings the rails up. */
  async begin(): Promise<void> {
    await this.ground.clear();
    const { BTC, USDT_ERC20 } = this.chains;
    const own = [
      { chain: BTC, currency: 'BTC', place: 'hot' },
      { chain: BTC, currency: 'LTC', place: 'hot' },
      { chain: USDT_ERC20, currency: 'USDT_ERC20', place: 'hot' },
      { chain: USDT_ERC20, currency: 'ETH', place: 'fuel' },
    ] as const;
    this.#useRails((rail) => rail);
    await this.ground.db.tx((tx) =>
      fundDesk(
        tx,
        own.map(({ currency, place }) => ({ id: newId(), currency, place, parts: CAPITAL[currency] })),
      ),
    );
    await makeSeedsCoupons(this.ground.db);
    for (const { chain, currency, place } of own) chain.memory.world.fund(currency, place, CAPITAL[currency]);
    if (this.hasSenders) await openSenders(this.ground.db);
    if (this.hasShops) this.shops = await openStores(this.ground.db);
    await openPlayers(this.ground.db);
    configureCompliance({
      botKey: 'key',
      passToken: 'simulation',
      isLoopbackCounted: true,
      ...(this.mood.hasScreening && {
        screener: async (given) => given.map(({ fields }) => this.#risk(fields['address'] ?? '')),
      }),
    });
    await this.pass(0);
    await this.live(
      'the rails come up',
      (process) => process.run('payments:callbacks', 'payments:watch', 'payments:float'),
      Infinity,
    );
  }

  #risk(address: string): Risk {
    const isSuspect = !this.#isCalm && !this.dice.chance(0.8);
    // Accounts of providers are screened when they are paid, not when they pay.
    if (!this.payers.has(address)) this.auditor.hear(address, isSuspect);
    if (!isSuspect) return { score: 0 };
    this.tally.fault('screening: suspects');
    return this.dice.chance(0.5) ? { score: 80 } : { score: 100, labels: [{ name: 'sanctions', kind: 'hard' }] };
  }

  /**
   * Runs a process, which perhaps dies at one of its awaits; another one continues its work once its leases have expired. Returns
   * true if it lived.
   */
  async live(what: string, work: (process: Process) => Promise<void>, awaits = this.#awaits()): Promise<boolean> {
    return this.#lives(what, work, new Mortal(awaits));
  }

  async #lives(what: string, work: (process: Process) => Promise<void>, mortal: Mortal): Promise<boolean> {
    this.auditor.expectChange();
    try {
      await work(this.#process(mortal));
      return true;
    } catch (error) {
      if (!mortal.dead) throw error;
      if (!(error instanceof Killed)) this.story.push(`  the death surfaced as ${String(error)}`);
      this.tally.fault(`crash: ${what}`);
      this.ground.hush();
      await this.#endLeases();
      return false;
    }
  }

  /** Ends the leases of a process that died. On a busy machine the server needs seconds to end its transaction, too. */
  async #endLeases(): Promise<void> {
    await this.ground.db.tx(async (tx) => {
      await tx.run(`set local lock_timeout = '20s'`);
      await tx.run('update rail_wallet set leased_until = now()');
    });
  }

  /**
   * One of two workers falls asleep in the middle of its work, as if it was stopped or its machine hangs; its leases expire
   * meanwhile. Returns true if it did; otherwise its work is done.
   */
  async drowse(work: (process: Process) => Promise<void>): Promise<boolean> {
    const [asleep, awake] = [Promise.withResolvers<'asleep'>(), Promise.withResolvers<void>()];
    const nap: Nap = { after: this.dice.int(1, 12), fallsAsleep: () => asleep.resolve('asleep'), until: awake.promise };
    const done = this.#lives('sleeping', work, new Mortal(Infinity, nap));
    if ((await Promise.race([asleep.promise, done])) !== 'asleep') return false;
    await this.#endLeases();
    this.#sleeper = { wake: awake.resolve, done };
    return true;
  }

  get isAnyoneAsleep(): boolean {
    return this.#sleeper !== undefined;
  }

  /** Wakes a sleeping process, which continues as if no time had passed. Returns true if there was one. */
  async wake(): Promise<boolean> {
    const sleeper = this.#sleeper;
    if (!sleeper) return false;
    this.#sleeper = undefined;
    this.auditor.expectChange();
    sleeper.wake();
    await sleeper.done;
    return true;
  }

  #awaits(): number {
    return !this.#isCalm && this.dice.chance(this.mood.deaths) ? this.dice.int(0, 70) : Infinity;
  }

  #process(mortal: Mortal): Process {
    const { sender, receipts } = this.ground;
    const db = mortal.db(this.#sabotage.db?.(this.ground.db) ?? this.ground.db);
    this.#useRails((rail) => mortal.rail(this.#sabotage.rail?.(rail) ?? rail));
    const [subscription] = subscriptionsOf(ORDERS, sender).map((sound) => this.#sabotage.subscription?.(sound) ?? sound);
    if (!subscription) throw new Error('Orders are told of nothing');
    // Some subscribers handle events in the transaction of the change, as in the product, others only when drained.
    if ((this.seed + Math.floor(this.seed / MOODS.length)) % 2 === 0)
      outbox.handOver(db, [subscription, ...subscriptionsOf(OTHERS, sender)]);
    const loops = new Map<string, () => Promise<unknown>>([
      ['events', () => outbox.drain(db, subscription)],
      ...this.#rewards(db),
      ...this.#wallets(db),
      ['events of prizes', () => outbox.drain(db, earnSubscription)],
      ['prizes', () => tendPrizes(db)],
      ...this.#undelivered(db, 'prizes come into wallets'),
      ['due', () => sweepDue(db, sender)],
      ...(this.hasShops
        ? ([
            ['due invoices', () => dueInvoices(db, sender)],
            ['due moves', () => dueMoves(db)],
            ['due debts', () => dueDebts(db)],
            ['due refunds', () => dueRefunds(db)],
          ] as const)
        : []),
      ['screening', async () => screens() && (await screenPayments(db)) + (await screenPayouts(db))],
    ]);
    for (const { name, turn } of paymentsWork(paymentsDeps(db, { gates: gatesOf(OWNERS), jitter: () => 0.5, callMs: 5, sealer })))
      loops.set(name, turn);
    const calls: Process['calls'] = {
      ...exchangeRoutes({ db, sender, sealer, factors: sealer, receipts, operators: async () => 2 }),
      ...moneyOutOfWallets({ db, sealer, voucher: sealer, name: NAME }),
      ...moneyOutRoutes({ db, sealer }),
      ...earnRoutes(db),
      ...gateRoutes({ db, sender, mode: 'sandbox', sealer, webhooks: sealer, privateOrigin: '' }),
      ...walletRoutes({ db, sealer }),
    };
    return {
      db,
      calls: this.#sabotage.calls?.(calls) ?? calls,
      async run(...names) {
        for (const wanted of names) {
          for (const [name, turn] of loops) if (name.startsWith(wanted)) await turn().catch(unlessOfRail);
        }
      },
    };
  }

  /** The loops of rewards. */
  #rewards(db: Db): [string, () => Promise<unknown>][] {
    const sound = affiliateOrders(NAME);
    const reported = this.#sabotage.rewards?.(sound) ?? sound;
    const drain = (): Promise<unknown> => outbox.drain(db, reported);
    if (!this.hasSenders) return [['events of affiliates', drain]];
    return [
      ['events of affiliates', drain],
      ['due rewards', async () => (await fillWaiting(db)) + (await matureDue(db)) + (await settleOwed(db, NAME))],
    ];
  }

  /** The loops of wallets and invoices; without holders and shops there is nothing to poll. */
  #wallets(db: Db): [string, () => Promise<unknown>][] {
    if (this.mood.holders === 0 && !this.hasShops) return [];
    return [...this.#undelivered(db, 'events of wallets'), ['due deposits', () => dueDeposits(db, NAME)]];
  }

  /** Events for wallets, under a name. */
  #undelivered(db: Db, name: string): [string, () => Promise<unknown>][] {
    return subscriptionsOf(OTHERS, this.ground.sender).map((one) => [`${name}: ${one.subscriber}`, () => outbox.drain(db, one)]);
  }

  #useRails(through: (rail: Rail) => Rail): void {
    useRails(new Map(Object.values(this.chains).map(({ rail }) => [rail.id, through(rail)])));
  }

  // --- time

  get now(): number {
    return this.#now;
  }

  /** The clock jumps; prices move a little. */
  async pass(ms: number): Promise<void> {
    this.#now += ms;
    // Up to 1.5 % an hour's jump, and back towards where it began.
    const drift = Math.round((this.dice.share() - 0.5) * 0.03 * this.#bitcoin * Math.min(1, ms / 3_600_000));
    this.#bitcoin = Math.round((this.#bitcoin + drift) * 0.9 + 9_000);
    this.#prices.push(this.#bitcoin);
    await this.ground.goOn(ms, new Date(this.#now), this.#bitcoin);
  }

  /** Lets the auditor check everything that has happened. */
  async poll(): Promise<void> {
    await this.auditor.poll();
    this.#prices = [this.#bitcoin];
  }

  // --- orders

  /** Returns orders in any of these states, as shown to people; without states all of them. */
  orders(...states: readonly string[]): StoredOrder[] {
    return [...this.auditor.orders.values()].filter((order) => states.length === 0 || states.includes(this.stateOf(order)));
  }

  /** Returns an order's state as shown to people. */
  stateOf({ view }: StoredOrder): string {
    return shownState(view, this.auditor.payoutOf(view));
  }

  chainOf(currency: string): Chain {
    return this.chains[currency === 'USDT_ERC20' ? 'USDT_ERC20' : 'BTC'];
  }

  /** Calls of a customer's browser. */
  visitor(db: Db, number: number): Context {
    return {
      db,
      locale: 'en',
      clientId: 'web',
      userAgent: '',
      ip: `198.51.${number % 250}.7`,
      deviceKey: `device ${number}`,
      ...freely,
    };
  }

  token({ view, tokenVersion }: StoredOrder): string {
    return this.ground.sender.tokens.make('order', view.id, tokenVersion);
  }

  /** Stops all faults. */
  calm(): void {
    this.#isCalm = true;
    for (const chain of Object.values(this.chains)) chain.calm();
  }
}
