import { holdersById } from '../../auth/index.ts';
import { type PayerHistory, type Subject, isReversible, clearingCount, shownOf } from '../../compliance/index.ts';
import { currencies } from '../../payments/index.ts';
import { canonicalEmail, type Statements } from '../../platform/index.ts';

/**
 * Returns customers' earlier payments in reversible currencies, by canonical e-mail address. In each currency at most
 * `clearingCount()` orders are counted: more make no difference.
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

const NOTHING_YET: PayerHistory = { since: undefined, finished: 0 };

/**
 * Returns a customer's earlier payments if payments in this currency are reversible, else undefined. Only payments of a signed-in
 * account's verified mailbox are included: a typed address has no history.
 */
export async function payerHistory(
  db: Statements,
  currency: string,
  { holder }: Pick<Subject, 'holder'>,
): Promise<PayerHistory | undefined> {
  if (!isReversible(currency)) return undefined;
  return (await historiesOf(db, holder ? [holder] : [])).get(holder?.id ?? '') ?? NOTHING_YET;
}

/** Returns the earlier payments in reversible currencies of account holders, by their ids. */
export async function holderHistories(db: Statements, holderIds: readonly string[]): Promise<Map<string, PayerHistory>> {
  const holders = await holdersById(db, [...new Set(holderIds)]);
  return historiesOf(db, [...holders.values()].map(shownOf));
}

async function historiesOf(
  db: Statements,
  holders: readonly NonNullable<Subject['holder']>[],
): Promise<Map<string, PayerHistory>> {
  const shown = holders.flatMap(({ id, mailbox }) => (mailbox === undefined ? [] : [[id, mailbox] as const]));
  if (shown.length === 0) return new Map();
  const found = await payerHistories(
    db,
    shown.map(([, mailbox]) => mailbox),
  );
  return new Map(shown.map(([id, mailbox]) => [id, found.get(canonicalEmail(mailbox)) ?? NOTHING_YET]));
}
