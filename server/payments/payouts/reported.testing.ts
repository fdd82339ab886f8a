// Simulates a rail's answer about a payout, for tests of owners: updates the payout, publishes the event and posts the journal.

import assert from 'node:assert/strict';
import type { Db } from '../../platform/index.ts';
import type { PayoutBody, PayoutEvent } from '../rails/event-bodies.ts';
import { marketValues } from '../rails/values.ts';
import { postPayouts } from './payout-books.ts';
import type { PayoutStatus } from './machine/payout-machine.ts';
import { lockPayouts } from './rows/payout-store.ts';
import { sameEvent, reportPayouts } from './report-payouts.ts';

/** Status of a payout after each event. */
const REPORTED: Partial<Record<PayoutEvent, PayoutStatus>> = {
  ...{ send: 'sending', resend: 'sending', unknown: 'in_doubt', accepted: 'sent', found: 'sent', final: 'final' },
  ...{ kept: 'stopped', refused: 'failed', absent: 'failed', returned: 'failed' },
};

/** Publishes an event of a payout. An event that is published twice is posted once. */
export async function reportOfPayout(db: Db, id: string, event: PayoutEvent, extra: Partial<PayoutBody> = {}): Promise<void> {
  await db.tx(async (tx) => {
    const [payout] = await lockPayouts(tx, [id]);
    assert.ok(payout, `there is no payout ${id}`);
    const status = REPORTED[event] ?? payout.status;
    await tx.run('update payout set status = $2, status_at = clock_now() where id = $1', [id, status]);
    // Like the payments room, reports the whole amount of a late send as owed.
    const found = event === 'found_late' ? { owed: payout.parts.toString(), ...extra } : extra;
    const journals = await reportPayouts(tx, marketValues, sameEvent([payout], event, found));
    if (status !== payout.status) await postPayouts(tx, journals);
  });
}
