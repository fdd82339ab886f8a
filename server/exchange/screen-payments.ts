// Screening of payments (C3): the sender is known only once somebody has paid, and the network is never asked while a
// transaction is open. So a payment waits as a row, is asked about, and counts when its verdict is there.

import { screen } from '../compliance/index.ts';
import type { PayinBody } from '../payments/index.ts';
import type { Db, Tx } from '../platform/index.ts';
import type { Context } from './events.ts';

type Verdict = Context['screening'];

const AT_ONCE = 16;

/** Notes payments whose senders are to be asked about. */
export async function noteScreenings(tx: Tx, payins: readonly PayinBody[]): Promise<void> {
  for (const { payinId, currency, from } of payins) {
    await tx.run(
      `insert into payment_screening (payin_id, currency, senders, at) values ($1, $2, $3, $4) on conflict do nothing`,
      [payinId, currency, from, tx.now],
      { name: 'exchange.note_screening' },
    );
  }
}

/** The verdicts that are there, by payment. */
export async function verdictsOf(tx: Tx, payins: readonly string[]): Promise<Map<string, Verdict>> {
  if (payins.length === 0) return new Map();
  const rows = await tx.rows<{ payin_id: string; verdict: Verdict }>(
    'select payin_id, verdict from payment_screening where payin_id = any($1) and verdict is not null',
    [payins],
    { name: 'exchange.verdicts' },
  );
  return new Map(rows.map((row) => [row.payin_id, row.verdict]));
}

/** Asks about payments that wait for a verdict; gives how many. Silence holds: nothing leaves while nobody has looked. */
export async function screenPayments(db: Db): Promise<number> {
  const waiting = await db.rows<{ payin_id: string; currency: string; senders: string[] }>(
    'select payin_id, currency, senders from payment_screening where verdict is null order by at limit $1',
    [AT_ONCE],
    { name: 'exchange.to_screen' },
  );
  await Promise.all(
    waiting.map(async ({ payin_id, currency, senders }) => {
      const screened = await screen(senders.map((address) => ({ currency, fields: { address } })));
      const verdict: Verdict = screened.outcome !== 'held' ? 'clean' : screened.soft ? 'soft' : 'hard';
      await db.run('update payment_screening set verdict = $2 where payin_id = $1', [payin_id, verdict]);
    }),
  );
  return waiting.length;
}
