// A desk with memory rails, fixed prices and a store, whose invoices are paid. A test calls `turn` to run the background work.

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { type Input, type Routes } from '@kurs/contract';
import { parse } from '@kurs/money';
import { newHolder } from '../../auth/testing.ts';
import { gatesOf, subscriptionsOf } from '../../collecting/index.ts';
import { configureCompliance } from '../../compliance/index.ts';
import type { Sender } from '../../deliveries/index.ts';
import { ORDER_OWNER, sweepDue } from '../../exchange/index.ts';
import { recordPrices } from '../../exchange/testing.ts';
import { accounts, balances, post, verify } from '../../ledger/index.ts';
import { onlyBalances } from '../../ledger/testing.ts';
import { type PaymentsDeps, paymentsCheck, paymentsDeps, paymentsWork, useRails } from '../../payments/index.ts';
import { type MemoryRail, openMemoryRail } from '../../payments/memory.ts';
import { type Db, type Tx, advanceClock, openTokens, outbox, watchSettings } from '../../platform/index.ts';
import { testDb, testSealer } from '../../platform/testing.ts';
import { seedPricing, watchPricing } from '../../pricing/index.ts';
import { recordSnapshot, seedRates, watchRates } from '../../rates/index.ts';
import { SENDER, approvedFor } from '../businesses/businesses.testing.ts';
import { chooseMethod } from '../actions/choose-method.ts';
import { makeInvoice } from '../actions/make-invoice.ts';
import { dueInvoices } from '../apply/due-invoices.ts';
import { INVOICE_OWNER } from '../invoice-owner.ts';
import { dueRefunds } from '../refunds/actions/end-refund.ts';
import { REFUND_OWNER } from '../refunds/refund-owner.ts';
import { type PaymentOption } from '../invoices/invoice.ts';
import { currentOption } from '../invoices/options.ts';
import { storeFor } from '../members/stores.testing.ts';
import { eventsOf } from '../rows/event-rows.ts';
import { readInvoice } from '../rows/invoice-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import type { Store } from '../stores/store.ts';
import { dueDebts } from '../settlements/due-debts.ts';
import { dueMoves } from '../settlements/due-moves.ts';
import { saveStore } from '../stores/store-rows.ts';

const steps = [{ from: '0', percent: '1' }];
const CODES = ['BTC', 'USDT_ERC20', 'USDT_TRC20', 'PAYEER_USD'] as const;
/** Currencies of the desk. */
export type Code = (typeof CODES)[number];
const UNITS = { BTC: 'BTC', USDT_ERC20: 'USDT', USDT_TRC20: 'USDT', PAYEER_USD: 'PAYEER_USD' } as const;

const seed = {
  assets: [
    { code: 'USD', kind: 'peg', peg: '1' },
    { code: 'USDT', kind: 'stable' },
    ...['BTC', 'ETH', 'TRX'].map((code) => ({ code, kind: 'other' })),
  ],
  currencies: CODES.map((code, position) => ({
    ...{ code, name: code, kind: code === 'PAYEER_USD' ? 'ewallet' : 'crypto', confirmations: '1–6', position },
  })),
  directions: [
    ...CODES.filter((code) => code !== 'USDT_ERC20').map((from, position) => ({
      ...{ slug: `${from.toLowerCase()}-usdt`.replaceAll('_', '-'), from, to: 'USDT_ERC20', spread: steps, isOn: true, position },
    })),
    { slug: 'usdt-erc20-btc', from: 'USDT_ERC20', to: 'BTC', spread: steps, isOn: true, position: CODES.length },
  ],
};

const PAYPAL = ['PAYPAL_USD', 'PAYPAL_EUR'] as const;
type PayPalCode = (typeof PAYPAL)[number];

const withPaypal = {
  assets: [...seed.assets, { code: 'EUR', kind: 'stable' }],
  currencies: [
    ...seed.currencies,
    ...PAYPAL.map((code, at) => ({ code, name: 'PayPal', kind: 'ewallet', confirmations: '', position: 8 + at })),
  ],
  directions: [
    ...seed.directions,
    ...PAYPAL.map((from, at) => ({
      ...{ slug: `${from.toLowerCase()}-usdt-erc20`.replaceAll('_', '-'), from, to: 'USDT_ERC20' },
      ...{ spread: steps, isOn: true, position: 8 + at },
    })),
  ],
};

const withLitecoin = {
  assets: [...seed.assets, { code: 'LTC', kind: 'other' }],
  currencies: [...seed.currencies, { code: 'LTC', name: 'LTC', kind: 'crypto', confirmations: '1–6', position: 9 }],
  directions: [
    ...seed.directions,
    { slug: 'ltc-usdt-erc20', from: 'LTC', to: 'USDT_ERC20', spread: steps, isOn: true, position: 9 },
  ],
};

export interface InvoiceWorld {
  readonly db: Db;
  readonly owner: Db;
  readonly sender: Sender;
  readonly rails: Readonly<Record<Code, MemoryRail>>;
  /** PayPal's rail, with `hasPaypal`. */
  readonly paypal: MemoryRail | undefined;
  readonly store: Store;
  /** Makes an invoice of 100.00 USD, unless `more` says otherwise. */
  make(more?: Partial<Input<Routes['invoiceMake']>>): Promise<StoredInvoice>;
  /** Chooses a method, lets a payment system prepare the payment, and returns the option. */
  choose(invoice: StoredInvoice, method: Code | PayPalCode, amount?: string): Promise<PaymentOption>;
  /** Pays to an option: its amount, or a decimal, perhaps in a foreign currency of its address. Returns the transaction. */
  pay(
    option: PaymentOption,
    amount?: string,
    more?: { readonly isFeeOk?: boolean; readonly currency?: string; readonly from?: readonly string[] },
  ): string;
  /** Mines blocks on all chains, and runs turns until all effects have happened. */
  mine(blocks?: number): Promise<void>;
  turn(): Promise<void>;
  /** Advances the clock, records prices of the new moment, and runs one turn. */
  pass(minutes: number): Promise<void>;
  /** Sets the price of a bitcoin in USD, and with PayPal that of a euro. */
  price(btc: string, eur?: string): Promise<void>;
  /** Takes the prices of all assets but the dollar away. */
  closeRates(): Promise<void>;
  /** Reads settings again that a test has changed. */
  refreshSettings(): Promise<void>;
  read(invoice: StoredInvoice): Promise<StoredInvoice>;
  /** Returns the kinds of the invoice's events. */
  events(invoice: StoredInvoice): Promise<string[]>;
  /** Changes the settings of the store. */
  change(settings: Partial<Store>): Promise<void>;
  /** Returns the store's balance in a unit, as parts. */
  merchant(unit: string): Promise<bigint>;
  /** Proves the books, with the rows of invoices and orders. Returns what is accused. */
  prove(): Promise<string[]>;
  close(): Promise<void>;
}

/**
 * Opens a desk with 50 BTC, 5 000 USD at Payeer and `usdt` USDT; a bitcoin costs 90 000 USD. The store is settled in
 * USDT. `hasRefunds`: true if payouts of refunds are handled and proved, too. `hasLitecoin`: true if the desk takes litecoin, which
 * costs 90 USD. `hasPaypal`: true if it takes PayPal in dollars and in euros, for businesses for which it is switched on. A euro costs
 * 1.10 USD then.
 */
export async function openInvoiceWorld({
  usdt = '2000000',
  hasRefunds = false,
  hasLitecoin = false,
  hasPaypal = false,
} = {}): Promise<InvoiceWorld> {
  const { db, owner, drop } = await testDb();
  const currency = (code: Code, payDigits: number) => [{ code, unit: UNITS[code], payDigits }];
  const rails = {
    BTC: openMemoryRail({
      // Litecoin arrives at the same addresses.
      ...{ id: 'bitcoin', currencies: [...currency('BTC', 8), { code: 'LTC', unit: 'LTC', payDigits: 8 }], fee: 1_500n },
    }),
    USDT_ERC20: openMemoryRail({ id: 'evm', currencies: currency('USDT_ERC20', 2), fuel: 'ETH', batch: 1, fee: 10n ** 14n }),
    USDT_TRC20: openMemoryRail({ id: 'tron', currencies: currency('USDT_TRC20', 2), fuel: 'TRX', batch: 1, fee: 10n ** 6n }),
    PAYEER_USD: openMemoryRail({
      id: 'payeer',
      provider: { hasDedupe: true, by: 'redirect' },
      currencies: currency('PAYEER_USD', 2),
    }),
  };
  const units = PAYPAL.map((code) => ({ code, unit: code, payDigits: 2 }));
  const paypal = hasPaypal
    ? openMemoryRail({ id: 'paypal', provider: { hasDedupe: true, by: 'redirect' }, currencies: units })
    : undefined;
  const all = [...Object.values(rails), ...(paypal ? [paypal] : [])];
  const railOf = (code: string): MemoryRail => (code.startsWith('PAYPAL_') ? paypal : undefined) ?? rails[code as Code];
  useRails(new Map(all.map(({ rail }) => [rail.id, rail])));
  configureCompliance({ botKey: 'key', passToken: 'sandbox', isLoopbackCounted: true });
  rails.BTC.world.fund('BTC', 'hot', parse('BTC', '50').parts);
  rails.USDT_ERC20.world.fund('USDT_ERC20', 'hot', parse('USDT', usdt).parts);
  rails.USDT_ERC20.world.fund('ETH', 'fuel', parse('ETH', '50').parts);
  rails.PAYEER_USD.world.fund('PAYEER_USD', 'hot', parse('PAYEER_USD', '5000').parts);
  await seedDesk(db, usdt, { hasLitecoin, hasPaypal });
  const sender: Sender = { ...SENDER, tokens: openTokens(new Map([[1, randomBytes(32)]])) };
  const owners = [INVOICE_OWNER, ...(hasRefunds ? [REFUND_OWNER] : []), ORDER_OWNER];
  const payments: PaymentsDeps = paymentsDeps(db, { gates: gatesOf(owners), jitter: () => 0, callMs: 200, sealer: testSealer });
  const handlers = paymentsWork(payments).filter(({ name }) => /:(prepare|watch|float|pay|post|follow|recall)/.test(name));
  const subscriptions = subscriptionsOf(owners, sender);
  await outbox.subscribe(db, subscriptions);
  let btc: string | undefined = '90000';
  let eur = '1.1';
  const snapshot = (): Promise<unknown> =>
    db.tx((tx) =>
      btc === undefined ? recordNoPrices(tx) : recordPrices(tx, btc, hasLitecoin ? '90' : undefined, hasPaypal ? eur : undefined),
    );
  await snapshot();
  const settings = await watchSettings(db);
  const rates = await watchRates(db);
  for (const work of handlers) await work.turn();
  const pricing = await watchPricing(db);
  const refresh = async (): Promise<void> => {
    await rates.refresh();
    await pricing.refresh();
  };
  await refresh();
  const turn = async (): Promise<void> => {
    for (const work of handlers) await work.turn();
    for (const subscription of subscriptions) await outbox.drain(db, subscription);
    await dueInvoices(db, sender);
    await dueMoves(db);
    await dueDebts(db);
    await dueRefunds(db);
    await sweepDue(db, sender);
  };
  const holderId = await newHolder(db);
  const { id: businessId } = await approvedFor(db, holderId);
  let store = await storeFor(db, holderId, businessId);
  const world: InvoiceWorld = {
    ...{ db, owner, sender, rails, paypal, turn },
    get store() {
      return store;
    },
    make: (more = {}) => makeInvoice(db, { store: store.id, amount: '100.00', lines: [], metadata: {}, ...more }, 'en'),
    async choose(invoice, method, amount) {
      await chooseMethod(db, { id: invoice.view.id, method, amount }, 'en');
      await turn();
      return currentOption((await world.read(invoice)).view) ?? assert.fail('no option');
    },
    pay: ({ currency: code, unit, parts, to }, amount, more = {}) =>
      railOf(code).world.pay(to ?? assert.fail('no address'), amount === undefined ? (parts ?? 0n) : parse(unit, amount).parts, {
        currency: code,
        ...more,
      }),
    async mine(blocks = 70) {
      for (const { world: chain } of all) chain.mine(blocks);
      await world.pass(1);
      for (let at = 0; at < 3; at += 1) await turn();
    },
    async pass(minutes) {
      await advanceClock(db, minutes * 60_000);
      await snapshot();
      await refresh();
      await turn();
    },
    async price(given, euro = eur) {
      [btc, eur] = [given, euro];
      await snapshot();
      await refresh();
    },
    async closeRates() {
      btc = undefined;
      await snapshot();
      await refresh();
    },
    refreshSettings: () => settings.refresh(),
    read: ({ view }) => readInvoice(db, view.id),
    events: async ({ view }) => (await eventsOf(db, view.id)).map(({ kind }) => kind),
    async change(settings) {
      store = { ...store, ...settings };
      await db.tx((tx) => saveStore(tx, store));
    },
    merchant: async (unit) => (await balances(db, [accounts.merchant(store.id, unit)]))[0] ?? 0n,
    async prove() {
      const { faults } = await verify(db, { checks: [onlyBalances(paymentsCheck), ...owners.map(({ check }) => check)] });
      return faults.map(({ account = '', words }) => `${account} ${words}`);
    },
    async close() {
      await pricing.stop();
      await rates.stop();
      await settings.stop();
      await drop();
    },
  };
  return world;
}

/** Stores a snapshot that has the price of no coin. */
const recordNoPrices = (tx: Tx): Promise<unknown> =>
  recordSnapshot(tx, {
    assets: { USD: { bid: '1', ask: '1', live: 1, deviation: '0.0000' } },
    ...{ sources: {}, isSeeded: true },
  });

async function seedDesk(
  db: Db,
  usdt: string,
  { hasLitecoin, hasPaypal }: { readonly hasLitecoin: boolean; readonly hasPaypal: boolean },
): Promise<void> {
  const { assets, currencies, directions } = hasLitecoin ? withLitecoin : hasPaypal ? withPaypal : seed;
  await db.tx(async (tx) => {
    await seedRates(tx, assets);
    await seedPricing(tx, { currencies, directions });
    const costs = [
      ['BTC', 'BTC', 1_500n],
      ...(hasLitecoin ? [['LTC', 'LTC', 1_500n] as const] : []),
      ['USDT_ERC20', 'ETH', 2n * 10n ** 14n],
      ['USDT_TRC20', 'TRX', 10n ** 6n],
      ['PAYEER_USD', 'PAYEER_USD', 0n],
      ...(hasPaypal ? PAYPAL.map((code) => [code, code, 0n] as const) : []),
    ] as const;
    for (const [code, fuel, parts] of costs)
      await tx.run('insert into network_cost (currency, fuel, parts, at) values ($1, $2, $3, now())', [code, fuel, parts]);
    const capital = (code: string, unit: string, amount: string, place: 'hot' | 'fuel' = 'hot') => ({
      ...{ id: randomUUID(), kind: 'capital_in' as const, cause: randomUUID() },
      legs: [{ from: accounts.custody(code, place, unit), to: accounts.deskFree(unit), parts: parse(unit, amount).parts }],
    });
    await post(tx, [
      ...[capital('BTC', 'BTC', '50'), capital('USDT_ERC20', 'USDT', usdt), capital('ETH', 'ETH', '50', 'fuel')],
      capital('PAYEER_USD', 'PAYEER_USD', '5000'),
    ]);
  });
}
