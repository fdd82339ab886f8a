// Moves between a store's balance and its owner's wallet, for tests.

import { settlementAbout } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { makeCode } from '../../auth/index.ts';
import { accounts, balances } from '../../ledger/index.ts';
import { type Context, newId } from '../../platform/index.ts';
import { freely, testSealer } from '../../platform/testing.ts';
import { moveToWallet } from '../settlements/move.ts';
import { moveToStore } from '../settlements/move-back.ts';
import type { Settlement } from '../settlements/settlement-rows.ts';
import { type StoreStanding, standingOfStore } from '../settlements/store-money.ts';
import type { Store } from '../stores/store.ts';
import type { InvoiceWorld } from './invoice-world.testing.ts';

const CONTEXT = { ...freely, locale: 'en', ip: '203.0.113.7', deviceKey: 'device' } as unknown as Context;

/** Moves a sum by the hand of the store's owner, with a code. `parts`: of the unit. */
export async function moveByOwner(
  world: InvoiceWorld,
  direction: Settlement['direction'],
  { unit, parts, store = world.store }: { readonly unit: string; readonly parts: bigint; readonly store?: Store },
): Promise<Settlement> {
  const { db } = world;
  const mover = { id: store.holderId, email: `${store.holderId}@example.org`, sessionId: newId() };
  const wanted = { store: store.id, unit, amount: format(money(unit, parts)) };
  const subject = `${mover.id} ${mover.sessionId} ${settlementAbout(direction, wanted)}`;
  const otp = await db.tx((tx) => makeCode(tx, { purpose: 'money_out', subject }));
  const deps = { db, sealer: testSealer };
  return direction === 'to_wallet'
    ? moveToWallet(deps, mover, { ...wanted, otp })
    : moveToStore(deps, mover, { ...wanted, otp }, CONTEXT);
}

/** Returns the money of the world's store. */
export const standing = async ({ db, store }: Pick<InvoiceWorld, 'db' | 'store'>): Promise<StoreStanding> =>
  standingOfStore(db, store, await db.now());

/** Returns the store's money of a unit: all zero if it has none. */
export async function unitStanding(world: InvoiceWorld, unit: string) {
  const zero = { unit, balance: 0n, shallow: 0n, over: 0n, reserve: 0n, debt: 0n, movable: 0n };
  return (await standing(world)).units.find((one) => one.unit === unit) ?? zero;
}

/** Returns the available money of an account holder in a unit, in parts. */
export const walletOf = async ({ db }: Pick<InvoiceWorld, 'db'>, holderId: string, unit: string): Promise<bigint> =>
  (await balances(db, [accounts.wallet(holderId, unit)]))[0] ?? 0n;
