// What the outbox asks PostgreSQL.

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

/** One look at what waits for each subscriber, whatever the kinds: asked for each kind, those without any would read all of it. */
export const WHO_IS_DUE = `
  select subscriber from (select distinct unnest($1::text[])) as asked (subscriber)
  where exists (
    select from event_delivery d where d.subscriber = asked.subscriber and due_at <= clock_now()
      and (d.subscriber, d.kind) in (select * from unnest($1::text[], $2::text[]))
  )`;

/** The subscriber's lock, until the transaction ends; nothing where another drain holds it. */
export const LEASE = `select 1 where pg_try_advisory_xact_lock(hashtextextended('events of ' || $1, 0))`;

/** Deliveries that another transaction is removing still count: until it has committed they may come back. */
export const UNDELIVERED = `
  select distinct subject from event join event_delivery on event_id = id and subscriber = $1 where subject = any($2)`;

/** Each event is looked up by itself (`offset 0`): one plan of the planner's reads all that ever happened. */
export const UNDELIVERED_BODIES = `
  select kind, body from (select distinct event_id, kind from event_delivery where kind = any ($1)) as waiting
  join unnest($1::text[], $2::jsonb[]) as asked (kind, holding) using (kind)
  cross join lateral (select body from event where id = event_id offset 0) as event
  where body @> holding order by event_id`;

/**
 * The first event of each subject that waits, and until when: one of a kind that isn't known here is asked about each second.
 */
export const WAITING = `
  select distinct on (subject) subject, event_id as id, greatest(due_at, $2::timestamptz + interval '1 second') as due_at
  from (select event_id, due_at from event_delivery where subscriber = $1 and (due_at > $2 or not kind = any($3))) as waiting
  cross join lateral (select subject from event where id = event_id offset 0) as event
  order by subject, event_id`;

/**
 * What is removed is named as a list, which the key's index is asked for at once. Joined, each of a group was looked for among all
 * that ever waited for the subscriber: a table that is empty most of the time looks small to the planner.
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
