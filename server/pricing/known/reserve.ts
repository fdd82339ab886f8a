import { Problem } from '@kurs/contract';
import { accounts, balances } from '../../ledger/index.ts';
import { type CurrencyInfo, currencyOf, payable, unshownCapital } from '../../payments/index.ts';
import type { Statements } from '../../platform/index.ts';
import { settings } from '../settings.ts';

/** The desk's own money in a unit, in parts. `free`: free money. `spent`: expenses since the books were last closed. */
export interface OwnMoney {
  readonly free: bigint;
  readonly spent: bigint;
}

/**
 * Returns the amount that the desk can promise in a currency, in parts: its free money less a margin, but at most the amount that
 * the rail can pay. Zero while free money doesn't exceed the expenses. `payableParts`: the amount that the rail confirmed, less
 * queued payouts.
 */
export function reserveFrom({ free, spent }: OwnMoney, payableParts: bigint, marginPercent: number): bigint {
  if (free <= spent) return 0n;
  const own = (free * BigInt(100 - marginPercent)) / 100n;
  const min = own < payableParts ? own : payableParts;
  return min > 0n ? min : 0n;
}

/** Returns the reserve of a currency as of this transaction, in parts of its unit. */
export async function readReserve(db: Statements, currency: string): Promise<bigint> {
  const unit = currencyOf(currency)?.unit;
  if (unit === undefined) throw new Problem('internal', { cause: new Error(`No rail carries ${currency}`) });
  const [own, free] = await Promise.all([readOwnMoney(db, [unit]), payable(db, currency)]);
  return reserveFrom(own.get(unit) as OwnMoney, free, settings.get('pricing.reserve_margin_percent'));
}

/** Returns the desk's own money in some units. */
export async function readOwnMoney(db: Statements, units: readonly string[]): Promise<Map<string, OwnMoney>> {
  const refs = units.flatMap((unit) => [
    accounts.deskFree(unit),
    accounts.spent('network', unit),
    accounts.spent('rail', unit),
    accounts.spent('discount', unit),
    accounts.spent('loss', unit),
  ]);
  const [found, unshown] = await Promise.all([balances(db, refs), unshownCapital(db)]);
  return new Map(
    units.map((unit, index) => {
      const [booked = 0n, ...spent] = found.slice(index * 5, index * 5 + 5);
      // Capital that was booked but has not appeared on any rail yet can't be promised.
      const free = booked - (unshown.get(unit) ?? 0n);
      return [unit, { free, spent: spent.reduce((sum, one) => sum + one, 0n) }];
    }),
  );
}

/** Returns the money at deposit addresses, or on its way from there, by currency. This money becomes payable when it is collected. */
export async function readArriving(db: Statements, carried: readonly CurrencyInfo[]): Promise<Map<string, bigint>> {
  const swept = carried.filter(({ arrivesAt }) => arrivesAt === 'deposit');
  const refs = swept.flatMap(({ code, unit }) => [
    accounts.custody(code, 'deposit', unit),
    accounts.custody(code, 'transit', unit),
  ]);
  const found = await balances(db, refs);
  return new Map(swept.map(({ code }, index) => [code, (found[index * 2] ?? 0n) + (found[index * 2 + 1] ?? 0n)]));
}
