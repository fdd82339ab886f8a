// What follows from an attempt: the log, the next attempt, and an endpoint that is switched off.

import { type Tx, outbox, log, newId } from '../platform/index.ts';
import type { Pace } from './kind.ts';
import { type Outcome, isTaken } from './post.ts';

/** An endpoint that has taken nothing for so long is switched off. */
const FAILING_DAYS = 5;
const GONE = 410;

/** An attempt at a delivery. */
interface Attempted {
  readonly pace: Pace;
  readonly endpoint: { readonly id: string; readonly owner: string };
  readonly delivery: string;
  /** How many attempts there were, this one included. */
  readonly tries: number;
}

/** Body of `deliveries.switched_off`: an endpoint that nothing goes to any more, and why. */
interface SwitchedOff {
  readonly endpoint: string;
  readonly owner: string;
  readonly because: 'gone' | 'failing';
}

/** Keeps the outcome of an attempt. An endpoint that was removed meanwhile has none. */
export async function keepOutcome(tx: Tx, attempted: Attempted, outcome: Outcome): Promise<void> {
  const { status, latencyMs, answer, error } = outcome;
  const { endpoint, delivery, tries } = attempted;
  const isKnown = await tx.run(
    `insert into delivery_attempt (id, delivery_id, at, status, latency_ms, answer, error)
     select $1, id, $3, $4, $5, $6, $7 from delivery where id = $2`,
    [newId(), delivery, tx.now, status ?? null, latencyMs, answer, error ?? null],
    { name: 'deliveries.log' },
  );
  if (isKnown === 0) return;
  if (isTaken(outcome)) return keepTaken(tx, delivery, endpoint.id);
  log.warn('a delivery was not taken', { endpointId: endpoint.id, owner: endpoint.owner, tries, status, error });
  await keepRefused(tx, attempted, status);
}

async function keepTaken(tx: Tx, delivery: string, endpoint: string): Promise<void> {
  await tx.run('update delivery set due_at = null, taken_at = $2 where id = $1', [delivery, tx.now], {
    name: 'deliveries.taken',
  });
  await tx.run('update delivery_endpoint set failing_since = null where id = $1 and failing_since is not null', [endpoint], {
    name: 'deliveries.works',
  });
}

async function keepRefused(tx: Tx, { pace, endpoint, delivery, tries }: Attempted, status?: number): Promise<void> {
  const pause = pace.pauseAfter(tries);
  // A tenth earlier or later by chance: endpoints that failed together aren't all tried again at once.
  await tx.run(
    `update delivery set
       due_at = $2::timestamptz + $3::float8 * (0.9 + 0.2 * random()) * interval '1 second',
       given_up_at = case when $3::float8 is null then $2::timestamptz end
     where id = $1 and taken_at is null`,
    [delivery, tx.now, pause ?? null],
    { name: 'deliveries.put_off' },
  );
  await tx.run('update delivery_endpoint set failing_since = coalesce(failing_since, $2) where id = $1', [endpoint.id, tx.now], {
    name: 'deliveries.fails',
  });
  if (pace.switchesOff) await switchOffIfDead(tx, endpoint, status);
  else if (pause === undefined) log.alarm('a delivery was given up', { deliveryId: delivery, endpointId: endpoint.id, tries });
}

/** Switches off an endpoint that is gone or has failed for days, and publishes an event. */
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
