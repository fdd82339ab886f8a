// MACs of the last readings of rails' balances. The next reading overwrites each row; until then the proof reports an altered
// one.

import { type Statements, type Tx, isMac, macOf, steady } from '../../platform/index.ts';

/** Last reading of a currency at a place. Its free part is computed separately, and never exceeds it. */
export interface BalanceRow {
  readonly rail: string;
  readonly currency: string;
  readonly place: string;
  readonly unit: string;
  readonly parts: bigint;
  readonly payable: bigint;
  readonly readAt: Date;
  readonly ownAt: Date | null;
  readonly saysAt: Date | null;
}

interface Stored extends Omit<BalanceRow, 'parts' | 'payable'> {
  readonly parts: string;
  readonly payable: string;
  readonly free: string;
  readonly mac: string | null;
}

const COLUMNS = `rail, currency, place, unit, parts, payable, free, read_at as "readAt", own_at as "ownAt", says_at as "saysAt", mac`;
const rowIn = ({ parts, payable, ...row }: Stored): BalanceRow => ({ ...row, parts: BigInt(parts), payable: BigInt(payable) });
const contentOf = ({ rail, currency, place, unit, parts, payable, readAt, ownAt, saysAt }: BalanceRow): string =>
  steady([rail, currency, place, unit, parts, payable, readAt, ownAt, saysAt]);

/** Returns the MAC of a reading. */
export const macOfBalance = (row: BalanceRow): string => macOf('rail balance', contentOf(row));
const isAsRead = (row: Stored): boolean => isMac('rail balance', contentOf(rowIn(row)), row.mac);

/** Moves coin between two places of a currency in the last reading. A row that was altered by SQL gets no MAC. */
export async function moveBetween(tx: Tx, currency: string, changes: Readonly<Record<string, bigint>>): Promise<void> {
  const rows = await tx.rows<Stored>(
    `select ${COLUMNS} from rail_balance where currency = $1 and place = any ($2) order by place for update`,
    [currency, Object.keys(changes)],
  );
  for (const row of rows) {
    const change = changes[row.place] ?? 0n;
    const isHot = row.place === 'hot';
    const before = rowIn(row);
    const next = { ...before, parts: before.parts + change, payable: before.payable + (isHot ? change : 0n) };
    await tx.run(
      `update rail_balance set parts = $3, payable = $4, free = free + $5, mac = $6 where currency = $1 and place = $2`,
      [currency, row.place, next.parts, next.payable, isHot ? change : 0n, isAsRead(row) ? macOfBalance(next) : null],
    );
  }
}

/** True if a reading may be relied on: it was not altered by SQL, and no more of it is free than payable. */
const isBelieved = (row: Stored): boolean => isAsRead(row) && BigInt(row.free) <= BigInt(row.payable);

/**
 * Returns the free amounts of currencies by their hot wallets' readings, as far as these may be relied on. `where`: SQL
 * condition.
 */
export async function believedReadings(
  db: Statements,
  where: string,
  values: readonly unknown[],
  name: string,
): Promise<Map<string, bigint>> {
  const rows = await db.rows<Stored>(`select ${COLUMNS} from rail_balance where place = 'hot' and ${where}`, values, { name });
  return new Map(rows.filter(isBelieved).map(({ currency, free }) => [currency, BigInt(free)]));
}

/**
 * Returns currencies of a rail whose last readings were altered by SQL: nothing of these is promised or taken until the next one.
 */
export async function alteredOf(db: Statements, rail: string): Promise<string[]> {
  const rows = await db.rows<Stored>(`select ${COLUMNS} from rail_balance where place = 'hot' and rail = $1`, [rail], {
    name: 'payments.altered_readings',
  });
  return rows.filter((row) => !isAsRead(row)).map(({ currency }) => currency);
}

/** Sets the MACs of all readings. For tests, which write rows by SQL. */
export async function writeBalanceMacs(db: Statements): Promise<void> {
  for (const row of await db.rows<Stored>(`select ${COLUMNS} from rail_balance`))
    await db.run('update rail_balance set mac = $3 where currency = $1 and place = $2', [
      ...[row.currency, row.place, macOfBalance(rowIn(row))],
    ]);
}

/** Returns readings of rails that were altered by SQL, or of which more is free than payable. */
export async function alteredBalances(db: Statements): Promise<string[]> {
  const rows = await db.rows<Stored>(`select ${COLUMNS} from rail_balance order by currency, place`);
  return rows.filter((row) => !isBelieved(row)).map(({ currency, place }) => `${currency} ${place}`);
}
