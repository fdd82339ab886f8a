// SQL of due deliveries: which endpoints have some, and which of an endpoint may be claimed now.

/** Number of failed attempts after which a delivery no longer holds back later ones of its thread. */
const HELD_TRIES = 3;

/**
 * SQL: active endpoints with due deliveries, failing ones last. It steps through the index from one endpoint with due deliveries to
 * the next. So neither endpoints without due deliveries nor the number of an endpoint's deliveries cost much.
 * The limit makes PostgreSQL look each endpoint up: for a join it would read all.
 */
export const DUE = `
  with recursive due (id) as (
    (select endpoint_id from delivery where due_at <= clock_now() order by endpoint_id limit 1)
    union all
    select (
      select endpoint_id from delivery where due_at <= clock_now() and endpoint_id > due.id order by endpoint_id limit 1
    ) from due where due.id is not null
  )
  select endpoint.id, owner, kind, url, types, mac
  from due cross join lateral (select * from delivery_endpoint where id = due.id limit 1) as endpoint
  where switched_off_at is null and kind = any($1) and not endpoint.id = any($2::uuid[])
  order by failing_since nulls first, endpoint.id limit $3`;

/** SQL: claims due deliveries (`where` adds a condition about the row `one`) and returns them with their events. */
const claimWhere = (where: string): string => `
  with claimed as (
    update delivery set tries = tries + 1, is_claimed = true, due_at = clock_now() + $3 * interval '1 second'
    where id in (
      select id from delivery as one where endpoint_id = $1 and due_at <= clock_now() ${where}
      order by event_id limit $2 for update skip locked
    )
    returning id as delivery, event_id, tries, replays
  )
  select delivery, tries, replays, id, owner, type, body, at, mac from claimed join delivery_event on id = event_id order by id`;

export const CLAIM = claimWhere('');

/** SQL: true if the delivery `earlier` is being attempted. */
const IN_FLIGHT = 'earlier.is_claimed and earlier.due_at > clock_now()';

/** SQL: earlier deliveries of the thread of `one` that hold it back. */
const BLOCKING = `
  earlier.endpoint_id = one.endpoint_id and earlier.thread = one.thread and earlier.place < one.place
  and earlier.due_at is not null and (earlier.failed < ${HELD_TRIES} or ${IN_FLIGHT})`;

export const CLAIM_ORDERED = claimWhere(`and not exists (select from delivery as earlier where ${BLOCKING})`);

/** SQL: true if a later event of its thread has overtaken the delivery `one`. */
export const IS_OVERTAKEN = `exists (
  select from delivery as later
  where later.endpoint_id = one.endpoint_id and later.thread = one.thread and later.place > one.place and later.overtakes)`;

/** SQL: gives up deliveries to an endpoint that failed and were overtaken, unless an attempt is being made. */
export const OVERTAKEN = `
  update delivery as one set due_at = null, given_up_at = clock_now(), is_overtaken = true
  where endpoint_id = $1 and due_at is not null and failed > 0 and not (is_claimed and due_at > clock_now()) and ${IS_OVERTAKEN}`;

/** SQL: postpones due deliveries to an endpoint that earlier ones hold back until those are due. */
export const PUT_OFF_BLOCKED = `
  update delivery as late set due_at = blocked.until from (
    select one.id, max(earlier.due_at) as until from delivery as one join delivery as earlier on ${BLOCKING}
    where one.endpoint_id = $1 and one.due_at <= clock_now() and earlier.due_at > clock_now() and not earlier.is_claimed
    group by one.id
  ) as blocked
  where late.id = blocked.id and late.due_at <= clock_now()`;
