// A desk for the bench: the worker's own loops and the calls of customers, with in-memory rails that fulfil the contract of a
// rail without any network. Rates are constant and recorded as fresh.

import { randomBytes } from 'node:crypto';
import { parse } from '@kurs/money';
import { newHolder, writeHolderMacs } from '../../server/auth/testing.ts';
import { gatesOf, subscriptionsOf } from '../../server/collecting/index.ts';
import { configureCompliance } from '../../server/compliance/index.ts';
import {
  type CalculationDeps,
  type StoredOrder,
  ORDER_OWNER,
  placeOrder,
  runExchange,
  step1,
  step2,
  step3,
} from '../../server/exchange/index.ts';
import { INVOICE_OWNER, runGate } from '../../server/gate/index.ts';
import { approvedFor, invoiceFor, storeFor } from '../../server/gate/testing.ts';
import { putEndpoint } from '../../server/deliveries/index.ts';
import { fundDesk, paymentsDeps, runPayments, useRails } from '../../server/payments/index.ts';
import { testSealer } from '../../server/platform/testing.ts';
import { WALLET_OWNER, walletRoutes } from '../../server/wallets/index.ts';
import { type MemoryRail, openMemoryRail } from '../../server/payments/memory.ts';
import {
  type Context,
  type Db,
  type Tx,
  every,
  outbox,
  migrate,
  newId,
  openDb,
  openTokens,
  putSetting,
  signaturesFrom,
  watchSettings,
} from '../../server/platform/index.ts';
import { closedNow, directionOf, runCosts, seedPricing, watchPricing } from '../../server/pricing/index.ts';
import { recordSnapshot, seedRates, watchRates } from '../../server/rates/index.ts';
import { until } from '../../e2e/harness/system.ts';
import defaults from '../../server/bin/seed/defaults.json' with { type: 'json' };
import { GIVING, type Gifts, openGiving } from './giving.ts';
import { addressOf } from './measure.ts';

export interface Desk {
  readonly db: Db;
  /** A new customer, from a network of their own, places an order through the three steps. */
  place(): Promise<StoredOrder>;
  /** Pays an order in full. The payment waits in the mempool of its chain. */
  pay(order: StoredOrder): void;
  /** Returns the address of a new account holder for dollars. */
  openWallet(): Promise<string>;
  /** Pays into a wallet. The payment waits in the mempool of its chain. */
  payInto(address: string): void;
  /** Makes an invoice of one store, half of them to be paid in bitcoin, and returns a function that pays it. */
  sell(): Promise<() => void>;
  /** Mines blocks on both chains. */
  mine(blocks: number): void;
  stop(): Promise<void>;
}

const UNITS = { BTC: 'BTC', USDT_ERC20: 'USDT' } as const;
type Code = keyof typeof UNITS;
const CAPITAL = [
  { currency: 'BTC', unit: 'BTC', amount: '5000', place: 'hot' },
  { currency: 'USDT_ERC20', unit: 'USDT', amount: '500000000', place: 'hot' },
  { currency: 'ETH', unit: 'ETH', amount: '50000', place: 'fuel' },
] as const;
/** Settings as in the sandbox's seed: no payout needs approval. No mail. */
const SETTINGS = {
  'exchange.auto_desk_hour_usd': '1000000000',
  'exchange.auto_desk_day_usd': '1000000000',
  'exchange.auto_float_percent': 100,
  'exchange.mails': false,
  // No round of invoices reaches a store's limits.
  'gate.business_day_usd': '1000000000',
  'gate.unpaid_options': 1_000_000,
};
/** The product's directions between the two chains here. */
const DIRECTIONS = defaults.directions.filter((one) => [one.from, one.to].every((code) => Object.hasOwn(UNITS, code)));

const PRICE_MS = 5_000;
/** Minor units of a deposit of 100 USDT. */
const DEPOSITED = 100_000_000n;

/** Opens the desk in an empty database, once in a process. `gives`: customers have a coupon and an affiliate. */
export async function openDesk(url: string, { gives = false } = {}): Promise<Desk> {
  await migrate(url, 'sandbox');
  const db = openDb({ url, name: 'bench-worker', max: 16, budget: 20_000, connectMs: 20_000 });
  const rails = openRails();
  configureCompliance({ botKey: 'key', passToken: 'sandbox', isLoopbackCounted: true });
  await db.tx(async (tx) => {
    await seedRates(tx, defaults.assets);
    await seedPricing(tx, { currencies: defaults.currencies, directions: DIRECTIONS });
    for (const [key, value] of Object.entries(SETTINGS)) await putSetting(tx, key, value, 'bench');
    await recordPrices(tx);
    await fundDesk(
      tx,
      CAPITAL.map(({ currency, unit, amount, place }) => ({ id: newId(), currency, place, parts: parse(unit, amount).parts })),
    );
  });

  const tokens = openTokens(new Map([[1, randomBytes(32)]]));
  const issuer = { name: 'Kurs', url: 'http://bench.test' };
  const sender = { tokens, ...issuer };
  const receipts = { signatures: signaturesFrom([randomBytes(32)]), issuer };
  const settings = await watchSettings(db);
  const rates = await watchRates(db);
  // The loops of bin/worker.ts without mail and the markets.
  const owners = [ORDER_OWNER, WALLET_OWNER, INVOICE_OWNER];
  const subscriptions = [...subscriptionsOf(owners, sender), ...(gives ? GIVING : [])];
  await outbox.subscribe(db, subscriptions);
  const running = [
    every(PRICE_MS, 'bench prices', () => db.tx(recordPrices)),
    runCosts(db),
    runPayments(paymentsDeps(db, { gates: gatesOf(owners) })),
    outbox.run(db, subscriptions),
    runExchange(db, sender),
    runGate(db, sender),
  ];
  const pricing = await watchPricing(db);
  // Waits until the loops have polled the rails' health and costs of sending.
  await until('the desk to open', 20_000, async () => DIRECTIONS.every(({ from, to }) => !closedNow(directionOf(from, to))));
  const gifts = gives ? await openGiving(db) : undefined;
  const customers = openCustomers({ db, tokens, approvalFor: () => 0, operators: async () => 2, receipts }, rails, gifts);
  const store = await openStore(db);
  let sales = 0;
  return {
    db,
    place: async () => placeOrder({ db, sender, receipts, sealer: testSealer }, await customers.calculate()),
    pay({ view, payTo }) {
      const { currency, parts } = view.give;
      rails[currency as Code].world.pay(payTo as string, parts, { currency });
    },
    openWallet: () => openWallet(db),
    payInto: (address) => void rails.USDT_ERC20.world.pay(address, DEPOSITED, { currency: 'USDT_ERC20' }),
    async sell() {
      const code: Code = sales++ % 2 === 0 ? 'BTC' : 'USDT_ERC20';
      const { view } = await invoiceFor(db, store, '450.00', code);
      const { to = '', parts = 0n } = view.options.at(-1) ?? {};
      return () => void rails[code].world.pay(to, parts, { currency: code });
    },
    mine: (blocks) => Object.values(rails).forEach(({ world }) => world.mine(blocks)),
    async stop() {
      await Promise.all(running.map((one) => one.stop()));
      await Promise.all([pricing.stop(), rates.stop(), settings.stop()]);
      await db.close();
    },
  };
}

async function openWallet(db: Db): Promise<string> {
  const id = newId();
  const user = { id, email: `${id}@bench.test`, sessionId: id };
  await db.run(`insert into account_holder (id, email, email_key, locale, created_at) values ($1, $2, $2, 'en', clock_now())`, [
    user.id,
    user.email,
  ]);
  await writeHolderMacs(db);
  const context = { user, locale: 'en', ip: addressOf(0), deviceKey: id, limit: () => {} } as unknown as Context;
  const { deposit } = await walletRoutes({ db, sealer: testSealer }).walletStore({ currency: 'USDT', rail: 'evm' }, context);
  if (!deposit) throw new Error('there is nothing to pay into');
  return deposit.address;
}

/** Opens a store of an approved business, with a webhook for all events. Returns its id. */
async function openStore(db: Db): Promise<string> {
  const holder = await newHolder(db);
  const { id } = await approvedFor(db, holder);
  const store = await storeFor(db, holder, id, { settlementCurrency: 'USDT_ERC20' });
  const webhook = { id: newId(), owner: `store:${store.id}`, kind: 'gate', url: 'https://shop.example/' };
  await db.tx((tx) => putEndpoint(tx, webhook));
  return store.id;
}

/** A chain of coins that pays many at once, and a chain of accounts that pays one by one, as the product has. */
function openRails(): Record<Code, MemoryRail> {
  const rails = {
    BTC: openMemoryRail({ id: 'bitcoin', currencies: [{ code: 'BTC', unit: 'BTC', payDigits: 8 }], fee: 1_500n }),
    USDT_ERC20: openMemoryRail({
      id: 'evm',
      currencies: [{ code: 'USDT_ERC20', unit: 'USDT', payDigits: 2 }],
      fuel: 'ETH',
      batch: 1,
      fee: 10n ** 14n,
    }),
  };
  useRails(new Map(Object.values(rails).map(({ rail }) => [rail.id, rail])));
  for (const { currency, unit, amount, place } of CAPITAL) {
    const { world } = currency === 'BTC' ? rails.BTC : rails.USDT_ERC20;
    world.fund(currency, place, parse(unit, amount).parts);
  }
  return rails;
}

function openCustomers(deps: CalculationDeps, rails: Record<Code, MemoryRail>, gifts: Gifts | undefined) {
  let customers = 0;
  return {
    async calculate(): Promise<{ id: string; token: string }> {
      const number = customers++;
      const [from, to, amount]: [Code, Code, string] =
        number % 2 === 0 ? ['BTC', 'USDT_ERC20', '0.005'] : ['USDT_ERC20', 'BTC', '400'];
      const visitor = { locale: 'en', device: `device ${number}`, ip: addressOf(number) } as const;
      const begun = await step1(deps, { from, to, amount, side: 'give', ...gifts }, visitor);
      const known = { id: begun.id, token: begun.token as string };
      const accounts = { receive: { ...rails[to].receiver() }, refund: { ...rails[from].receiver() } };
      await step2(deps, { ...known, ...accounts, email: `${number}@bench.test`, terms_accepted: true, ask_me: false }, visitor);
      await step3(deps, { ...known, bot_token: 'sandbox' }, visitor);
      return known;
    },
  };
}

async function recordPrices(tx: Tx): Promise<void> {
  const usual = { at: tx.now.toISOString(), live: 3, deviation: '0.0500' };
  const assets = {
    USD: { bid: '1', ask: '1', live: 1, deviation: '0.0000' },
    USDT: { ...usual, bid: '1', ask: '1', deviation: '0.0100' },
    BTC: { ...usual, bid: '90000', ask: '90000' },
    ETH: { ...usual, bid: '3000', ask: '3000' },
  };
  await recordSnapshot(tx, { assets, sources: {}, isSeeded: true });
}
