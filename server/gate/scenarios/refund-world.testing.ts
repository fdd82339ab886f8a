// A store with a balance, whose refunds are made and claimed, for tests.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Input, Routes } from '@kurs/contract';
import { parse } from '@kurs/money';
import { keepOpeners } from '../../auth/testing.ts';
import { accounts, balances, post } from '../../ledger/index.ts';
import { payable } from '../../payments/index.ts';
import type { Context } from '../../platform/index.ts';
import { claimRefund } from '../refunds/actions/claim-refund.ts';
import { decideAsMember } from '../refunds/actions/decide-claim.ts';
import { makeRefund } from '../refunds/actions/make-refund.ts';
import type { Claim, Refund, RefundMaker } from '../refunds/machine/refund.ts';
import { refundSecret } from '../refunds/refund-secret.ts';
import { claimsOf } from '../refunds/rows/claim-rows.ts';
import { readRefund } from '../refunds/rows/refund-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { type Code, type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';

type Wanted = Partial<Input<Routes['refundMake']>>;
type Claimed = Partial<Omit<Input<Routes['refundClaim']>, 'id' | 'token'>>;

export interface RefundWorld extends InvoiceWorld {
  /** The owner of the store, as a maker of refunds. */
  readonly ownerOfStore: RefundMaker;
  /** Makes an invoice of an amount in USD, pays it by a method and returns it, settled. */
  paid(amount?: string, method?: Code): Promise<StoredInvoice>;
  refund(more?: Wanted, by?: RefundMaker): Promise<Refund>;
  claim(refund: Refund, more?: Claimed): Promise<Refund>;
  decide(id: string, action: 'confirm' | 'refuse', by?: RefundMaker): Promise<Refund>;
  /** Sends what is to be paid out, mines it, and runs turns until it is final. */
  send(): Promise<void>;
  /** Reads a refund with its claims. */
  look(refund: Refund): Promise<{ readonly refund: Refund; readonly claims: readonly Claim[] }>;
  /** Returns the balance of a refund's account in a unit. */
  held(refund: Refund, unit?: string): Promise<bigint>;
  /** Returns the income from fees and spreads, and the desk's free money, in a unit. */
  desk(unit: string): Promise<{ readonly fee: bigint; readonly spread: bigint; readonly free: bigint }>;
}

/** Returns a context of a call by a visitor. */
export const CLAIMANT = { ip: '203.0.113.7', deviceKey: undefined, locale: 'en' } as unknown as Context;

/** Opens a desk whose store is settled in USDT and has a balance of `balance` USDT by a payment. */
export async function openRefundWorld(balance = '1000'): Promise<RefundWorld> {
  const world = await openInvoiceWorld({ hasRefunds: true });
  await world.change({ settlementCurrency: 'USDT_ERC20' });
  await keepOpeners(world.db);
  const { db, sender } = world;
  const ownerOfStore: RefundMaker = { kind: 'member', id: world.store.holderId, isProposed: false };
  const of = (ref: ReturnType<typeof accounts.deskFree>) => balances(db, [ref]).then(([parts = 0n]) => parts);
  const opened: RefundWorld = Object.assign(Object.create(world) as InvoiceWorld, {
    ownerOfStore,
    async paid(amount = '100.00', method: Code = 'USDT_ERC20') {
      const invoice = await world.make({ amount });
      world.pay(await world.choose(invoice, method));
      await world.mine();
      const now = await world.read(invoice);
      assert.equal(now.view.state, 'settled');
      return now;
    },
    refund: (more: Wanted = {}, by: RefundMaker = ownerOfStore) =>
      makeRefund({ db, sender }, { store: world.store.id, amount: '50.00', ...more }, by, 'en'),
    claim: (refund: Refund, more: Claimed = {}) => {
      const method = more.method ?? 'USDT_ERC20';
      const to = more.to ?? world.rails[method as Code].receiver();
      const input = { id: refund.id, token: refundSecret(sender.tokens, refund.id), ...more, method, to };
      return claimRefund({ db, sender }, input, CLAIMANT);
    },
    decide: (id: string, action: 'confirm' | 'refuse', by: RefundMaker = ownerOfStore) =>
      decideAsMember({ db, sender }, { store: world.store.id, id, action, by }),
    async send() {
      await world.turn();
      await world.mine();
    },
    look: async ({ id }: Refund) => ({ refund: await readRefund(db, id), claims: await claimsOf(db, [id]) }),
    held: ({ id }: Refund, unit = 'USDT') => of(accounts.refund(id, unit)),
    desk: async (unit: string) => ({
      fee: await of(accounts.income('fee', unit)),
      spread: await of(accounts.income('spread', unit)),
      free: await of(accounts.deskFree(unit)),
    }),
  });
  await fundTron(world);
  await opened.paid(balance);
  return opened;
}

/** Returns an amount of USDT as parts. */
export const usdt = (amount: string): bigint => parse('USDT', amount).parts;

/** Gives the desk USDT to pay out on TRON, and TRX for it. */
async function fundTron({ db, rails, turn }: InvoiceWorld): Promise<void> {
  const sums = [
    ['USDT_TRC20', 'USDT', 'hot', usdt('10000')],
    ['TRX', 'TRX', 'fuel', parse('TRX', '100000').parts],
  ] as const;
  for (const [code, , place, parts] of sums) rails.USDT_TRC20.world.fund(code, place, parts);
  const journals = sums.map(([code, unit, place, parts]) => ({
    ...{ id: randomUUID(), kind: 'capital_in' as const, cause: randomUUID() },
    legs: [{ from: accounts.custody(code, place, unit), to: accounts.deskFree(unit), parts }],
  }));
  await db.tx((tx) => post(tx, journals));
  // A rail is asked for its balance at most every two seconds.
  for (let tries = 0; tries < 20 && (await payable(db, 'USDT_TRC20')) === 0n; tries += 1) {
    await setTimeout(250);
    await turn();
  }
}
