// What may still be won: of the pot, beside what open draws may win and what stays in it, and of the day's sum. Who decides by it
// holds the pot's lock.

import { balances } from '../ledger/index.ts';
import type { Statements, Tx } from '../platform/index.ts';
import { potAccount } from '../pots/index.ts';
import { dayOf } from './draw.ts';
import { type Rules, rules } from './settings.ts';

/** What is left to be won or paid, and what was taken of it. */
export class Purse {
  #left: bigint;
  #taken = 0n;

  constructor(left: bigint) {
    this.#left = left;
  }

  /** Takes so much where it is there; whether it was. */
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

/** What all open draws may win. */
export async function setAside(db: Statements): Promise<bigint> {
  const row = await db.row<{ parts: string }>(`select coalesce(sum(most), 0) as parts from earn_draw where state = 'open'`, [], {
    name: 'earn.set_aside',
  });
  return BigInt(row?.parts ?? '0');
}

/** What may be won or paid at a moment. */
export async function purseAt(db: Statements, now: Date, { day, potLeast }: Rules = rules()): Promise<Purse> {
  // In this order: a claim in between takes of both, and what was set aside is not counted less than what is there.
  const aside = await setAside(db);
  const [pot = 0n] = await balances(db, [potAccount('earn')]);
  const row = await db.row<{ parts: string }>('select parts from earn_day where day = $1', [dayKey(now)], {
    name: 'earn.day',
  });
  const [ofPot, ofDay] = [pot - aside - potLeast, day - BigInt(row?.parts ?? '0')];
  return new Purse(ofPot < ofDay ? ofPot : ofDay);
}

/** Adds to what days have come to, or takes off. `changes`: by any moment of the day. */
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
