// Plans of automatic moves from stores' balances: at the end of the store's day, or for personal stores as soon as money is deep.

import { type Statements, type Tx, idsOfAltered, isMac, macOf, steady } from '../../platform/index.ts';

/** A plan as stored. `isAltered`: true if its row was changed by SQL. */
export interface SettlementPlan {
  readonly storeId: string;
  readonly isDaily: boolean;
  readonly isAltered: boolean;
}

interface PlanRow {
  readonly storeId: string;
  readonly isDaily: boolean;
  readonly mac: string | null;
}

const COLUMNS = 'store_id as "storeId", is_daily as "isDaily", mac';

const macOfPlan = (storeId: string, isDaily: boolean): string => macOf('settlement plan', steady([storeId, isDaily]));

const fromRow = ({ storeId, isDaily, mac }: PlanRow): SettlementPlan => ({
  ...{ storeId, isDaily },
  isAltered: !isMac('settlement plan', steady([storeId, isDaily]), mac),
});

/** SQL: the next midnight in a store's time zone, also on days on which its clocks change. */
const NEXT_MIDNIGHT = `((clock_now() at time zone store.timezone)::date + 1)::timestamp at time zone store.timezone`;

/** Returns the plan of a store; undefined if it has none. */
export async function planOf(db: Statements, storeId: string): Promise<SettlementPlan | undefined> {
  const row = await db.row<PlanRow>(`select ${COLUMNS} from settlement_plan where store_id = $1`, [storeId]);
  return row && fromRow(row);
}

/** Returns up to `max` plans that are due, locked. Those locked by others are skipped. */
export async function lockDuePlans(tx: Tx, max: number): Promise<SettlementPlan[]> {
  const rows = await tx.rows<PlanRow>(
    `select ${COLUMNS} from settlement_plan where due_at <= $1 order by due_at limit $2 for update skip locked`,
    [tx.now, max],
    { name: 'gate.lock_plans' },
  );
  return rows.map(fromRow);
}

/** True if a plan is due. */
export const isPlanDue = async (db: Statements): Promise<boolean> =>
  (await db.row('select from settlement_plan where due_at <= clock_now() limit 1', [], { name: 'gate.is_plan_due' })) !==
  undefined;

/** Makes a store's balance move daily, or no longer. */
export async function setDaily(tx: Tx, storeId: string, isDaily: boolean): Promise<void> {
  await tx.run(
    `insert into settlement_plan (store_id, is_daily, due_at, mac)
     select id, $2, case when $2 then ${NEXT_MIDNIGHT} end, $3 from store where id = $1
     on conflict (store_id) do update set is_daily = excluded.is_daily, due_at = excluded.due_at, mac = excluded.mac`,
    [storeId, isDaily, macOfPlan(storeId, isDaily)],
  );
}

/** Schedules the next daily move of a store: at its next midnight. A store without one has no further move. */
export async function planNextDay(tx: Tx, storeId: string): Promise<void> {
  await tx.run(
    `update settlement_plan set due_at = case when is_daily then ${NEXT_MIDNIGHT} end from store
     where store.id = store_id and store_id = $1`,
    [storeId],
    { name: 'gate.plan_next_day' },
  );
}

/** Schedules moves of personal stores for now. */
export async function planNow(tx: Tx, storeIds: readonly string[]): Promise<void> {
  for (const storeId of storeIds.toSorted())
    await tx.run(
      `insert into settlement_plan (store_id, is_daily, due_at, mac) values ($1, false, $2, $3)
       on conflict (store_id) do update set due_at = least(settlement_plan.due_at, excluded.due_at)`,
      [storeId, tx.now, macOfPlan(storeId, false)],
      { name: 'gate.plan_now' },
    );
}

/** Postpones the move of a store. */
export async function putOffPlan(tx: Statements, storeId: string, until: Date): Promise<void> {
  await tx.run('update settlement_plan set due_at = $2 where store_id = $1', [storeId, until], { name: 'gate.put_off_plan' });
}

/** Returns the ids of stores whose plans were changed by SQL. */
export const alteredPlans = (db: Statements): Promise<string[]> =>
  idsOfAltered(
    async (behind, max) => {
      const rows = await db.rows<PlanRow>(
        `select ${COLUMNS} from settlement_plan where $1::uuid is null or store_id > $1 order by store_id limit $2`,
        [behind ?? null, max],
      );
      return rows.map((row) => ({ ...fromRow(row), id: row.storeId }));
    },
    ({ isAltered }) => !isAltered,
  );
