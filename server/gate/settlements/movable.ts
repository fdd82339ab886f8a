// Decides how much of a store's balance may move to its owner's wallet now, and why the rest waits. Pure.

import { min } from '../../collecting/index.ts';

/**
 * Reason for which nothing leaves a store:
 * - `store_closed`: its business is not approved now, or it is a test store
 * - `record_altered`: a row about its money was changed outside the product
 * - `withdrawals_frozen`: the owner's account is frozen
 * - `account_closed`
 * - `reversal_pending`: a payment to one of the owner's stores was taken back, and its invoice doesn't know it yet
 * - `business_owes`: the business, or the owner of a personal store, owes the desk
 */
export type Stop =
  | 'store_closed'
  | 'record_altered'
  | 'withdrawals_frozen'
  | 'account_closed'
  | 'reversal_pending'
  | 'business_owes';

/** A store's money of one unit, in parts. `shallow`: settled from payments that are not deep yet. */
export interface StoreMoney {
  readonly unit: string;
  readonly balance: bigint;
  readonly shallow: bigint;
  /** Sum in the store's reserve, beside the balance. */
  readonly reserve: bigint;
  /** Debt of the owner to the desk in this unit. */
  readonly debt: bigint;
  /** Worth of a sum in cents; undefined without a price. */
  readonly usdOf: (parts: bigint) => bigint | undefined;
}

/** Parts of a store's money of one unit: what may move now, what is not deep yet, what exceeds the limit, and the reserve. */
export interface MoneyStanding {
  readonly unit: string;
  readonly balance: bigint;
  readonly shallow: bigint;
  readonly over: bigint;
  readonly reserve: bigint;
  readonly debt: bigint;
  readonly movable: bigint;
}

/**
 * Returns the parts of a store's money of one unit. `leftUsd`: cents that may still move in this day. Without a price nothing moves.
 */
export function standingOf(
  money: StoreMoney,
  { leftUsd, stop }: { readonly leftUsd: bigint; readonly stop: Stop | undefined },
): MoneyStanding {
  const { unit, balance, reserve, debt } = money;
  const shallow = min(money.shallow, balance);
  const deep = balance - shallow;
  const within = withinUsd(deep, leftUsd, money.usdOf);
  return { unit, balance, shallow, over: deep - within, reserve, debt, movable: stop === undefined ? within : 0n };
}

/** Returns the largest part of a sum whose worth is at most `leftUsd`: the whole sum, or a share that is rounded down. */
function withinUsd(parts: bigint, leftUsd: bigint, usdOf: StoreMoney['usdOf']): bigint {
  if (parts === 0n || leftUsd <= 0n) return 0n;
  const usd = usdOf(parts);
  if (usd === undefined) return 0n;
  if (usd <= leftUsd) return parts;
  return (parts * leftUsd) / usd;
}
