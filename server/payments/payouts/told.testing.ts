// Payments tells something of a payout as if its rail had said so, for tests of owners: the row, the event and the posting.

import assert from 'node:assert/strict';
import type { Db } from '../../platform/index.ts';
import type { PayoutBody, PayoutEvent } from '../rails/event-bodies.ts';
import { marketValues } from '../rails/values.ts';
import { postPayouts } from './payout-books.ts';
import type { PayoutStatus } from './machine/payout-machine.ts';
import { lockPayouts } from './rows/payout-store.ts';
import { sameEvent, tellPayouts } from './tell-payouts.ts';

/** Where a payout is once this is told of it. */
const TOLD: Partial<Record<PayoutEvent, PayoutStatus>> = {
  ...{ send: 'sending', resend: 'sending', unknown: 'in_doubt', accepted: 'sent', found: 'sent', final: 'final' },
  ...{ kept: 'stopped', refused: 'failed', absent: 'failed', returned: 'failed' },
};

/** Tells an event of a payout. What is told twice is posted once. */
export async function tellOfPayout(db: Db, id: string, event: PayoutEvent, extra: Partial<PayoutBody> = {}): Promise<void> {
  await db.tx(async (tx) => {
    const [payout] = await lockPayouts(tx, [id]);
    assert.ok(payout, `there is no payout ${id}`);
    const status = TOLD[event] ?? payout.status;
    await tx.run('update payout set status = $2, status_at = clock_now() where id = $1', [id, status]);
    // What turned up late is owed whole, as payments says with the event.
    const found = event === 'found_late' ? { owed: payout.parts.toString(), ...extra } : extra;
    const journals = await tellPayouts(tx, marketValues, sameEvent([payout], event, found));
    if (status !== payout.status) await postPayouts(tx, journals);
  });
}
