// Simulated holders with wallets over one rail in memory, with prices and mailed codes. A test moves the simulation forward
// step by step. For tests only.

import assert from 'node:assert/strict';
import { parse } from '@kurs/money';
import type { Sender } from '../../deliveries/index.ts';
import { queuedLetters } from '../../deliveries/testing.ts';
import { writeHolderMacs } from '../../auth/testing.ts';
import { makeCode } from '../../auth/index.ts';
import { type Level, configureCompliance, screenPayouts, screens, setLevel } from '../../compliance/index.ts';
import { subscriptionsOf } from '../../collecting/index.ts';
import { accounts, leg, post, verify } from '../../ledger/index.ts';
import { onlyBalances } from '../../ledger/testing.ts';
import { moneyOutRoutes } from '../../moneyout/index.ts';
import { paymentsCheck } from '../../payments/index.ts';
import { type Desk, openDesk } from '../../payments/testing.ts';
import { type Context, type Tx, outbox, newId, openSealer, openTokens } from '../../platform/index.ts';
import { testSealer } from '../../platform/testing.ts';
import { type PricingWatch, seedPricing, watchPricing } from '../../pricing/index.ts';
import { type RatesWatch, recordSnapshot, seedRates, watchRates } from '../../rates/index.ts';
import { WALLET_OWNER } from '../wallet-owner.ts';
import { walletsMayLeave } from '../withdrawals/may-leave.ts';
import { walletCheck } from '../check-books.ts';
import { moneyOutOfWallets } from '../money-out-routes.ts';
import { walletRoutes } from '../routes.ts';

/** Functions of the simulation. A bitcoin costs 100 000 USD, so 0.001 BTC are 100 USD. Sending one payout costs 1 500 parts. */
export interface WalletWorld {
  readonly desk: Desk;
  readonly handlers: ReturnType<typeof moneyOutOfWallets> & ReturnType<typeof moneyOutRoutes> & ReturnType<typeof walletRoutes>;
  /** Makes a holder with a sum in their wallet, of level 3 unless stated. */
  holder(btc?: string, level?: number): Promise<string>;
  /** Returns a new address that belongs to nobody in the simulation. */
  address(): { address: string };
  /** Returns the mailed code that confirms an action. `about`: the action, as in the call. */
  code(holder: string, about: string | undefined): Promise<string>;
  /** Requests a withdrawal, with the code that confirms it. */
  withdraw(holder: string, btc: string, to?: { address: string }): ReturnType<WalletWorld['handlers']['walletWithdrawRequest']>;
  /** Makes a transfer, with the code that confirms it. */
  transfer(holder: string, btc: string, to: string): ReturnType<WalletWorld['handlers']['walletTransfer']>;
  available(holder: string): Promise<bigint>;
  /** Carries out all automatic steps, and mines blocks in between. */
  settle(): Promise<void>;
  /** Delivers all events, without sending payouts. */
  report(): Promise<void>;
  letters(holder: string): Promise<string[]>;
  /** Sets the price of a bitcoin in USD. */
  bitcoinAt(usd: string): Promise<void>;
  isRight(): Promise<void>;
  close(): Promise<void>;
}

export const emailOf = (id: string): string => `${id}@example.org`;
/** Sender of the letters in these tests. */
export const SENDER: Sender = { tokens: openTokens(new Map([[1, Buffer.alloc(32, 5)]])), name: 'Kurs', url: 'http://kurs.test' };
/** Each holder has one session, whose id is that of their account. */
const sessionOf = (id: string): string => id;
export const as = (id: string, more: Partial<Context> = {}): Context =>
  ({
    user: { id, email: emailOf(id), sessionId: sessionOf(id) },
    locale: 'en',
    ip: '203.0.113.7',
    deviceKey: id,
    limit: () => {},
    ...more,
  }) as Context;

/**
 * Opens the simulation in a fresh database. `vouchers`: payouts are vouchers, as a provider makes them. `dollars`: the rail
 * carries USDT besides bitcoin, and sending USDT costs 1 500 parts.
 */
export async function walletWorld({ vouchers = false, dollars = false } = {}): Promise<WalletWorld> {
  configureCompliance({ botKey: 'key', isLoopbackCounted: true });
  const desk = await openDesk(
    {
      ...{ id: 'bitcoin', fee: 1_500n, currencies: dollars ? [BITCOIN, DOLLARS] : [BITCOIN] },
      ...(vouchers && { provider: { hasDedupe: false, by: 'voucher' as const } }),
    },
    // A generous time limit: nothing hangs in these tests, but a busy machine is slow.
    { callMs: 2_000, gates: { wallet: walletsMayLeave } },
  );
  const { db } = desk;
  if (dollars) {
    desk.world.fund(DOLLARS.code, 'hot', parse('USDT', '1000000').parts);
    // A rail's balance is cached for seconds, so it must be read again now.
    await desk.read();
  }
  const watches = await openPrices(desk, dollars);
  const subscriptions = subscriptionsOf([WALLET_OWNER], SENDER);
  await outbox.subscribe(db, subscriptions);
  // Second factors and vouchers are sealed under separate keys, as in production.
  const factors = openSealer(new Map([[1, Buffer.alloc(32, 9)]]), 'second factors');
  const deps = { db, sealer: factors, voucher: testSealer, name: 'Kurs' };
  const handlers = { ...moneyOutOfWallets(deps), ...moneyOutRoutes(deps), ...walletRoutes({ db, sealer: testSealer }) };
  const report = async (): Promise<void> => {
    for (const subscription of subscriptions) await outbox.drain(db, subscription);
  };
  const code: WalletWorld['code'] = (holder, about) =>
    db.tx((tx) =>
      makeCode(tx, {
        purpose: 'money_out',
        subject: [holder, sessionOf(holder), ...(about === undefined ? [] : [about])].join(' '),
      }),
    );
  return {
    ...{ desk, handlers, report, code },
    async holder(btc = '0', level = 3) {
      const id = newId();
      await db.run(
        `insert into account_holder (id, email, email_key, locale, created_at) values ($1, $2, $2, 'en', clock_now())`,
        [id, emailOf(id)],
      );
      await writeHolderMacs(db);
      await db.tx((tx) => setLevel(tx, id, level as Level, 'test'));
      await handlers.walletStore({ currency: 'BTC' }, as(id));
      const { parts } = parse('BTC', btc);
      const legs = [leg(accounts.custody('BTC', 'hot', 'BTC'), accounts.wallet(id, 'BTC'), parts || 1n)];
      if (parts > 0n) await db.tx((tx) => post(tx, [{ id: newId(), kind: 'deposit', cause: newId(), legs }]));
      return id;
    },
    address: () => desk.receiver() as { address: string },
    async withdraw(holder, btc, to = desk.receiver() as { address: string }) {
      const request = { currency: 'BTC', rail: 'bitcoin', amount: btc, to };
      const { confirmation } = await handlers.walletWithdrawQuote(request, as(holder));
      return handlers.walletWithdrawRequest({ ...request, otp: await code(holder, confirmation) }, as(holder));
    },
    async transfer(holder, btc, to) {
      const request = { currency: 'BTC', amount: btc };
      const { confirmation } = await handlers.walletConfirmation({ action: 'transfer', ...request, email: to }, as(holder));
      return handlers.walletTransfer({ ...request, to, otp: await code(holder, confirmation) }, as(holder));
    },
    available: (id) => desk.balance(accounts.wallet(id, 'BTC')),
    async settle() {
      for (let round = 0; round < 4; round += 1) {
        await desk.turn();
        if (screens()) await screenPayouts(db);
        await desk.recall();
        await report();
        desk.world.mine(2);
        await desk.pass(61_000);
      }
      await desk.turn();
      await report();
    },
    async letters(holder) {
      const rows = await queuedLetters(db, { to: emailOf(holder) });
      return rows.map(({ subject }) => subject.replaceAll('\u00a0', ' '));
    },
    async bitcoinAt(usd) {
      await db.tx((tx) => recordPrices(tx, usd));
      await watches[0].refresh();
    },
    async isRight() {
      assert.deepEqual(
        (
          await verify(db, {
            checks: [onlyBalances(paymentsCheck), { ...onlyBalances(walletCheck), faults: walletCheck.faults }],
          })
        ).faults,
        [],
      );
    },
    async close() {
      await Promise.all(watches.map((watch) => watch.stop()));
      await desk.close();
    },
  };
}

const BITCOIN = { code: 'BTC', unit: 'BTC' } as const;
/** USDT whose code equals its unit, since the currency pays the fees of its own sends. */
const DOLLARS = { code: 'USDT', unit: 'USDT', payDigits: 2 } as const;

async function openPrices({ db }: Desk, dollars: boolean): Promise<[RatesWatch, PricingWatch]> {
  await db.tx(async (tx) => {
    await seedRates(tx, [
      { code: 'USD', kind: 'peg', peg: '1' },
      { code: 'BTC', kind: 'other' },
      { code: 'USDT', kind: 'stable' },
    ]);
    const listed = { kind: 'crypto', confirmations: '1–6' } as const;
    await seedPricing(tx, {
      currencies: [
        { ...listed, code: 'BTC', name: 'Bitcoin', position: 1 },
        ...(dollars ? [{ ...listed, code: DOLLARS.code, name: 'Tether', position: 2 }] : []),
      ],
      directions: [],
    });
    if (dollars)
      await tx.run(`insert into network_cost (currency, fuel, parts, at) values ($1, $1, 1500, now())`, [DOLLARS.code]);
    await tx.run(`insert into network_cost (currency, fuel, parts, at) values ('BTC', 'BTC', 1500, now())`);
    await recordPrices(tx, '100000');
  });
  const rates = await watchRates(db);
  const pricing = await watchPricing(db);
  await rates.refresh();
  await pricing.refresh();
  return [rates, pricing];
}

async function recordPrices(tx: Tx, btc: string): Promise<void> {
  const usual = { at: tx.now.toISOString(), live: 3, deviation: '0.0500' };
  const USD = { bid: '1', ask: '1', live: 1, deviation: '0.0000' };
  const assets = { USD, BTC: { ...usual, bid: btc, ask: btc }, USDT: { ...usual, bid: '1', ask: '1' } };
  await recordSnapshot(tx, { assets, sources: {}, isSeeded: true });
}
