// Handles the outcome of an attempt: logs it, schedules the next attempt, and switches off a dead endpoint.

import { type Db, SOFT, type Tx, outbox, log, newId } from '../platform/index.ts';
import type { Pace } from './kind.ts';
import { type Outcome, isTaken } from './post.ts';

/** Days without an accepted delivery after which an endpoint is switched off. */
export const FAILING_DAYS = 5;
const GONE = 410;

/** An attempt at a delivery that has ended. */
interface Attempted {
  readonly pace: Pace;
  readonly endpoint: { readonly id: string; readonly owner: string };
  readonly delivery: string;
  /** Id of the attempt. */
  readonly attempt: string;
  /** Number of attempts at the delivery so far, including this one. */
  readonly tries: number;
}

/** Body of the event `deliveries.switched_off`: the endpoint that was switched off, and the reason. */
interface SwitchedOff {
  readonly endpoint: string;
  readonly owner: string;
  readonly because: 'gone' | 'failing';
}

/**
 * Stores the outcome of an attempt. Stores nothing if the endpoint was removed meanwhile. An accepted delivery is stored without
 * waiting for the disk. If a crash of the database's machine loses the row, the claim expires and the delivery is sent again.
 */
export async function storeOutcome(db: Db, attempted: Attempted, outcome: Outcome): Promise<void> {
  const { endpoint, tries } = attempted;
  if (isTaken(outcome)) {
    await db.run(TAKEN, [...logged(attempted, outcome), endpoint.id], { name: 'deliveries.taken' });
    return;
  }
  await db.tx(async (tx) => {
    const isKnown = await tx.run(LOG, logged(attempted, outcome), { name: 'deliveries.log' });
    if (isKnown === 0) return;
    const { status, error } = outcome;
    log.warn('a delivery was not accepted', { endpointId: endpoint.id, owner: endpoint.owner, tries, status, error });
    if (outcome.isAltered) await giveUp(tx, attempted, 'a letter or webhook was altered by SQL: it is not sent');
    else if (outcome.isFinal) await giveUp(tx, attempted);
    else await storeRefused(tx, attempted, status);
  });
}

const logged = ({ attempt, delivery }: Attempted, { status, latencyMs, answer, error }: Outcome): unknown[] => [
  attempt,
  delivery,
  status ?? null,
  latencyMs,
  answer,
  error ?? null,
];

const LOG = `insert into delivery_attempt (id, delivery_id, at, status, latency_ms, answer, error)
  select $1, id, clock_now(), $3, $4, $5, $6 from delivery where id = $2`;
const TAKEN = `
  with logged as (${LOG}),
    works as (update delivery_endpoint set failing_since = null where id = $7 and failing_since is not null)
  update delivery set due_at = null, taken_at = clock_now() from ${SOFT} where id = $2`;

/**
 * Gives up a delivery for which another attempt would have the same outcome. Raises `alarm` if given. The endpoint is not
 * marked as failing.
 */
async function giveUp(tx: Tx, { endpoint, delivery }: Attempted, alarm?: string): Promise<void> {
  await tx.run('update delivery set due_at = null, given_up_at = $2 where id = $1 and taken_at is null', [delivery, tx.now], {
    name: 'deliveries.give_up',
  });
  if (alarm !== undefined) log.alarm(alarm, { deliveryId: delivery, endpointId: endpoint.id });
}

async function storeRefused(tx: Tx, { pace, endpoint, delivery, tries }: Attempted, status?: number): Promise<void> {
  const pause = pace.pauseAfter(tries);
  // The pause is varied by a tenth at random, so that endpoints that failed together aren't all retried at once.
  await tx.run(
    `update delivery set
       due_at = $2::timestamptz + $3::float8 * (0.9 + 0.2 * random()) * interval '1 second',
       given_up_at = case when $3::float8 is null then $2::timestamptz end, failed = failed + 1, is_claimed = false
     where id = $1 and taken_at is null`,
    [delivery, tx.now, pause ?? null],
    { name: 'deliveries.put_off' },
  );
  await tx.run('update delivery_endpoint set failing_since = coalesce(failing_since, $2) where id = $1', [endpoint.id, tx.now], {
    name: 'deliveries.fails',
  });
  if (pace.canSwitchOff) await switchOffIfDead(tx, endpoint, status);
  else if (pause === undefined) log.alarm('a delivery was given up', { deliveryId: delivery, endpointId: endpoint.id, tries });
}

/** Switches off an endpoint that is gone or has failed for days, and publishes the event `deliveries.switched_off`. */
async function switchOffIfDead(tx: Tx, endpoint: Attempted['endpoint'], status?: number): Promise<void> {
  const off = await tx.row<{ because: SwitchedOff['because'] }>(
    `update delivery_endpoint set switched_off_at = $2::timestamptz, switched_off_because = case when $3::boolean then 'gone' else 'failing' end
     where id = $1 and switched_off_at is null and ($3::boolean or failing_since < $2::timestamptz - $4 * interval '1 day')
     returning switched_off_because as because`,
    [endpoint.id, tx.now, status === GONE, FAILING_DAYS],
    { name: 'deliveries.switch_off' },
  );
  if (!off) return;
  const body: SwitchedOff = { endpoint: endpoint.id, owner: endpoint.owner, because: off.because };
  await outbox.publish(tx, [{ id: newId(), kind: 'deliveries.switched_off', subject: `endpoint:${endpoint.id}`, body }]);
}
