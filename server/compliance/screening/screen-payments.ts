// Screening of payments: the sender is known only once somebody has paid, and the network is never asked while a
// transaction is open. So a payment waits as a row, is asked about, and counts when its verdict is there.

import type { Db, Tx } from '../../platform/index.ts';
import { screen } from './screening.ts';

/** `clean`: it counts · `soft`, `hard`: a person decides; only a score, which ends by itself, or a label and silence. */
export type PaymentVerdict = 'clean' | 'soft' | 'hard';

/** A payment that is to be judged by who sent it. */
export interface ScreenedPayment {
  readonly payinId: string;
  readonly currency: string;
  /** Addresses that it came from. */
  readonly from: readonly string[];
  readonly isFinal: boolean;
}

const AT_ONCE = 16;

/** Notes payments to be asked about, and gives the verdicts that are there on those that are final now, by payment. */
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

/** Asks about payments that wait for a verdict; gives how many. Silence holds: nothing leaves while nobody has looked. */
export async function screenPayments(db: Db): Promise<number> {
  const waiting = await db.rows<{ payin_id: string; currency: string; senders: string[] }>(
    'select payin_id, currency, senders from screened_payment where verdict is null order by at limit $1',
    [AT_ONCE],
    { name: 'compliance.payments_to_screen' },
  );
  await Promise.all(
    waiting.map(async ({ payin_id, currency, senders }) => {
      const screened = await screen(senders.map((address) => ({ currency, fields: { address } })));
      const verdict: PaymentVerdict = screened.outcome !== 'held' ? 'clean' : screened.soft ? 'soft' : 'hard';
      await db.run('update screened_payment set verdict = $2 where payin_id = $1', [payin_id, verdict]);
    }),
  );
  return waiting.length;
}
