// MACs of what rails said last that they hold. The next reading writes each row anew; until then the proof accuses a changed one.

import { type Statements, type Tx, isMac, macOf, steady } from '../../platform/index.ts';

/** What a rail said last of a currency at a place. What of it is free is worked out beside it, and never is more. */
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

/** The MAC of a reading. */
export const macOfBalance = (row: BalanceRow): string => macOf('rail balance', contentOf(row));
const isAsRead = (row: Stored): boolean => isMac('rail balance', contentOf(rowIn(row)), row.mac);

/** Moves coin between two places of a currency as the last reading has them. A row that was changed by SQL gets no MAC. */
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

/** A reading by which something may be promised: one that was not changed by SQL, and of which no more is free than can be paid. */
const isBelieved = (row: Stored): boolean => isAsRead(row) && BigInt(row.free) <= BigInt(row.payable);

/** Readings of the hot places of currencies, as far as they are believed, with what is free of each. `where`: which ones, as SQL. */
export async function believedReadings(
  db: Statements,
  where: string,
  values: readonly unknown[],
  name: string,
): Promise<Map<string, bigint>> {
  const rows = await db.rows<Stored>(`select ${COLUMNS} from rail_balance where place = 'hot' and ${where}`, values, { name });
  return new Map(rows.filter(isBelieved).map(({ currency, free }) => [currency, BigInt(free)]));
}

/** Currencies of a rail whose last readings were changed by SQL: nothing of these is promised or taken until the next one. */
export async function alteredOf(db: Statements, rail: string): Promise<string[]> {
  const rows = await db.rows<Stored>(`select ${COLUMNS} from rail_balance where place = 'hot' and rail = $1`, [rail], {
    name: 'payments.altered_readings',
  });
  return rows.filter((row) => !isAsRead(row)).map(({ currency }) => currency);
}

/** Gives all readings their MACs as they stand. For tests, which write rows by SQL. */
export async function keepBalances(db: Statements): Promise<void> {
  for (const row of await db.rows<Stored>(`select ${COLUMNS} from rail_balance`))
    await db.run('update rail_balance set mac = $3 where currency = $1 and place = $2', [
      ...[row.currency, row.place, macOfBalance(rowIn(row))],
    ]);
}

/** Readings of rails that were changed by SQL, or of which more is free than can be paid. */
export async function alteredBalances(db: Statements): Promise<string[]> {
  const rows = await db.rows<Stored>(`select ${COLUMNS} from rail_balance order by currency, place`);
  return rows.filter((row) => !isBelieved(row)).map(({ currency, place }) => `${currency} ${place}`);
}
