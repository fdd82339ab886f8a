// A simulated desk for tests: memory rails, fixed prices, money, and the exchange. A test calls `turn` to run the background
// work.

import { randomBytes, randomUUID } from 'node:crypto';
import assert from 'node:assert/strict';
import { parse } from '@kurs/money';
import { queuedLetters } from '../../deliveries/testing.ts';
import { subscriptionsOf } from '../../collecting/index.ts';
import { type Level, configureCompliance, screenPayouts, screens } from '../../compliance/index.ts';
import { accounts, balances, post, verify } from '../../ledger/index.ts';
import { onlyBalances } from '../../ledger/testing.ts';
import {
  PAYIN_EVENT,
  paymentsCheck,
  type PayinBody,
  type PayinEvent,
  type PaymentsDeps,
  type PayoutBody,
  type PayoutEvent,
  paymentsDeps,
  paymentsWork,
  useRails,
} from '../../payments/index.ts';
import { type MemoryRail, openMemoryRail } from '../../payments/memory.ts';
import { reportOfPayout } from '../../payments/testing.ts';
import { type Db, type Sealer, advanceClock, outbox, newId, openTokens, signaturesFrom } from '../../platform/index.ts';
import { testDb, testSealer } from '../../platform/testing.ts';
import { seedPricing, watchPricing } from '../../pricing/index.ts';
import { seedRates, watchRates } from '../../rates/index.ts';
import { ORDER_OWNER } from '../order-owner.ts';
import { step1, step2, step3 } from '../calculation/calculate.ts';
import type { ChooseDeps } from '../actions/choose.ts';
import { orderCheck } from '../proof/check-books.ts';
import { ownAccounts } from '../machine/postings.ts';
import { type OrderView, RESTING } from '../order/order.ts';
import { orderMac } from '../order/store/order-mac.ts';
import { type StoredOrder, readOrder, readOrders } from '../order/store/order-store.ts';
import { recordPrices } from './prices.testing.ts';
import { type SignedIn, openHolder } from './signed-in.testing.ts';
import { wordsMissing } from './words-missing.testing.ts';
import { placeOrder } from '../actions/place-order.ts';
import type { Receipts } from '../calculation/receipt.ts';
import { sweepDue } from '../apply/sweep-due.ts';
import { ordersMayLeave } from '../apply/payout-obstacles.ts';
import { type ShownState, shownStates } from '../views/shown-state.ts';

const seed = {
  assets: [
    { code: 'USD', kind: 'peg', peg: '1' },
    { code: 'USDT', kind: 'stable' },
    { code: 'BTC', kind: 'other' },
    { code: 'ETH', kind: 'other' },
    { code: 'TRX', kind: 'other' },
  ],
  currencies: [
    { code: 'BTC', name: 'Bitcoin', kind: 'crypto', confirmations: '1–6', position: 1 },
    { code: 'USDT_ERC20', name: 'Tether', kind: 'crypto', confirmations: '12–64', position: 2 },
  ],
  directions: [
    { slug: 'btc-usdt-erc20', from: 'BTC', to: 'USDT_ERC20', spread: [{ from: '0', percent: '0.5' }], isOn: true, position: 1 },
    { slug: 'usdt-erc20-btc', from: 'USDT_ERC20', to: 'BTC', spread: [{ from: '0', percent: '0.5' }], isOn: true, position: 2 },
  ],
};

/** Currency and direction that `hasPaypal` adds. */
const PAYPAL = {
  currency: { code: 'PAYPAL_USD', name: 'PayPal', kind: 'ewallet', confirmations: '', position: 3 },
  direction: {
    slug: 'paypal-usdt-erc20',
    from: 'PAYPAL_USD',
    to: 'USDT_ERC20',
    spread: [{ from: '0', percent: '5' }],
    isOn: true,
    position: 3,
  },
};

export const UNITS = { BTC: 'BTC', USDT_ERC20: 'USDT' } as const;
export type Code = keyof typeof UNITS;
const VISITOR = { device: 'device', ip: '203.0.113.7' } as const;
let customers = 0;

export interface PlaceOptions {
  readonly from?: Code | 'PAYPAL_USD';
  readonly amount?: string;
  readonly askMe?: boolean;
  readonly email?: string;
  readonly locale?: 'en' | 'ru';
  /** Name of the customer's device; by default each calculation has a new one. */
  readonly as?: string;
  readonly coupon?: string;
  readonly ref?: string;
  /** The account holder who is signed in. */
  readonly own?: SignedIn;
}

/** A queued letter. */
export interface Mailed {
  readonly kind: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A simulated desk. */
export interface World {
  readonly db: Db;
  /** Connection of the database's owner, who may change everything. */
  readonly owner: Db;
  readonly deps: ChooseDeps & { readonly receipts: Receipts; readonly sealer: Sealer };
  readonly rails: Readonly<Record<Code, MemoryRail>>;
  /** PayPal's rail, with `hasPaypal`. */
  readonly paypal: MemoryRail | undefined;
  /** Opens an account with a verified mailbox and a verification level. */
  holder(level?: Level, email?: string): Promise<SignedIn>;
  /** Takes a new customer's calculation through its three steps. */
  calculate(options?: PlaceOptions): Promise<{ id: string; token: string }>;
  /** Takes a new customer's calculation through its three steps, and places the order. */
  place(options?: PlaceOptions): Promise<StoredOrder>;
  /** Sends a payment to the order's address, of the amount given by default, and returns the transaction's id. `amount`: a decimal. */
  pay(order: StoredOrder, amount?: string, options?: { isFeeOk?: boolean; from?: readonly string[] }): string;
  /** Mines blocks on all chains, advances the clock by a minute, and runs turns until all effects have happened. */
  mine(blocks?: number): Promise<void>;
  /** Runs the background work once: rails, events and timers. */
  turn(): Promise<void>;
  /** Advances the clock, records prices of the new moment, and runs one turn. */
  pass(minutes: number): Promise<void>;
  /** Sets the price of a bitcoin in USD. */
  price(btc: string): Promise<void>;
  order(order: StoredOrder): Promise<StoredOrder>;
  /** Returns an order's public state. */
  state(order: StoredOrder): Promise<ShownState>;
  /** Publishes an event about an order's current or last transfer, as the payments room would. The rail itself is not involved. */
  report(order: StoredOrder, event: PayoutEvent, extra?: Partial<PayoutBody>): Promise<void>;
  /** Publishes an event about a payment to an order, as the payments room would if the rail had reported it. */
  reportPayin(order: StoredOrder, payinId: string, event: PayinEvent, extra?: Partial<PayinBody>): Promise<void>;
  /** Stops automatic sending, so that a test decides each outcome by `report`. */
  holdSends(isHeld?: boolean): void;
  /** Returns the unallocated payments of an order. */
  unallocatedPayments(order: StoredOrder): Promise<StoredOrder[]>;
  token(order: StoredOrder): string;
  /** Returns the newest code that was mailed about an order. */
  code(order: StoredOrder): Promise<string>;
  letters(order: StoredOrder): Promise<string[]>;
  /** Returns the letters about an order, oldest first. */
  mails(order: StoredOrder): Promise<Mailed[]>;
  events(order: StoredOrder): Promise<string[]>;
  /** Stores a correct MAC for an order's row after a test has changed the row. */
  store(order: StoredOrder): Promise<void>;
  /** Proves the books, and that every order's positions match its accounts. */
  audit(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a simulated desk in a fresh database, with 50 BTC and 2 000 000 USDT; a bitcoin costs 90 000 USD. `vouchers`: BTC is a
 * provider's currency, paid in and out as vouchers. `hasPaypal`: customers can pay with PayPal, whose fee of 5 % the desk bears.
 */
export async function openWorld({ vouchers = false, hasPaypal = false } = {}): Promise<World> {
  const { db, owner, drop } = await testDb();
  const rails = {
    BTC: openMemoryRail({
      id: vouchers ? 'vouchers' : 'bitcoin',
      ...(vouchers && { provider: { hasDedupe: false, by: 'voucher' } }),
      currencies: [
        { code: 'BTC', unit: 'BTC', payDigits: 8 },
        { code: 'LTC', unit: 'LTC', payDigits: 8 },
      ],
      fee: 1_500n,
    }),
    USDT_ERC20: openMemoryRail({
      id: 'evm',
      currencies: [{ code: 'USDT_ERC20', unit: 'USDT', payDigits: 2 }],
      fuel: 'ETH',
      batch: 1,
      fee: 10n ** 14n,
    }),
  };
  const dollars = [{ code: 'PAYPAL_USD', unit: 'PAYPAL_USD', payDigits: 2 }];
  const paypal = hasPaypal ? openMemoryRail({ id: 'paypal', provider: { hasDedupe: true }, currencies: dollars }) : undefined;
  const all = [rails.BTC, rails.USDT_ERC20, ...(paypal ? [paypal] : [])];
  const railOf = (code: string): MemoryRail => (code === 'PAYPAL_USD' ? paypal : undefined) ?? rails[code as Code];
  useRails(new Map(all.map(({ rail }) => [rail.id, rail])));
  configureCompliance({ botKey: 'key', passToken: 'sandbox', isLoopbackCounted: true });
  rails.BTC.world.fund('BTC', 'hot', parse('BTC', '50').parts);
  rails.USDT_ERC20.world.fund('USDT_ERC20', 'hot', parse('USDT', '2000000').parts);
  rails.USDT_ERC20.world.fund('ETH', 'fuel', parse('ETH', '50').parts);
  await seedDesk(db, hasPaypal);
  const tokens = openTokens(new Map([[1, randomBytes(32)]]));
  const issuer = { name: 'Kurs', url: 'http://kurs.test' };
  const receipts = { signatures: signaturesFrom([randomBytes(32)]), issuer };
  const deps = { db, sealer: testSealer, sender: { tokens, ...issuer }, receipts };
  const gates = { order: ordersMayLeave };
  const payments: PaymentsDeps = paymentsDeps(db, { gates, jitter: () => 0, callMs: 200, sealer: testSealer });
  const handlers = paymentsWork(payments).filter(({ name }) => /:(prepare|redeem|watch|float|pay|follow|post|recall)/.test(name));
  const subscriptions = subscriptionsOf([ORDER_OWNER], deps.sender);
  await outbox.subscribe(db, subscriptions);
  const report = async (): Promise<void> => {
    for (const subscription of subscriptions) await outbox.drain(db, subscription);
  };
  let btc = '90000';
  const snapshot = (): Promise<void> => db.tx((tx) => recordPrices(tx, btc));
  await snapshot();
  const watches = [await watchRates(db)];
  let sends = true;
  const turn = async (): Promise<void> => {
    if (screens()) await screenPayouts(db);
    for (const work of handlers) if (sends || !work.name.includes(':pay:')) await work.turn();
    await report();
    await sweepDue(db, deps.sender);
    await report();
  };
  for (const work of handlers) await work.turn();
  const pricing = await watchPricing(db);
  const refresh = async (): Promise<void> => {
    for (const watch of watches) await watch.refresh();
    await pricing.refresh();
  };
  await refresh();

  const calculate = async ({
    from = 'BTC',
    amount = '0.005',
    askMe = false,
    email,
    locale = 'en',
    as,
    own,
    ...code
  }: PlaceOptions = {}) => {
    customers += 1;
    const mail = email ?? own?.email ?? `customer${customers}@example.org`;
    const to: Code = from === 'USDT_ERC20' ? 'BTC' : 'USDT_ERC20';
    const visitor = { ...VISITOR, locale, device: as ?? `device ${customers}`, ip: `198.51.${customers % 250}.7` };
    const calculating = { db, tokens, approvalFor: () => 0, operators: async () => 2, receipts };
    const small = from === 'BTC' ? '0.005' : '500';
    const begun = await step1(calculating, { from, to, amount: small, side: 'give', ...code }, visitor, own);
    const known = { id: begun.id, token: begun.token as string };
    const accounts = { receive: { ...rails[to].receiver() }, refund: { ...railOf(from).receiver() } };
    await step2(calculating, { ...known, ...accounts, email: mail, terms_accepted: true, ask_me: askMe }, visitor, own);
    // The amount is set again once the customer is known: a holder's level may allow more than a visitor's.
    await step1(calculating, { ...known, from, to, amount, side: 'give', ...code }, visitor, own);
    await step3(calculating, { ...known, bot_token: 'sandbox' }, visitor, own);
    return known;
  };

  const lastSends = new Map<string, NonNullable<StoredOrder['view']['facts']['transfer']>>();
  const world: World = {
    db,
    owner,
    deps,
    rails,
    paypal,
    holder: (level, email) => openHolder(db, level, email),
    calculate,
    place: async (options) => placeOrder(deps, { ...(await calculate(options)), holderId: options?.own?.id }),
    pay({ view, payTo }, amount, options = {}) {
      const { currency, unit, parts } = view.give;
      const paid = amount === undefined ? parts : parse(unit, amount).parts;
      return railOf(currency).world.pay(payTo ?? '', paid, { currency, ...options });
    },
    async mine(blocks = 1) {
      for (const { world: chain } of all) chain.mine(blocks);
      await world.pass(1);
      for (let at = 0; at < 3; at += 1) await turn();
    },
    turn,
    async pass(minutes) {
      await advanceClock(db, minutes * 60_000);
      await snapshot();
      await refresh();
      await turn();
    },
    async price(given) {
      btc = given;
      await snapshot();
      await refresh();
    },
    async order({ number }) {
      const found = await readOrder(db, number);
      assert.ok(found);
      return found;
    },
    async state(order) {
      const { view } = await world.order(order);
      return (await shownStates(db, [view])).get(view.id)?.state ?? assert.fail();
    },
    async report(order, event, extra = {}) {
      const { view } = await world.order(order);
      // A failed transfer may still be found late, so its last known state is used.
      const transfer = view.facts.transfer ?? view.facts.sent ?? lastSends.get(view.id);
      assert.ok(transfer);
      lastSends.set(view.id, transfer);
      await reportOfPayout(db, transfer.intent, event, extra);
      await report();
    },
    async reportPayin({ view }, payinId, event, extra = {}) {
      const now = (await db.now()).toISOString();
      const { currency, unit } = view.give;
      const body = {
        payinId,
        owner: { kind: 'order', id: view.id },
        event,
        currency,
        unit,
        place: 'hot',
        parts: '1000',
        txid: payinId,
        from: [],
        isFeeOk: true,
        seenAt: now,
        confirmations: 0,
        needed: 1,
        ...extra,
      };
      await db.tx((tx) => outbox.publish(tx, [{ id: newId(), kind: PAYIN_EVENT, subject: `order:${view.id}`, body }]));
      await report();
    },
    holdSends: (isHeld = true) => void (sends = !isHeld),
    async unallocatedPayments({ view }) {
      const rows = await db.rows<{ id: string }>('select id from customer_order where unallocated_of = $1 order by created_at', [
        view.id,
      ]);
      return readOrders(
        db,
        rows.map(({ id }) => id),
      );
    },
    token: ({ view, tokenVersion }) => tokens.make('order', view.id, tokenVersion),
    async code({ view }) {
      const found = await queuedLetters(db, { key: `order ${view.id} code%` });
      return /^\d{6}$/m.exec(found.at(-1)?.text ?? '')?.[0] ?? '';
    },
    async letters({ view }) {
      const rows = await db.rows<{ key: string }>('select key from mail where key like $1 order by id', [`order ${view.id} %`]);
      return rows.map(({ key }) => key.split(' ')[2] ?? '');
    },
    async mails({ view }) {
      const found = await queuedLetters(db, { key: `order ${view.id} %` });
      return found.map(({ key, subject, text, html }) => ({ kind: key.split(' ')[2] ?? '', subject, text, html }));
    },
    async events({ view }) {
      const rows = await db.rows<{ event: string }>('select event from order_event where order_id = $1 order by seq', [view.id]);
      return rows.map(({ event }) => event).filter((event) => !event.endsWith('progress'));
    },
    async store({ number }) {
      const order = (await readOrder(db, number)) ?? assert.fail(number);
      await db.run('update customer_order set mac = $2 where id = $1', [order.view.id, orderMac(order)]);
    },
    audit: () => audit(db),
    async close() {
      await pricing.stop();
      for (const watch of watches) await watch.stop();
      await drop();
    },
  };
  return world;
}

async function seedDesk(db: Db, hasPaypal: boolean): Promise<void> {
  await db.tx(async (tx) => {
    await seedRates(tx, seed.assets);
    await seedPricing(tx, {
      currencies: [...seed.currencies, ...(hasPaypal ? [PAYPAL.currency] : [])],
      directions: [...seed.directions, ...(hasPaypal ? [PAYPAL.direction] : [])],
    });
    for (const [currency, fuel, parts] of [
      ['BTC', 'BTC', 1_500n],
      ['USDT_ERC20', 'ETH', 2n * 10n ** 14n],
    ] as const) {
      await tx.run('insert into network_cost (currency, fuel, parts, at) values ($1, $2, $3, now())', [currency, fuel, parts]);
    }
    const capital = (code: string, unit: string, amount: string, place: 'hot' | 'fuel' = 'hot') => ({
      id: randomUUID(),
      kind: 'capital_in' as const,
      cause: randomUUID(),
      legs: [{ from: accounts.custody(code, place, unit), to: accounts.deskFree(unit), parts: parse(unit, amount).parts }],
    });
    await post(tx, [capital('BTC', 'BTC', '50'), capital('USDT_ERC20', 'USDT', '2000000'), capital('ETH', 'ETH', '50', 'fuel')]);
  });
}

/**
 * Runs the proof of the books. Checks for each order that its positions match its accounts, and that the accounts are empty in a
 * final state. Checks that all search terms are stored.
 */
async function audit(db: Db): Promise<void> {
  const report = await verify(db, { checks: [paymentsCheck, orderCheck].map(onlyBalances) });
  assert.deepEqual(report.faults, []);
  const ids = await db.rows<{ id: string }>('select id from customer_order');
  const orders = await readOrders(
    db,
    ids.map(({ id }) => id),
  );
  for (const { view } of orders) await auditOrder(db, view);
  assert.deepEqual(await wordsMissing(db), [], 'each is found by its own words');
}

async function auditOrder(db: Db, view: OrderView): Promise<void> {
  const own = Object.entries(ownAccounts(view)).flatMap(([name, ref]) =>
    ref ? [{ name: name as keyof OrderView['positions'], ref }] : [],
  );
  const held = await balances(
    db,
    own.map(({ ref }) => ref),
  );
  for (const [index, { name }] of own.entries())
    assert.equal(view.positions[name], held[index], `${view.id} ${view.state} ${name}`);
  if (!RESTING.has(view.state) || ['unclaimed', 'frozen', 'charged_back'].includes(view.state)) return;
  for (const [name, parts] of Object.entries(view.positions)) assert.equal(parts, 0n, `${view.state} with money in ${name}`);
}
