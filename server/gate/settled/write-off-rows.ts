// Rows of debts of businesses that the desk wrote off. Each has a MAC.

import { type Statements, type Tx, isMac, macOf, steady } from '../../platform/index.ts';

/** A debt that was written off. `recovered`: part of it that became a debt again. `isAltered`: true if SQL changed the row. */
export interface WriteOff {
  readonly id: string;
  readonly businessId: string;
  readonly unit: string;
  readonly parts: bigint;
  readonly recovered: bigint;
  readonly people: readonly string[];
  readonly evidence: string;
  readonly at: Date;
  readonly isAltered: boolean;
}

type WriteOffRow = Omit<WriteOff, 'parts' | 'recovered' | 'isAltered'> & {
  readonly parts: string;
  readonly recovered: string;
  readonly mac: string | null;
};

const COLUMNS = `id, business_id as "businessId", unit, parts::text, recovered::text, people, evidence, at, mac`;

type Content = Omit<WriteOff, 'isAltered'>;

const contentOf = ({ id, businessId, unit, parts, recovered, people, evidence, at }: Content): string =>
  steady([id, businessId, unit, parts, recovered, people, evidence, at]);

function fromRow({ mac, parts, recovered, ...row }: WriteOffRow): WriteOff {
  const one = { ...row, parts: BigInt(parts), recovered: BigInt(recovered) };
  return { ...one, isAltered: !isMac('store write-off', contentOf(one), mac) };
}

/** Adds a debt that was written off, or stores what became a debt again. */
export async function saveWriteOff(tx: Tx, one: Content): Promise<void> {
  await tx.run(
    `insert into store_write_off (id, business_id, unit, parts, recovered, people, evidence, at, mac)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (id) do update set recovered = excluded.recovered, mac = excluded.mac`,
    [
      ...[one.id, one.businessId, one.unit, one.parts, one.recovered, one.people, one.evidence, one.at],
      macOf('store write-off', contentOf(one)),
    ],
    { name: 'gate.save_write_off' },
  );
}

/** Locks the debts of a business in a unit that were written off and are not recovered, the oldest first. */
export async function lockWrittenOff(tx: Tx, businessId: string, unit: string): Promise<WriteOff[]> {
  const rows = await tx.rows<WriteOffRow>(
    `select ${COLUMNS} from store_write_off where business_id = $1 and unit = $2 and recovered < parts order by at, id for update`,
    [businessId, unit],
    { name: 'gate.lock_written_off' },
  );
  return rows.map(fromRow);
}

/** Returns the ids of written-off debts that were changed by SQL. */
export async function alteredWriteOffs(db: Statements): Promise<string[]> {
  const rows = await db.rows<WriteOffRow>(`select ${COLUMNS} from store_write_off order by id`);
  return rows.map(fromRow).flatMap(({ id, isAltered }) => (isAltered ? [id] : []));
}

/** Sum of written-off debts of a business in a unit that became a debt again, by their rows. */
interface RecoveredSum {
  readonly businessId: string;
  readonly unit: string;
  readonly parts: bigint;
}

/** Returns the sums of written-off debts that became a debt again, by business and unit. */
export async function recoveredSums(db: Statements): Promise<RecoveredSum[]> {
  const rows = await db.rows<Omit<RecoveredSum, 'parts'> & { readonly parts: string }>(
    `select business_id as "businessId", unit, sum(recovered)::text as parts from store_write_off group by 1, 2 order by 1, 2`,
  );
  return rows.map((row) => ({ ...row, parts: BigInt(row.parts) }));
}

/** SQL: the movements that the books should have for debts that were written off. */
export const WRITTEN_OFF = `select id as cause, 'spent:loss:' || unit as source,
  'receivable:business_' || business_id || ':' || unit as target, parts from store_write_off`;
