// SQL statements of the outbox.

/** Stores events, and a delivery for each subscriber of their kinds. */
export const RECORD = `
  with recorded as (
    insert into event (id, kind, subject, body, at, forget_at)
    select id, kind, subject, body, $6, $6::timestamptz + days * interval '1 day'
    from rows from (unnest($1::uuid[], $2::text[], $3::text[], $5::int[]), jsonb_array_elements($4::jsonb))
      as given (id, kind, subject, days, body)
    on conflict (id) do nothing
    returning id, kind, subject
  )
  insert into event_delivery (subscriber, event_id, kind, due_at)
  select subscriber, id, kind, $6 from recorded join event_subscription using (kind)
  where starts_with(subject, about) returning subscriber`;

/**
 * Returns the subscribers with due deliveries. The statement checks all kinds of a subscriber at once. A check for a single
 * kind would read all deliveries of the subscriber if none is of this kind.
 */
export const WHO_IS_DUE = `
  select subscriber from (select distinct unnest($1::text[])) as asked (subscriber)
  where exists (
    select from event_delivery d where d.subscriber = asked.subscriber and due_at <= clock_now()
      and (d.subscriber, d.kind) in (select * from unnest($1::text[], $2::text[]))
  )`;

/** Acquires the subscriber's lock until the transaction ends. Returns no row if another drain holds the lock. */
export const LEASE = `select 1 where pg_try_advisory_xact_lock(hashtextextended('events of ' || $1, 0))`;

/**
 * Returns those of the given subjects with undelivered events. A delivery that an open transaction is removing is included,
 * since a rollback would restore it.
 */
export const UNDELIVERED = `
  select distinct subject from event join event_delivery on event_id = id and subscriber = $1 where subject = any($2)`;

/**
 * Returns the bodies of undelivered events. `offset 0` makes the planner look up each event separately. Without it, the planner
 * might read all events ever stored.
 */
export const UNDELIVERED_BODIES = `
  select kind, body from (select distinct event_id, kind from event_delivery where kind = any ($1)) as waiting
  join unnest($1::text[], $2::jsonb[]) as asked (kind, holding) using (kind)
  cross join lateral (select body from event where id = event_id offset 0) as event
  where body @> holding order by event_id`;

/**
 * Returns the first delayed event of each subject, and the time at which its delay ends. An event of a kind that this process
 * doesn't handle is delayed by a second at a time.
 */
export const WAITING = `
  select distinct on (subject) subject, event_id as id, greatest(due_at, $2::timestamptz + interval '1 second') as due_at
  from (select event_id, due_at from event_delivery where subscriber = $1 and (due_at > $2 or not kind = any($3))) as waiting
  cross join lateral (select subject from event where id = event_id offset 0) as event
  order by subject, event_id`;

/**
 * Removes due deliveries and returns their events. The ids to delete are an array, so that the index of the key is used. With a
 * join the planner would search all deliveries of the subscriber for each row, since it assumes that this mostly empty table is
 * small.
 */
export const CLAIM = `
  with due as (
    select event_id from event_delivery
    where subscriber = $1 and due_at <= $2 and kind = any($5) and ($4::uuid[] is null or event_id = any($4))
    order by event_id limit $3 for update skip locked
  ), taken as (
    delete from event_delivery where subscriber = $1 and event_id = any (array (select event_id from due)) returning event_id, tries
  )
  select id, kind, subject, body, at, tries from taken join event on id = event_id order by id`;
