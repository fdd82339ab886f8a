// Moves a store's balance to the wallet of its owner: by the owner's hand, at the end of the store's day, or for a personal
// store as soon as the money is deep.

import { Problem, fieldProblem, settlementAbout } from '@kurs/contract';
import { type Money, format, money, parse } from '@kurs/money';
import { type SteppedUp, spendStep, stepUp } from '../../auth/index.ts';
import { type UnitOfWork, alone, move } from '../../collecting/index.ts';
import { reserveLimits } from '../../compliance/index.ts';
import { accounts } from '../../ledger/index.ts';
import { INTO_WALLET_EVENT, type IntoWallet, MONEY_OUT } from '../../moneyout/index.ts';
import { type Db, type Sealer, type Tx, newId } from '../../platform/index.ts';
import type { Store } from '../stores/store.ts';
import { openStore } from '../stores/store-rows.ts';
import type { MoneyStanding } from './movable.ts';
import { type MoveCause, type Settlement, addSettlement } from './settlement-rows.ts';
import { tellMoved } from './tell-moved.ts';
import { usdOf } from '../methods/worth.ts';
import { type StoreStanding, standingOfStore, subjectOf } from './store-money.ts';

/** Kind under which moves of personal stores count towards the limits of their owner's level. */
export const SETTLED = 'settlement';

export interface MoveDeps {
  readonly db: Db;
  readonly sealer: Sealer;
}

export type Mover = { readonly id: string; readonly email: string; readonly sessionId: string };

/** Input of a move by hand. `amount`: a decimal of the unit. */
export interface WantedMove {
  readonly store: string;
  readonly unit: string;
  readonly amount: string;
  readonly two_factor_code?: string | undefined;
  readonly otp?: string | undefined;
}

/**
 * Moves a sum of a store's balance to its owner's wallet. Throws `store_closed`, `record_altered`, `withdrawals_frozen`,
 * `account_closed`, `business_owes`, `not_enough_money`, `not_deep_yet`, `business_limit`, `rates_unavailable`, `validation` on
 * the amount, and the problems of the step-up.
 */
export async function moveToWallet(deps: MoveDeps, mover: Mover, wanted: WantedMove): Promise<Settlement> {
  const parts = requireAmount(wanted);
  const about = settlementAbout('to_wallet', wanted);
  const stepped = await stepUp(deps, mover, wanted, { purpose: MONEY_OUT, about });
  return alone(deps.db, (work) => moveByHand(work, { stepped, storeId: wanted.store, unit: wanted.unit, parts }));
}

/** Parses the amount of a move. Throws `validation` if it is not an amount of the unit above zero. */
export function requireAmount({ unit, amount }: Pick<WantedMove, 'unit' | 'amount'>): bigint {
  const parts = parsedOrUndefined(unit, amount)?.parts ?? 0n;
  if (parts <= 0n) throw fieldProblem('amount', 'amount_format');
  return parts;
}

function parsedOrUndefined(unit: string, amount: string): Money | undefined {
  try {
    return parse(unit, amount);
  } catch {
    // Unknown unit, or too many decimals: the caller refuses both.
    return undefined;
  }
}

interface Moving {
  readonly stepped: SteppedUp;
  readonly storeId: string;
  readonly unit: string;
  readonly parts: bigint;
}

async function moveByHand(work: UnitOfWork, { stepped, storeId, unit, parts }: Moving): Promise<Settlement> {
  const { tx } = work;
  const store = await openStore(tx, storeId);
  await lockMoves(tx, store);
  const standing = await standingOfStore(tx, store, tx.now);
  requireMovable(standing, { unit, parts });
  await spendStep(tx, stepped);
  return transfer(work, store, { unit, parts, cause: 'owner' });
}

/** Locks what decides about moves, so that two at once don't exceed the limit: of the business, or of the personal store. */
export async function lockMoves(tx: Tx, { id, businessId }: Store): Promise<void> {
  await tx.row(`select pg_advisory_xact_lock(hashtextextended('gate.moves ' || $1, 0))`, [businessId ?? id]);
  // The desk can't suspend the business in the meantime.
  if (businessId !== undefined) await tx.row('select from business where id = $1 for share', [businessId]);
}

/** Throws the problem that stops a move of an amount. */
function requireMovable(
  { stop, frozenUntil, units, limitUsd }: StoreStanding,
  { unit, parts }: { readonly unit: string; readonly parts: bigint },
): void {
  if (stop) throw new Problem(stop, frozenUntil && { params: { until: frozenUntil.toISOString() } });
  const money_ = units.find((one) => one.unit === unit);
  if (!money_ || parts > money_.balance) throw new Problem('not_enough_in_store');
  if (parts > money_.balance - money_.shallow) throw new Problem('not_deep_yet');
  if (parts <= money_.movable) return;
  if (usdOf(unit, parts) === undefined) throw new Problem('rates_unavailable');
  if (limitUsd !== undefined) throw new Problem('business_limit');
  throw fieldProblem('amount', 'amount_above_limit', { left: leftText(money_) });
}

const leftText = ({ unit, movable }: MoneyStanding): string => format(money('USD', usdOf(unit, movable) ?? 0n));

/** A move to a wallet that has been decided. */
interface Transfer {
  readonly unit: string;
  readonly parts: bigint;
  readonly cause: MoveCause;
}

/** Moves a sum that may move: its row, its journal, and the event that opens the wallet. */
async function transfer(work: UnitOfWork, store: Store, { unit, parts, cause }: Transfer): Promise<Settlement> {
  const { tx } = work;
  const { id: storeId, businessId, holderId } = store;
  const usd = usdOf(unit, parts) ?? 0n;
  const settlement: Settlement = {
    ...{ id: newId(), storeId, businessId, holderId, direction: 'to_wallet', unit, parts, usd, cause, at: tx.now },
  };
  if (businessId === undefined)
    await reserveLimits(tx, await subjectOf(tx, holderId), money('USD', usd), { kind: SETTLED, id: settlement.id });
  await addSettlement(tx, settlement);
  await tellMoved(tx, settlement);
  const legs = move(accounts.merchant(storeId, unit), accounts.wallet(holderId, unit), parts);
  work.post({ id: settlement.id, kind: 'merchant_settled', cause: settlement.id, legs }, 'not_enough_in_store');
  const body = { holderId, unit } satisfies IntoWallet;
  work.publish({ id: newId(), kind: INTO_WALLET_EVENT, subject: `wallet:${holderId}`, body });
  return settlement;
}

/**
 * Moves all of a store's balances that may move now, one unit after the other. Returns the moves, and true if deep money stays
 * because of a stop, a limit or a missing price.
 */
export async function moveAll(
  work: UnitOfWork,
  store: Store,
  cause: MoveCause,
): Promise<{ readonly moved: readonly Settlement[]; readonly waits: boolean }> {
  const { tx } = work;
  await lockMoves(tx, store);
  const moved: Settlement[] = [];
  const { units } = await standingOfStore(tx, store, tx.now);
  for (const { unit } of units) {
    // Each move uses up a part of the limit, so the next unit is read again.
    const standing = (await standingOfStore(tx, store, tx.now)).units.find((one) => one.unit === unit);
    if (standing && standing.movable > 0n) moved.push(await transfer(work, store, { unit, parts: standing.movable, cause }));
  }
  const sums = new Map(moved.map(({ unit, parts }) => [unit, parts]));
  const waits = units.some(({ unit, balance, shallow }) => balance - shallow > (sums.get(unit) ?? 0n));
  return { moved, waits };
}
