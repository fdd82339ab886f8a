// Rows of settled payments that stand in the reserves of stores, by the time at which they may leave.

import type { Statements } from '../../platform/index.ts';
import { RESERVE_DAYS } from '../businesses/reversible.ts';
import { releasesSql } from '../businesses/releases-sql.ts';

/** SQL: the terms of the business `b`. */
const TERMS = { days: `coalesce(b.release_days, ${RESERVE_DAYS})`, share: 'coalesce(b.last_share, 0)' };

/** A settled payment that may leave the reserve. `isForDebt`: true if it repays what is owed in its unit because of its store. */
export interface DueReceipt {
  readonly id: string;
  readonly invoiceId: string;
  readonly isForDebt: boolean;
}

/**
 * Returns settled payments that may leave the reserves of their stores by the terms of their businesses, the oldest first. Payments
 * of stores because of which money is owed in their unit leave first, also those that wait for the end of a dispute.
 */
export const dueReceipts = (db: Statements, max: number): Promise<DueReceipt[]> =>
  db.rows<DueReceipt>(
    `select id, "invoiceId", "isForDebt" from (
       select s.id, s.invoice_id as "invoiceId", s.at, s.look_at,
         exists (select from ${releasesSql('s', TERMS)} where release.at <= clock_now() and release.parts > 0) as "isOver",
         exists (select from store_debt d where d.party = 'business_' || s.business_id and d.unit = s.unit
           and d.by_store ? s.store_id::text) as "isForDebt"
       from settled_payment s join business b on b.id = s.business_id
       where s.in_reserve > 0
     ) as due where ("isOver" or "isForDebt")
       and (look_at is null or look_at <= clock_now() or "isForDebt" and look_at > clock_now() + interval '5 minutes')
     order by "isForDebt" desc, at, id limit $1`,
    [max],
    { name: 'gate.due_receipts' },
  );

/** Postpones the next check of a settled payment in the reserve. */
export const putOffReceipt = async (db: Statements, id: string, until: Date): Promise<void> => {
  await db.run('update settled_payment set look_at = $2 where id = $1', [id, until], { name: 'gate.put_off_receipt' });
};
