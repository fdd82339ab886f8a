// Reads the amount of a transaction that paid the desk's own account on a chain, so that it can be booked as capital.

import { fieldProblem } from '@kurs/contract';
import { type Money, money } from '@kurs/money';
import type { Statements } from '../../platform/index.ts';
import type { ObservedPayment, Rail } from '../../rails/rail.ts';
import { within } from '../rails/deps.ts';
import { depthFor, reaches } from '../rails/finality.ts';
import { carrierOf, currencyOf } from '../rails/registry.ts';
import { finalityOf } from '../rails/settings.ts';
import { type Values, marketValues } from '../rails/values.ts';

const CALL_MS = 15_000;

/** Money that a transaction brought to the desk's own account. */
export interface PaidIn {
  /** Transaction id as the chain writes it. */
  readonly txid: string;
  readonly parts: bigint;
}

/** A rail that can report the payments of a transaction to our own account. */
interface Shows {
  readonly rail: Rail;
  readonly to: string;
  readonly paidBy: NonNullable<NonNullable<Rail['payin']>['paidBy']>;
}

function showsOf(currency: string): Shows | undefined {
  const rail = currencyOf(currency) && carrierOf(currency).rail;
  const [to, paidBy] = [rail?.ownAccount?.(currency), rail?.payin?.paidBy];
  return rail && to !== undefined && paidBy ? { rail, to, paidBy } : undefined;
}

/** True if the amount of a currency's transaction can be read from the chain, so that nobody has to type it. */
export const isReadFromChain = (currency: string): boolean => showsOf(currency) !== undefined;

/**
 * Returns the amount that a transaction paid to the desk's own account. Throws `validation` at `txid` if the transaction is
 * unknown, pays another account, lacks the depth that its amount needs, or moves money that is already in our books.
 */
export async function readPaidIn(
  db: Statements,
  { currency, txid }: { readonly currency: string; readonly txid: string },
  { usd }: Pick<Values, 'usd'> = marketValues,
): Promise<PaidIn> {
  const shows = showsOf(currency);
  if (!shows) throw fieldProblem('txid', 'fund_not_read', { currency });
  const [hash] = /[0-9a-f]{64}(?![0-9a-f])/.exec(txid.toLowerCase()) ?? [];
  if (hash === undefined) throw fieldProblem('txid', 'fund_format');
  const { rail, to, paidBy } = shows;
  const found = await within(CALL_MS, `${rail.id} transaction`, () => paidBy({ currency, to }, hash)).catch((error: unknown) => {
    throw fieldProblem('txid', 'fund_no_answer', {
      rail: rail.id,
      detail: error instanceof Error ? error.message : String(error),
    });
  });
  if (!('payments' in found))
    throw fieldProblem('txid', found.is === 'unknown' ? 'fund_unknown' : 'fund_waiting', { rail: rail.id });
  const [first] = found.payments;
  if (!first) throw fieldProblem('txid', 'fund_foreign', { currency, account: to });
  if (await isOurs(db, rail.id, found.payments)) throw fieldProblem('txid', 'fund_ours');
  const parts = found.payments.reduce((sum, payment) => sum + payment.parts, 0n);
  const unit = currencyOf(currency)?.unit ?? currency;
  const depth = depthFor(finalityOf(rail.id), usd(money(unit, parts) as Money));
  const { status } = first;
  const [confirmations, finalised] = status.at === 'block' ? [status.confirmations, status.isFinalised] : [0, false];
  if (!reaches(depth, confirmations, finalised))
    throw fieldProblem('txid', 'fund_shallow', { confirmations: String(confirmations), needed: String(depth.confirmations) });
  return { txid: first.txid, parts };
}

/** True if a transaction only moves money that is in our books: a send of ours, or a sweep from a customer's address. */
async function isOurs(db: Statements, rail: string, payments: readonly ObservedPayment[]): Promise<boolean> {
  const txids = payments.map(({ txid }) => txid);
  const from = payments.flatMap((payment) => payment.from);
  const own = await db.row(
    `select from payment_attempt where rail = $1 and (reference = any($2) or txid = any($2))
     union all select from receiving_address where rail = $1 and lower(to_key) = any($3) limit 1`,
    [rail, txids, from.map((one) => one.toLowerCase())],
  );
  return own !== undefined;
}
