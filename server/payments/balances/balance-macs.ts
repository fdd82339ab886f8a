// MACs of the stored balances of rails (table `rail_balance`). The proof reports a balance that SQL altered, until the next poll
// overwrites that balance.

import { type Statements, type Tx, isMac, macOf, steady } from '../../platform/index.ts';

/**
 * Stored balance of a currency at a place, as the rail last reported it. The table's column `free` is not reported by the rail
 * but computed, and is at most `payable`.
 */
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

/** Returns the MAC of a stored balance. */
export const macOfBalance = (row: BalanceRow): string => macOf('rail balance', contentOf(row));
const isAsRead = (row: Stored): boolean => isMac('rail balance', contentOf(rowIn(row)), row.mac);

/**
 * Adds `changes` (parts by place) to the stored balances of a currency. If SQL had altered a stored balance, the balance stays
 * without a valid MAC.
 */
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

/** True if a stored balance may be relied on: SQL did not alter it, and its free part is at most its payable part. */
const isBelieved = (row: Stored): boolean => isAsRead(row) && BigInt(row.free) <= BigInt(row.payable);

/**
 * Returns the free part of stored hot-wallet balances, in parts, by currency. Leaves out balances that may not be relied on.
 * `where`: SQL condition.
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
 * Returns the currencies of a rail whose stored hot-wallet balance was altered by SQL. Until the rail is polled again, they
 * promise nothing and pay nothing out.
 */
export async function alteredOf(db: Statements, rail: string): Promise<string[]> {
  const rows = await db.rows<Stored>(`select ${COLUMNS} from rail_balance where place = 'hot' and rail = $1`, [rail], {
    name: 'payments.altered_readings',
  });
  return rows.filter((row) => !isAsRead(row)).map(({ currency }) => currency);
}

/** Sets the MACs of all stored balances. For tests, which write balances by SQL. */
export async function writeBalanceMacs(db: Statements): Promise<void> {
  for (const row of await db.rows<Stored>(`select ${COLUMNS} from rail_balance`))
    await db.run('update rail_balance set mac = $3 where currency = $1 and place = $2', [
      ...[row.currency, row.place, macOfBalance(rowIn(row))],
    ]);
}

/** Returns the stored balances that SQL altered, or whose free part exceeds their payable part. Each is `<currency> <place>`. */
export async function alteredBalances(db: Statements): Promise<string[]> {
  const rows = await db.rows<Stored>(`select ${COLUMNS} from rail_balance order by currency, place`);
  return rows.filter((row) => !isBelieved(row)).map(({ currency, place }) => `${currency} ${place}`);
}
