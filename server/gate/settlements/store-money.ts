// Reads the money of a store: its balances and reserves, what is not deep yet, what exceeds the day's limit, debts, and stops.

import { type Freeze, freezeOf, holdersById, isClosed } from '../../auth/index.ts';
import { levelOf, limitsOf, readCounted, shownHolder } from '../../compliance/index.ts';
import { accounts, balances } from '../../ledger/index.ts';
import { currencyOf, undeliveredDebts } from '../../payments/index.ts';
import type { Statements } from '../../platform/index.ts';
import { countedState } from '../businesses/business.ts';
import { businessById } from '../businesses/business-store.ts';
import { dayLimitOf } from '../businesses/day-limit.ts';
import { usdOf } from '../methods/worth.ts';
import { type Store, isTestStore } from '../stores/store.ts';
import { type MoneyStanding, type Stop, standingOf } from './movable.ts';
import { planOf } from '../plans/plan-rows.ts';
import { debtsOf } from '../settled/debt-rows.ts';
import { partyOf } from '../stores/debtor.ts';
import { allUnits } from '../settled/repay.ts';
import { isAnySettled, shallowOf } from '../settled/settled-rows.ts';
import { movedUsdSince } from './settlement-rows.ts';

export const DAY_MS = 86_400_000;

/** Money of a store now: what stops its moves, what may move, and the limits. */
export interface StoreStanding {
  readonly stop: Stop | undefined;
  /** End of the freeze of the owner's account. */
  readonly frozenUntil: Date | undefined;
  /** Cents that may still move to the wallet in this day. */
  readonly leftUsd: bigint;
  /** Maximum in cents of what moves in 24 hours; undefined for a personal store, whose owner's level limits it. */
  readonly limitUsd: bigint | undefined;
  /** Units with a balance, a reserve or a debt, and the one that the store is paid in. */
  readonly units: readonly MoneyStanding[];
  readonly isDaily: boolean;
}

/**
 * Returns the money of a store. Balances are read before the sums that are not deep, so that what is settled in the
 * meantime counts as not deep only.
 */
export async function standingOfStore(db: Statements, store: Store, now: Date): Promise<StoreStanding> {
  const units = isTestStore(store) ? [] : allUnits();
  const sums = await balances(db, [
    ...units.map((unit) => accounts.merchant(store.id, unit)),
    ...units.map((unit) => accounts.merchantReserve(store.id, unit)),
  ]);
  const [held, reserves] = [sums.slice(0, units.length), sums.slice(units.length)];
  const debts = await debtsOf(db, partyOf(store));
  const shallow = await shallowOf(db, store.id);
  const moved = await movedUsdSince(db, store, new Date(now.getTime() - DAY_MS));
  const plan = await planOf(db, store.id);
  const limit = await limitOf(db, store, now);
  const isPending = await isAnySettled(
    db,
    store,
    (await undeliveredDebts(db)).map(({ id }) => id),
  );
  const isAltered = shallow.isAltered || moved.isAltered || plan?.isAltered === true || debts.some((debt) => debt.isAltered);
  const frozen = isTestStore(store) ? undefined : await freezeOfOwner(db, store, now);
  const stop =
    (await stopOf(db, store)) ??
    (frozen ? 'withdrawals_frozen' : undefined) ??
    stopBy({ isAltered, isPending, isOwing: debts.length > 0 });
  const settlementUnit = currencyOf(store.settlementCurrency)?.unit;
  const leftUsd = limit.isSliding ? limit.usd - moved.usd : limit.usd;
  const owedIn = (unit: string): bigint => debts.find((debt) => debt.unit === unit)?.parts ?? 0n;
  const standings = units.map((unit, at) =>
    standingOf(
      {
        ...{ unit, balance: held[at] ?? 0n, shallow: shallow.sums.get(unit) ?? 0n, reserve: reserves[at] ?? 0n },
        debt: owedIn(unit),
        usdOf: (parts) => usdOf(unit, parts),
      },
      { leftUsd, stop },
    ),
  );
  return {
    ...{
      stop,
      frozenUntil: frozen?.until,
      leftUsd: leftUsd > 0n ? leftUsd : 0n,
      limitUsd: limit.isSliding ? limit.usd : undefined,
    },
    units: standings.filter(
      ({ unit, balance, reserve, debt }) => balance > 0n || reserve > 0n || debt > 0n || unit === settlementUnit,
    ),
    isDaily: plan?.isDaily === true,
  };
}

/** Facts about a store's money, each of which stops all moves. */
interface MoneyFacts {
  readonly isAltered: boolean;
  readonly isPending: boolean;
  readonly isOwing: boolean;
}

function stopBy({ isAltered, isPending, isOwing }: MoneyFacts): Stop | undefined {
  if (isAltered) return 'record_altered';
  if (isPending) return 'reversal_pending';
  return isOwing ? 'business_owes' : undefined;
}

/** Returns the reason for which the business or the owner of a store stops all moves. */
async function stopOf(db: Statements, { kind, businessId, holderId }: Store): Promise<Stop | undefined> {
  if (kind === 'test') return 'store_closed';
  const business = await businessById(db, businessId);
  if (businessId !== undefined && (!business || countedState(business) !== 'approved')) return 'store_closed';
  if (await isClosed(db, holderId)) return 'account_closed';
  return (await holdersById(db, [holderId])).get(holderId)?.isAltered ? 'record_altered' : undefined;
}

/** Returns the freeze of a store's owner; undefined if there is none, or if the owner's row was changed outside the product. */
async function freezeOfOwner(db: Statements, { holderId }: Store, now: Date): Promise<Freeze | undefined> {
  const holder = (await holdersById(db, [holderId])).get(holderId);
  return holder?.isAltered ? undefined : freezeOf(db, holderId, now);
}

/** A limit of moves, in cents. `isSliding`: what moved in the last 24 hours is not taken off yet. */
interface MoveLimit {
  readonly usd: bigint;
  readonly isSliding: boolean;
}

/** Returns the limit of a store's moves: that of its business in 24 hours, or the rest of the limits of its owner's level. */
async function limitOf(db: Statements, { businessId, holderId }: Store, now: Date): Promise<MoveLimit> {
  if (businessId === undefined) return { usd: await levelLeft(db, holderId, now), isSliding: false };
  const business = await businessById(db, businessId);
  return { usd: business ? dayLimitOf(business) : 0n, isSliding: true };
}

/** Returns the cents that an account holder may still move by the limits of their level. */
export async function levelLeft(db: Statements, holderId: string, now: Date): Promise<bigint> {
  const subject = await subjectOf(db, holderId);
  const { used } = await readCounted(db, subject, now);
  const limits = limitsOf(await levelOf(db, holderId));
  const rests = [limits.maxAtOnce.parts, limits.day.parts - used[0], ...(limits.month ? [limits.month.parts - used[1]] : [])];
  const least = rests.reduce((a, b) => (a < b ? a : b));
  return least > 0n ? least : 0n;
}

/** Returns the person whom the limits of a personal store count against: its owner. */
export async function subjectOf(db: Statements, holderId: string) {
  return { email: '', accounts: [], holder: await shownHolder(db, holderId) };
}
