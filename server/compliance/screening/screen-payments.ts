// Screens payments by their senders, who are known only after they have paid. Never queries the service within a transaction: a
// payment is stored, then screened, and used only after a verdict.

import type { Db, Tx } from '../../platform/index.ts';
import { screen } from './screening.ts';

/**
 * Verdict on a payment. `clean`: the payment can be used. `soft`, `hard`: a person decides. A soft hold ends automatically; a
 * hard hold doesn't.
 */
export type PaymentVerdict = 'clean' | 'soft' | 'hard';

/** A payment to screen by its senders. */
export interface ScreenedPayment {
  readonly payinId: string;
  readonly currency: string;
  /** Addresses that the payment came from. */
  readonly from: readonly string[];
  readonly isFinal: boolean;
}

const BATCH_SIZE = 16;

/** Stores payments that must be screened. Returns the verdicts that final payments already have, by payment. */
export async function verdictsOnPayments(tx: Tx, payments: readonly ScreenedPayment[]): Promise<Map<string, PaymentVerdict>> {
  for (const { payinId, currency, from } of payments) {
    await tx.run(
      `insert into screened_payment (payin_id, currency, senders, at) values ($1, $2, $3, $4) on conflict do nothing`,
      [payinId, currency, from, tx.now],
      { name: 'compliance.note_payment' },
    );
  }
  const final = payments.flatMap(({ payinId, isFinal }) => (isFinal ? [payinId] : []));
  if (final.length === 0) return new Map();
  const rows = await tx.rows<{ payin_id: string; verdict: PaymentVerdict }>(
    'select payin_id, verdict from screened_payment where payin_id = any($1) and verdict is not null',
    [final],
    { name: 'compliance.payment_verdicts' },
  );
  return new Map(rows.map((row) => [row.payin_id, row.verdict]));
}

/**
 * Screens payments that wait for a verdict, and returns their number. If the service is silent, a payment is held until a person
 * has decided.
 */
export async function screenPayments(db: Db): Promise<number> {
  const waiting = await db.rows<{ payin_id: string; currency: string; senders: string[] }>(
    'select payin_id, currency, senders from screened_payment where verdict is null order by at limit $1',
    [BATCH_SIZE],
    { name: 'compliance.payments_to_screen' },
  );
  await Promise.all(
    waiting.map(async ({ payin_id, currency, senders }) => {
      const screened = await screen(senders.map((address) => ({ currency, fields: { address } })));
      const verdict: PaymentVerdict = screened.outcome !== 'held' ? 'clean' : screened.isSoft ? 'soft' : 'hard';
      await db.run('update screened_payment set verdict = $2 where payin_id = $1', [payin_id, verdict]);
    }),
  );
  return waiting.length;
}
