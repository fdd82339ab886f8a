// Rewards on their way out, for the tests of one file: a desk with dollars in the affiliates' pot, and a new affiliate for each
// test.

import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import { parse } from '@kurs/money';
import { alone } from '../collecting/index.ts';
import { type AccountRef, accounts, balance, leg, post, verify } from '../ledger/index.ts';
import { onlyBalances } from '../ledger/testing.ts';
import { paymentsCheck } from '../payments/index.ts';
import { newId } from '../platform/index.ts';
import { refusal } from '../platform/testing.ts';
import { fundPot, potCheck } from '../pots/index.ts';
import { findAffiliate } from '../referrals/index.ts';
import { decideWithdrawal, shownStatus, walletCheck, withdrawalById } from '../wallets/index.ts';
import { type WalletWorld, as, walletWorld } from '../wallets/testing.ts';
import { affiliateCheck } from './check-books.ts';
import { completedOrder, publishOrderEvents } from './orders.testing.ts';
import { matureDue } from './work.ts';

/** Returns an amount of USDT in minor units. */
export const usdt = (sum: string): bigint => parse('USDT', sum).parts;

/** The desk, the affiliate of the running test, and the pot's balance before it. */
export const at = { world: undefined as unknown as WalletWorld, ann: '', pot: 0n };

/** Opens the desk before the tests of the file that calls it, and closes it after them. */
export function withRewardsOut(): void {
  before(async () => {
    at.world = await walletWorld({ dollars: true });
    const { db } = at.world.desk;
    const legs = [leg(accounts.custody('USDT', 'hot', 'USDT'), accounts.deskFree('USDT'), usdt('100000'))];
    await db.tx((tx) => post(tx, [{ id: newId(), kind: 'capital_in', cause: newId(), legs }]));
    await alone(db, async (unit) =>
      unit.post(await fundPot(unit.tx, { id: newId(), pot: 'affiliate', parts: usdt('4999'), isBack: false })),
    );
  });
  after(() => at.world.close());
  beforeEach(async () => {
    at.ann = await at.world.holder();
    at.pot = await inPot();
  });
}

const has = (account: AccountRef): Promise<bigint> => balance(at.world.desk.db, account);
export const inPot = (): Promise<bigint> => has(accounts.promo('affiliate', 'USDT'));
export const available = (): Promise<bigint> => has(accounts.affiliateAvailable(at.ann, 'USDT'));
export const held = (): Promise<bigint> => has(accounts.walletHeld(at.ann, 'USDT'));
/** Ann’s debt, the same by her row and by the books. */
export async function owed(): Promise<bigint> {
  const books = await has(accounts.receivable(`affiliate_${at.ann}`, 'USDT'));
  assert.equal((await findAffiliate(at.world.desk.db, at.ann)).owed, books, 'the row says what the books say');
  return books;
}

export const of = async (id: string) => (await withdrawalById(at.world.desk.db, id)) ?? assert.fail();
export const states = (...ids: readonly string[]) => Promise.all(ids.map(async (id) => shownStatus(await of(id))));
/** Olga approves a withdrawal. Returns the problem, if any. */
export const approve = (id: string) =>
  refusal(() =>
    at.world.desk.db.tx((tx) => decideWithdrawal(tx, 'Kurs', { id, action: 'approve', reason: 'looked at', by: ['olga'] })),
  );

/**
 * Ann earns rewards, one for each amount in whole USDT that is divisible by 3, and they mature. Returns the orders that earned
 * them.
 */
export async function earned(...sums: readonly bigint[]): Promise<string[]> {
  const orders: string[] = [];
  for (const sum of sums)
    orders.push(await completedOrder(at.world.desk.db, { affiliate: at.ann, retained: (sum * 10n) / 3n, daysAgo: 8 }));
  await matureDue(at.world.desk.db);
  return orders;
}

/** Takes these orders back. */
export async function reversed(...orders: readonly string[]): Promise<void> {
  for (const id of orders) await publishOrderEvents(at.world.desk.db, { id, affiliate: at.ann }, 'reversed');
}

/** Ann requests a withdrawal of so much of her rewards. */
export async function withdrawn(amount: string, to = at.world.address()): Promise<{ id: string; to: string }> {
  const { handlers, code } = at.world;
  const request = { currency: 'USDT', rail: 'bitcoin', amount, to, source: 'affiliate' as const };
  const { confirmation } = await handlers.walletWithdrawQuote(request, as(at.ann));
  const otp = await code(at.ann, confirmation);
  const { id } = await handlers.userWithdrawStore({ currency: 'USDT', amount, to, otp }, as(at.ann));
  return { id, to: to.address };
}
export const received = (to: string): bigint => at.world.desk.world.received(to);

export async function booksAreRight(): Promise<void> {
  const wallets = { ...onlyBalances(walletCheck), faults: walletCheck.faults };
  const checks = [onlyBalances(paymentsCheck), wallets, potCheck, affiliateCheck];
  assert.deepEqual((await verify(at.world.desk.db, { checks })).faults, []);
}
