// Orders that took longer than promised, and their coupons. A coupon is earned when its order begins to count, and void when the
// order stops counting.

import { type Money, assetOf, convert, money, REWARD_UNIT, rewardRate, totalOf } from '@kurs/money';
import { holdersById, openAmong } from '../../auth/index.ts';
import type { UnitOfWork } from '../../collecting/index.ts';
import { type Given, type Late, earnLate, voidLate } from '../../coupons/index.ts';
import { type Tx, allEnded, canonicalEmail } from '../../platform/index.ts';
import { lockPot, potAccount } from '../../pots/index.ts';
import { bookedOf } from '../order/money/breakdown.ts';
import { takenSeconds } from '../order/clock.ts';
import type { OrderView } from '../order/order.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import type { Happened } from './events-of-orders.ts';
import { keysOfCustomers } from './debts-of-orders.ts';

/** A coupon with the late order that earned it. */
type Earned = Given & { readonly of: StoredOrder };

/** Returns the money left in the pot of late coupons, including postings that are still to come. */
export const leftForLate = (unit: UnitOfWork) => (): Promise<bigint> => unit.shown(potAccount('late'));

/** True if a completed order took longer than promised. */
export function isLate(view: OrderView): boolean {
  const [taken, promised] = [takenSeconds(view), view.pinned.promised];
  return taken !== null && promised !== undefined && taken > promised.seconds;
}

/**
 * Returns the desk's income from an order: fee less discounts, converted to the unit of rewards at the exchange's mid-market
 * rate, rounded down. Undefined if there is no income, no exchange or no such rate.
 */
export function takenOf(view: OrderView): Money | undefined {
  const [booked, terms] = [bookedOf(view), bookedOf(view)?.terms ?? view.pinned.terms];
  const rate = terms && rewardRate(terms);
  if (!booked || !rate) return undefined;
  const parts = totalOf(booked.components, 'fee') - totalOf(booked.components, 'discount');
  return parts <= 0n ? undefined : convert(money(view.give.unit, parts), assetOf(view.give.unit), rate, REWARD_UNIT, 'down');
}

/** Gives and voids the coupons of late orders after events of orders. Returns the coupons that customers have gained. */
export async function couponsOfLate(unit: UnitOfWork, happened: readonly Happened[]): Promise<Earned[]> {
  const stopped = happened.flatMap(({ isCounted, order }) => (isCounted === false ? [order.view.id] : []));
  // If an order stopped counting and then counts again, its last event decides.
  const last = new Map(happened.flatMap((one) => (one.isCounted === undefined ? [] : [[one.order.view.id, one] as const])));
  const late = [...last.values()].flatMap(({ isCounted, order }) => (isCounted && isLate(order.view) ? [order] : []));
  // Locks the pot before the coupons, in the same sequence as `giveWaiting`.
  if (late.length > 0) await lockPot(unit.tx, 'late');
  for (const journal of await voidLate(unit.tx, stopped)) unit.post(journal);
  return late.length === 0 ? [] : earnedBy(unit, late);
}

async function earnedBy(unit: UnitOfWork, late: readonly StoredOrder[]): Promise<Earned[]> {
  const { tx } = unit;
  const [customers, addresses] = await allEnded([keysOfCustomers(tx, late), addressesOf(tx, late)]);
  const orders = late.flatMap((order): Late[] => {
    const worth = takenOf(order.view);
    const { shown = [], typed = [] } = customers.get(order.view.id) ?? {};
    const emailKey = canonicalEmail(addresses.get(order.view.id) ?? order.email);
    const of = { id: order.view.id, emailKey, keys: [...shown, ...typed], shown };
    return worth ? [{ ...of, worth: worth.parts }] : [];
  });
  const { given, journals } = await earnLate(tx, orders, leftForLate(unit));
  for (const journal of journals) unit.post(journal);
  return given.flatMap((coupon) => late.flatMap((of) => (of.view.id === coupon.earnedBy ? [{ ...coupon, of }] : [])));
}

/**
 * Returns the current verified address of each order's account, by order. Only for orders that account holders placed with a
 * mailbox proven to be their own.
 */
async function addressesOf(tx: Tx, orders: readonly StoredOrder[]): Promise<Map<string, string>> {
  const own = orders.flatMap(({ view, holderId }) =>
    holderId !== undefined && view.pinned.isMailboxProven ? [{ id: view.id, holderId }] : [],
  );
  const ids = [...new Set(own.map(({ holderId }) => holderId))];
  if (ids.length === 0) return new Map();
  const [holders, open] = await allEnded([holdersById(tx, ids), openAmong(tx, ids)]);
  return new Map(
    own.flatMap(({ id, holderId }) => {
      const holder = open.has(holderId) ? holders.get(holderId) : undefined;
      return holder?.emailVerifiedAt ? [[id, holder.email] as const] : [];
    }),
  );
}
