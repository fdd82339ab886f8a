// Rows of what businesses, and owners of personal stores, owe the desk after settled payments were taken back. Each has a MAC.

import { type Statements, type Tx, alarmOnce, isMac, macOf, steady } from '../../platform/index.ts';

/**
 * A debt. `party`: that of the account `receivable`. `byStore`: its parts by the stores that they arose at, which add up to it.
 * `isAltered`: true if its row was changed by SQL.
 */
export interface StoreDebt {
  readonly party: string;
  readonly unit: string;
  readonly parts: bigint;
  readonly byStore: ReadonlyMap<string, bigint>;
  readonly isAltered: boolean;
}

interface DebtRow {
  readonly party: string;
  readonly unit: string;
  readonly parts: string;
  readonly byStore: Readonly<Record<string, string>>;
  readonly mac: string | null;
}

const COLUMNS = 'party, unit, parts::text, by_store as "byStore", mac';

const byStoreText = ({ byStore }: Pick<StoreDebt, 'byStore'>): string =>
  steady(Object.fromEntries([...byStore].map(([id, parts]) => [id, parts.toString()])));

const contentOf = (debt: Omit<StoreDebt, 'isAltered'>): string =>
  steady([debt.party, debt.unit, debt.parts, ...(debt.byStore.size > 0 ? [byStoreText(debt)] : [])]);

function fromRow({ party, unit, parts, byStore, mac }: DebtRow): StoreDebt {
  const stores = Object.entries(byStore).map(([id, own]) => [id, BigInt(own)] as const);
  const debt = { party, unit, parts: BigInt(parts), byStore: new Map(stores) };
  return { ...debt, isAltered: !isMac('store debt', contentOf(debt), mac) };
}

/** Returns the debts of a party, in order of their units. Paid debts are left out. */
export async function debtsOf(db: Statements, party: string): Promise<StoreDebt[]> {
  const rows = await db.rows<DebtRow>(`select ${COLUMNS} from store_debt where party = $1 and parts > 0 order by unit`, [party], {
    name: 'gate.debts_of',
  });
  return rows.map(fromRow);
}

/** Returns the rows of parties' debts, locked in their order, paid debts too. */
export async function lockDebts(tx: Tx, parties: readonly string[]): Promise<StoreDebt[]> {
  const rows = await tx.rows<DebtRow>(
    `select ${COLUMNS} from store_debt where party = any ($1) order by party, unit for update`,
    [parties],
    { name: 'gate.lock_debts' },
  );
  return rows.map(fromRow);
}

const reportAltered = alarmOnce('the debt of a store’s owner was changed outside the product: it is not repaid');

/** Returns true, and raises an alarm, if a debt's row was changed outside the product. */
export function isDebtAltered({ party, unit, isAltered }: StoreDebt): boolean {
  if (isAltered) reportAltered(`${party} ${unit}`, { party, unit });
  return isAltered;
}

/** Stores debts. */
export async function saveDebts(tx: Tx, debts: readonly Omit<StoreDebt, 'isAltered'>[]): Promise<void> {
  for (const debt of debts)
    await tx.run(
      `insert into store_debt (party, unit, parts, by_store, mac) values ($1, $2, $3, $4, $5)
       on conflict (party, unit) do update set parts = excluded.parts, by_store = excluded.by_store, mac = excluded.mac`,
      [debt.party, debt.unit, debt.parts, byStoreText(debt), macOf('store debt', contentOf(debt))],
      { name: 'gate.save_debt' },
    );
}

/** Returns all debts that are not paid. */
export async function openDebts(db: Statements): Promise<StoreDebt[]> {
  const rows = await db.rows<DebtRow>(`select ${COLUMNS} from store_debt where parts > 0 order by party, unit`);
  return rows.map(fromRow);
}

/** Returns the parties of debts that were changed by SQL. */
export async function alteredDebts(db: Statements): Promise<string[]> {
  const rows = await db.rows<DebtRow>(`select ${COLUMNS} from store_debt order by party, unit`);
  return rows.map(fromRow).flatMap(({ party, isAltered }) => (isAltered ? [party] : []));
}
