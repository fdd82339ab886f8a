// Rows of costs of disputes that the desk booked by hand. Each has a MAC.

import { type Statements, type Tx, isMac, macOf, steady } from '../../platform/index.ts';

/** Cost of a dispute. `parts`: in `currency`; `owed`: what the business owes for it, in `unit`. */
export interface DisputeCost {
  readonly id: string;
  readonly paymentId: string;
  readonly businessId: string;
  readonly storeId: string;
  readonly currency: string;
  readonly parts: bigint;
  readonly unit: string;
  readonly owed: bigint;
  readonly people: readonly string[];
  readonly evidence: string;
  readonly at: Date;
}

type DisputeCostRow = Omit<DisputeCost, 'parts' | 'owed'> & {
  readonly parts: string;
  readonly owed: string;
  readonly mac: string | null;
};

const COLUMNS = `id, payment_id as "paymentId", business_id as "businessId", store_id as "storeId", currency, parts::text, unit,
  owed::text, people, evidence, at, mac`;

const contentOf = (one: DisputeCost): string =>
  steady([
    ...[one.id, one.paymentId, one.businessId, one.storeId, one.currency, one.parts, one.unit, one.owed],
    ...[one.people, one.evidence, one.at],
  ]);

const isAsStored = ({ mac, parts, owed, ...row }: DisputeCostRow): boolean =>
  isMac('dispute cost', contentOf({ ...row, parts: BigInt(parts), owed: BigInt(owed) }), mac);

/** Adds the cost of a dispute. */
export async function addDisputeCost(tx: Tx, one: DisputeCost): Promise<void> {
  await tx.run(
    `insert into store_dispute_cost (id, payment_id, business_id, store_id, currency, parts, unit, owed, people, evidence, at, mac)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      ...[one.id, one.paymentId, one.businessId, one.storeId, one.currency, one.parts, one.unit, one.owed],
      ...[one.people, one.evidence, one.at, macOf('dispute cost', contentOf(one))],
    ],
    { name: 'gate.add_dispute_cost' },
  );
}

/** Returns the sum of the costs that were booked for a payment, in minor units of its currency. */
export async function disputeCostsOf(db: Statements, paymentId: string): Promise<bigint> {
  const row = await db.row<{ parts: string }>(
    'select coalesce(sum(parts), 0)::text as parts from store_dispute_cost where payment_id = $1',
    [paymentId],
    { name: 'gate.dispute_costs_of' },
  );
  return BigInt(row?.parts ?? 0);
}

/** Returns the ids of costs of disputes that were changed by SQL. */
export async function alteredDisputeCosts(db: Statements): Promise<string[]> {
  const rows = await db.rows<DisputeCostRow>(`select ${COLUMNS} from store_dispute_cost order by id`);
  return rows.flatMap((row) => (isAsStored(row) ? [] : [row.id]));
}

/** SQL: the movements that the books should have for costs of disputes. */
export const COSTS_OWED = `select id as cause, 'receivable:business_' || business_id || ':' || unit as source,
  'income:fee:' || unit as target, owed as parts from store_dispute_cost`;
