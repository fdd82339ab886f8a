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
}

/**
 * SQL for a statement in which `published` are the new events. Adds a delivery for each endpoint of the owner that receives the
 * event's type. The delivery is stored as missed if the endpoint is off.
 */
export const TO_ENDPOINTS = `
  insert into delivery (id, event_id, endpoint_id, due_at, missed_at)
  select gen_random_uuid(), published.id, delivery_endpoint.id,
    case when switched_off_at is null then published.at end, case when switched_off_at is not null then published.at end
  from published join delivery_endpoint using (owner)
  where types is null or type = any(types)`;

/** Stores events, each with a delivery for every endpoint of its owner that receives its type. */
export async function publish(tx: Tx, ...events: readonly Published[]): Promise<void> {
  if (events.length === 0) return;
  await tx.run(
    `with published as (
       insert into delivery_event (id, owner, type, body, mac, at)
       select *, $6 from unnest($1::uuid[], $2::text[], $3::text[], $4::jsonb[], $5::uuid[])
       on conflict (id) do nothing returning id, owner, type, at
     ) ${TO_ENDPOINTS}`,
    [
      events.map(({ id }) => id),
      events.map(({ owner }) => owner),
      events.map(({ type }) => type),
      events.map(({ body }) => JSON.stringify(body)),
      events.map((event) => eventMac({ ...event, body: asStored(event.body), at: tx.now })),
      tx.now,
    ],
    { name: 'deliveries.publish' },
  );
  tx.afterCommit(() => wake('deliveries'));
}

/** Returns a body as it will be parsed from the stored JSON. */
const asStored = (body: unknown): unknown => JSON.parse(JSON.stringify(body));

/** Deletes events that are older than 30 days and have no waiting deliveries, together with their attempts. */
export async function forgetDeliveries(db: Statements): Promise<void> {
  await db.run(
    `delete from delivery_event where at < clock_now() - interval '30 days'
     and not exists (select from delivery where event_id = delivery_event.id and due_at is not null)`,
  );
}
