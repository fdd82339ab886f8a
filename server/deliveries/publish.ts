// What is told: events and their deliveries, written in the transaction of the change that they tell of.

import { type Statements, type Tx, wake } from '../platform/index.ts';
import { eventMac } from './delivery-macs.ts';

/** Something that happened, for the endpoints of an owner. */
export interface Published {
  /** uuid v7; publishing an id again does nothing. */
  readonly id: string;
  readonly owner: string;
  /** `alarm.raised`. */
  readonly type: string;
  readonly body: unknown;
}

/**
 * Follows the events that `published` names in the same statement: a delivery for each endpoint of theirs that takes them. It is
 * missed where its endpoint is off.
 */
export const TO_ENDPOINTS = `
  insert into delivery (id, event_id, endpoint_id, due_at, missed_at)
  select gen_random_uuid(), published.id, delivery_endpoint.id,
    case when switched_off_at is null then published.at end, case when switched_off_at is not null then published.at end
  from published join delivery_endpoint using (owner)
  where types is null or type = any(types)`;

/** Writes events, and of each a delivery for each endpoint of its owner that takes events of its type. */
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

/** A body as JSON reads it back. */
const asStored = (body: unknown): unknown => JSON.parse(JSON.stringify(body));

/** Forgets events of long ago of which nothing waits any more, with their attempts. */
export async function forgetDeliveries(db: Statements): Promise<void> {
  await db.run(
    `delete from delivery_event where at < clock_now() - interval '30 days'
     and not exists (select from delivery where event_id = delivery_event.id and due_at is not null)`,
  );
}
