import { type PayerHistory, isReversible, clearingCount } from '../../compliance/index.ts';
import { currencies } from '../../payments/index.ts';
import { canonicalEmail, type Statements } from '../../platform/index.ts';

/**
 * What customers have paid before in currencies that can be taken back, by canonical e-mail. Of each currency no more
 * orders are counted than make a difference.
 */
export async function payerHistories(db: Statements, emails: readonly string[]): Promise<Map<string, PayerHistory>> {
  const customers = [...new Set(emails.map(canonicalEmail))];
  const paidIn = currencies()
    .map(({ code }) => code)
    .filter(isReversible);
  const rows = await db.rows<{ customer: string; since: Date; finished: number }>(
    `select asked.customer, min(finished_at) as since, count(*)::int as finished
     from unnest($1::text[]) as asked (customer) cross join unnest($2::text[]) as paid (currency) cross join lateral (
       select finished_at from customer_order
       where customer = asked.customer and give_currency = paid.currency and state = 'completed' order by finished_at limit $3
     ) as first group by asked.customer`,
    [customers, paidIn, Math.max(1, clearingCount())],
    { name: 'exchange.payer_history' },
  );
  return new Map(rows.map(({ customer, since, finished }) => [customer, { since, finished }]));
}

/** What a customer has paid so before, where a payment in this currency can be taken back; else undefined. */
export async function payerHistory(db: Statements, currency: string, email: string): Promise<PayerHistory | undefined> {
  if (!isReversible(currency)) return undefined;
  return (await payerHistories(db, [email])).get(canonicalEmail(email)) ?? { since: undefined, finished: 0 };
}
