import type { Output, Routes } from '@kurs/contract';
import type { Statements } from '../../platform/index.ts';

/** A store of a business, as the desk sees it. */
export interface StoreOfBusiness {
  readonly id: string;
  readonly businessId: string;
  readonly kind: Output<Routes['operatorBusiness']>['stores'][number]['kind'];
  readonly name: string;
  readonly createdAt: Date;
}

/** Returns the stores of businesses by the ids of the businesses, the oldest first. */
export async function storesOfBusinesses(db: Statements, ids: readonly string[]): Promise<Map<string, StoreOfBusiness[]>> {
  const rows = await db.rows<StoreOfBusiness>(
    `select id, business_id as "businessId", kind, name, created_at as "createdAt" from store
     where business_id = any ($1::uuid[]) order by created_at, id`,
    [ids],
  );
  return Map.groupBy(rows, ({ businessId }) => businessId);
}
