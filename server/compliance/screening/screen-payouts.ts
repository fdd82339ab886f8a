// Screens payouts. The receiving account is screened when the payout is requested, and again before the payout leaves. Never
// queries the service within a transaction: a payout waits as a stored row until it has a verdict.

import type { Db, Statements, Tx } from '../../platform/index.ts';
import type { ScreenedAccount } from './screener.ts';
import { screen } from './screening.ts';

/** A payout that is about to leave, with its receiving account. */
export interface ScreenedPayout extends ScreenedAccount {
  readonly id: string;
}

const BATCH_SIZE = 16;
/** Maximum age of a verdict. If a verdict is older, the service is queried again. */
const FRESH = `interval '10 minutes'`;

/**
 * Returns the fresh verdicts on payouts, by id: true if the payout may leave. Payouts without a fresh verdict are stored to be
 * screened.
 */
export async function verdictsOnPayouts(tx: Tx, payouts: readonly ScreenedPayout[]): Promise<ReadonlyMap<string, boolean>> {
  const rows = await tx.rows<{ id: string; is_clear: boolean }>(
    `select payout_id as id, is_clear from screened_payout
     where payout_id = any ($1) and is_clear is not null and answered_at > $2::timestamptz - ${FRESH}`,
    [payouts.map(({ id }) => id), tx.now],
    { name: 'compliance.payout_verdicts' },
  );
  const known = new Map(rows.map(({ id, is_clear }) => [id, is_clear]));
  const requests = payouts.filter(({ id }) => !known.has(id));
  if (requests.length > 0) await note(tx, requests);
  return known;
}

async function note(tx: Tx, payouts: readonly ScreenedPayout[]): Promise<void> {
  await tx.run(
    `insert into screened_payout (payout_id, currency, fields, at)
     select *, $4 from unnest($1::uuid[], $2::text[], $3::jsonb[])
     on conflict (payout_id) do update set at = excluded.at, is_clear = null, answered_at = null
     where screened_payout.answered_at <= excluded.at - ${FRESH}`,
    [
      payouts.map(({ id }) => id),
      payouts.map(({ currency }) => currency),
      payouts.map(({ fields }) => JSON.stringify(fields)),
      tx.now,
    ],
    { name: 'compliance.note_payouts' },
  );
}

/**
 * Screens payouts that wait for a verdict, and returns their number. While the service doesn't answer, the payouts go on waiting.
 */
export async function screenPayouts(db: Db): Promise<number> {
  const waiting = await db.rows<ScreenedPayout>(
    'select payout_id as id, currency, fields from screened_payout where is_clear is null order by at limit $1',
    [BATCH_SIZE],
    { name: 'compliance.payouts_to_screen' },
  );
  await Promise.all(waiting.map((payout) => screenOne(db, payout)));
  return waiting.length;
}

async function screenOne(db: Statements, { id, currency, fields }: ScreenedPayout): Promise<void> {
  const screened = await screen([{ currency, fields }]);
  if (screened.outcome === 'held' && screened.cause === 'silent') {
    // Moves the payout to the end of the queue.
    await db.run('update screened_payout set at = clock_now() where payout_id = $1', [id]);
    return;
  }
  await db.run('update screened_payout set is_clear = $2, answered_at = clock_now() where payout_id = $1', [
    id,
    screened.outcome !== 'held',
  ]);
}
