import type { Statements } from '../../platform/index.ts';

/** Returns the search terms that are not stored for their order, each with the order's number; none in a correct database. */
export function wordsMissing(db: Statements): Promise<{ number: string; kind: string; term: string }[]> {
  return db.rows(
    `select number, t.kind, t.term from customer_order o
     cross join lateral order_terms(o.number, o.email, o.pay_to, o.body) as t
     where not exists (select from order_term s where s.order_id = o.id and s.term = t.term)`,
  );
}
