// The purse: the amount that can still be won, of the pot less the possible prizes of open draws and its minimum, and of the
// day's limit. A caller that decides by it holds the pot's lock.

import { balances } from '../ledger/index.ts';
import type { Statements, Tx } from '../platform/index.ts';
import { potAccount } from '../pots/index.ts';
import { dayOf } from './draw.ts';
import { type Rules, rules } from './settings.ts';

/** Amount that can still be won or paid, and the amount taken of it. */
export class Purse {
  #left: bigint;
  #taken = 0n;

  constructor(left: bigint) {
    this.#left = left;
  }

  /** Takes an amount if it is there. Returns true if it was. */
  take(parts: bigint): boolean {
    if (this.#left < parts) return false;
    this.#left -= parts;
    this.#taken += parts;
    return true;
  }

  get left(): bigint {
    return this.#left > 0n ? this.#left : 0n;
  }

  get taken(): bigint {
    return this.#taken;
  }
}

/** Returns the sum of all open draws' possible prizes. */
export async function setAside(db: Statements): Promise<bigint> {
  const row = await db.row<{ parts: string }>(`select coalesce(sum(max), 0) as parts from earn_draw where state = 'open'`, [], {
    name: 'earn.set_aside',
  });
  return BigInt(row?.parts ?? '0');
}

/** Returns the amount that can be won or paid at a moment. */
export async function purseAt(db: Statements, now: Date, { day, minPot }: Rules = rules()): Promise<Purse> {
  // In this order: a claim in between takes from both, so set-aside money is never counted as less than the balance.
  const aside = await setAside(db);
  const [pot = 0n] = await balances(db, [potAccount('earn')]);
  const row = await db.row<{ parts: string }>('select parts from earn_day where day = $1', [dayKey(now)], {
    name: 'earn.day',
  });
  const [ofPot, ofDay] = [pot - aside - minPot, day - BigInt(row?.parts ?? '0')];
  return new Purse(ofPot < ofDay ? ofPot : ofDay);
}

/** Adds to the sums of days, or subtracts. `changes`: by any moment of the day. */
export async function countDays(tx: Tx, changes: readonly { readonly at: Date; readonly parts: bigint }[]): Promise<void> {
  const sums = new Map<string, bigint>();
  for (const { at, parts } of changes) sums.set(dayKey(at), (sums.get(dayKey(at)) ?? 0n) + parts);
  const days = [...sums].filter(([, parts]) => parts !== 0n).sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [day, parts] of days)
    await tx.run(
      `insert into earn_day as d (day, parts) values ($1, greatest($2::numeric, 0))
       on conflict (day) do update set parts = d.parts + $2::numeric`,
      [day, parts],
      { name: 'earn.count_day' },
    );
}

const dayKey = (at: Date): string => dayOf(at).toISOString().slice(0, 10);
