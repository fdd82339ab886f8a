// Publishes events: writes them and their deliveries in the transaction of the change that they report.

import { type Statements, type Tx, wake } from '../platform/index.ts';
import { eventMac } from './delivery-macs.ts';

/** An event to be sent to the endpoints of its owner. */
export interface Published {
  /** UUID v7. Publishing an event with the same id again has no effect. */
  readonly id: string;
  readonly owner: string;
  /** Type of the event, for example `alarm.raised`. */
  readonly type: string;
  readonly body: unknown;
  /** Thread whose events reach each endpoint in order, if the endpoint's kind is ordered. */
  readonly thread?: Thread;
  /** The only endpoint that receives the event. If absent, all of the owner that take the type. */
  readonly endpoint?: string;
}

/** Position of an event in its thread. */
export interface Thread {
  readonly name: string;
  readonly place: number;
  /** True if the event replaces earlier ones of the thread that failed. */
  readonly isOvertaking?: boolean;
}

/**
 * Returns SQL for a statement in which `published` are the new events. It adds a delivery for each endpoint of the owner that
 * receives the event's type. The delivery is stored as missed if the endpoint is off. `hasThreads`: true if the statement also
 * has `threaded`, the events' threads and endpoints.
 */
export const toEndpoints = ({ hasThreads = false } = {}): string => `
  insert into delivery (id, event_id, endpoint_id, due_at, missed_at${hasThreads ? ', thread, place, overtakes' : ''})
  select gen_random_uuid(), published.id, delivery_endpoint.id,
    case when switched_off_at is null then published.at end, case when switched_off_at is not null then published.at end
    ${hasThreads ? ', thread, place, overtakes' : ''}
  from published join delivery_endpoint using (owner) ${hasThreads ? 'join threaded on threaded.id = published.id' : ''}
  where ${hasThreads ? 'case when only_to is null then types is null or type = any(types) else only_to = delivery_endpoint.id end' : 'types is null or type = any(types)'}`;

/** Stores events, each with a delivery for every endpoint of its owner that receives its type. */
export async function publish(tx: Tx, ...events: readonly Published[]): Promise<void> {
  if (events.length === 0) return;
  await tx.run(
    `with published as (
       insert into delivery_event (id, owner, type, body, mac, at)
       select *, $6 from unnest($1::uuid[], $2::text[], $3::text[], $4::jsonb[], $5::uuid[])
       on conflict (id) do nothing returning id, owner, type, at
     ), threaded as (
       select distinct on (id) * from unnest($1::uuid[], $7::text[], $8::int[], $9::boolean[], $10::uuid[])
         as given (id, thread, place, overtakes, only_to)
     ) ${toEndpoints({ hasThreads: true })}`,
    [
      events.map(({ id }) => id),
      events.map(({ owner }) => owner),
      events.map(({ type }) => type),
      events.map(({ body }) => JSON.stringify(body)),
      events.map((event) => eventMac({ ...event, body: asStored(event.body), at: tx.now })),
      tx.now,
      events.map(({ thread }) => thread?.name ?? null),
      events.map(({ thread }) => thread?.place ?? null),
      events.map(({ thread }) => thread?.isOvertaking ?? false),
      events.map(({ endpoint }) => endpoint ?? null),
    ],
    { name: 'deliveries.publish' },
  );
  tx.afterCommit(() => wake('deliveries'));
}

/** Returns a body as it will be parsed from the stored JSON. */
const asStored = (body: unknown): unknown => JSON.parse(JSON.stringify(body));

/** Returns those of the owners that have an endpoint. Events of others need not be published. */
export async function ownersWithEndpoints(db: Statements, owners: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.rows<{ owner: string }>('select distinct owner from delivery_endpoint where owner = any($1)', [owners], {
    name: 'deliveries.owners_with_endpoints',
  });
  return new Set(rows.map(({ owner }) => owner));
}

/**
 * Deletes events that are older than 30 days, together with their attempts. Events whose deliveries wait for an endpoint that is
 * on are kept.
 */
export async function forgetDeliveries(db: Statements): Promise<void> {
  await db.run(
    `delete from delivery_event where at < clock_now() - interval '30 days'
     and not exists (
       select from delivery join delivery_endpoint on delivery_endpoint.id = endpoint_id
       where event_id = delivery_event.id and due_at is not null and switched_off_at is null)`,
  );
}
