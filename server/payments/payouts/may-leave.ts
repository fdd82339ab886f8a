// Last check of payouts by their owners, in the transaction that makes a send irrevocable. An earlier decision may rest on facts
// that have changed: a debt, a freeze, a limit, an account removed from a list.

import { type Tx, log } from '../../platform/index.ts';
import { stoppedByFinds } from './found-late.ts';
import type { Gates, PayoutObstacle } from '../rails/gates.ts';
import { idsOf } from '../rails/owner.ts';
import { moved } from './machine/payout-machine.ts';
import { type StoredPayout, putOff, savePayouts } from './rows/payout-store.ts';
import { reportPayouts } from './report-payouts.ts';
import type { Values } from '../rails/values.ts';

const WAIT_SECONDS = 2;

/**
 * Asks the owners of payouts that are about to leave. Returns the payouts that may leave. A refused payout is stopped and
 * published as `kept`. Its owner then takes the money back and lets people decide. A payout whose owner can't answer yet is tried
 * again after a moment.
 */
export async function askOwners(
  tx: Tx,
  { gates, values }: { readonly gates: Gates; readonly values: Values },
  payouts: readonly StoredPayout[],
): Promise<StoredPayout[]> {
  const obstacles = new Map<string, PayoutObstacle>();
  for (const id of await stoppedByFinds(tx, payouts)) obstacles.set(id, { reason: 'found_late' });
  for (const [kind, theirs] of Map.groupBy(payouts, ({ owner }) => owner.kind))
    for (const [id, why] of (await gates[kind]?.(tx, theirs)) ?? []) obstacles.set(id, why);
  if (obstacles.size === 0) return [...payouts];
  const reported = payouts.flatMap((payout) => {
    const why = obstacles.get(payout.id);
    return why ? [{ payout, ...why }] : [];
  });
  const waiting = reported.filter(({ mayWait }) => mayWait);
  const stopped = reported.filter(({ mayWait }) => !mayWait).map(({ payout, reason }) => ({ ...moved(payout, 'kept'), reason }));
  await putOff(
    tx,
    waiting.map(({ payout: { id }, reason, waitSeconds = WAIT_SECONDS }) => ({ id, seconds: waitSeconds, reason })),
  );
  await savePayouts(tx, stopped);
  // No money moves here. The money stays in the payout's account until the owner takes it back.
  await reportPayouts(
    tx,
    values,
    stopped.map((payout) => ({ payout, events: [{ event: 'kept', extra: { reason: payout.reason } }] })),
  );
  if (stopped.length > 0) log.warn('payouts may not leave', { ...idsOf(stopped), reasons: stopped.map(({ reason }) => reason) });
  return payouts.filter(({ id }) => !obstacles.has(id));
}
