-- Exchange: calculations, orders with their events, the words by which orders are found, and the times that orders took.

-- Rows up to 8 kB are stored uncompressed: compressing them costs more than it saves.
create table calculation (
  id              uuid         primary key,
  created_at      timestamptz  not null,
  expires_at      timestamptz  not null,
  from_currency   text         not null,
  to_currency     text         not null,
  amount          text         not null,
  side            text         not null check (side in ('give', 'get')),
  locale          text         not null,
  device          text,
  ip              text,
  email           text,
  receive         jsonb,
  refund          jsonb,
  ask_me          boolean      not null default false,
  is_bot_checked  boolean      not null default false,
  held            jsonb,
  order_id        uuid         unique,
  ended_at        timestamptz,
  send_cost       jsonb,
  wallet          text         check (wallet in ('give', 'get', 'both')),
  holder_id       uuid,
  loyalty         int          check (loyalty between 1 and 50),
  coupon          text,
  reference       jsonb,
  mailbox         text,
  mac             uuid,
  check (wallet is null or holder_id is not null)
) with (toast_tuple_target = 8160);
create index calculation_forgotten on calculation (expires_at) where order_id is null;
comment on table calculation is 'A calculation: a customer''s draft in three steps. It becomes one order at most, or is deleted.';
comment on column calculation.amount is
  'As typed, on the side that `side` names. A quote is made from it until step 3 holds one.';
comment on column calculation.receive is 'Checked account to pay to: canonical fields and the key that identifies it.';
comment on column calculation.refund is 'Checked account for a refund.';
comment on column calculation.ask_me is 'The customer wants to be asked where an order can''t go on as promised.';
comment on column calculation.held is 'The quote that step 3 holds, with the terms that it was made from.';
comment on column calculation.send_cost is
  'Cost of sending to this account, if it depends on the account: `{"fuel", "parts"}`.';
comment on column calculation.wallet is 'Sides that are wallets of the account holder.';
comment on column calculation.loyalty is 'Loyalty discount as a percentage of the fee.';
comment on column calculation.coupon is 'Code that the customer named.';
comment on column calculation.reference is 'The visit by an affiliate''s link that the calculation came by.';
comment on column calculation.mailbox is
  'Address whose owner confirmed the calculation by the mailed button, in its canonical form.';
comment on column calculation.mac is 'MAC of the draft. A draft with a wrong one becomes no order.';

-- Each event of an order reads and rewrites the order's row. So a row of up to 3.3 kB is stored uncompressed and in one piece. In
-- a larger row `pinned` is moved out first, uncompressed: it never changes, so events don't write it again.
create table customer_order (
  id              uuid            primary key,
  number          text            not null unique,
  kind            text            not null check (kind in ('order', 'unallocated')),
  state           text            not null,
  version         int             not null,
  created_at      timestamptz     not null,
  updated_at      timestamptz     not null,
  due_at          timestamptz,
  give_currency   text            not null,
  get_currency    text,
  give_parts      numeric(38, 0)  not null,
  get_parts       numeric(38, 0),
  usd             numeric(38, 0)  not null,
  email           text            not null,
  customer        text            not null,
  locale          text            not null,
  device          text,
  ip              text,
  calculation_id  uuid            unique,
  unallocated_of  uuid,
  token_version   int             not null default 1,
  pay_to          text,
  pay_memo        text,
  finished_at     timestamptz,
  pinned          jsonb           not null,
  body            jsonb           not null,
  holder_id       uuid,
  gave            numeric(38, 0)  generated always as (rtrim(body -> 'facts' -> 'exchange' ->> 'give', 'n')::numeric) stored,
  got             numeric(38, 0)  generated always as (rtrim(body -> 'facts' -> 'exchange' ->> 'got', 'n')::numeric) stored,
  mac             uuid
) with (fillfactor = 60, toast_tuple_target = 3300);
alter table customer_order alter column pinned set storage external;
alter table customer_order alter column body set storage main;
create index customer_order_due on customer_order (due_at) where due_at is not null;
create index customer_order_state on customer_order (state, updated_at);
create index customer_order_done on customer_order (finished_at desc) where state = 'completed';
create index customer_order_unallocated on customer_order (unallocated_of) where unallocated_of is not null;
create index customer_order_created on customer_order (created_at desc, id desc);
create index customer_order_state_created on customer_order (state, created_at desc, id desc);
create index customer_order_holder on customer_order (holder_id, created_at desc, id desc)
  include (state, kind, number, finished_at, usd, give_currency, get_currency, give_parts, get_parts, gave, got)
  where holder_id is not null;
create index customer_order_mailbox on customer_order (lower(email), created_at desc, id desc)
  include (email, holder_id, state, kind, number, finished_at, usd, give_currency, get_currency, give_parts, get_parts, gave, got)
  where holder_id is null;
create index customer_order_paid on customer_order (customer, give_currency, finished_at) where state = 'completed';
create index customer_order_open_holder on customer_order (holder_id)
  where state in ('awaiting', 'seen', 'choosing', 'holding', 'approving', 'undelivered') and kind = 'order';
create index customer_order_open_customer on customer_order (customer)
  where state in ('awaiting', 'seen', 'choosing', 'holding', 'approving', 'undelivered') and kind = 'order' and holder_id is null;
comment on table customer_order is 'An order, or an unallocated payment.';
comment on column customer_order.number is 'Number for people.';
comment on column customer_order.state is 'State of the order''s machine, as drawn in docs/machines.';
comment on column customer_order.version is 'Rises by one with each event: the newest `seq` of its timeline.';
comment on column customer_order.due_at is 'Time of the machine''s next timer.';
comment on column customer_order.usd is 'Worth in cents.';
comment on column customer_order.email is 'As typed.';
comment on column customer_order.customer is 'The address in its canonical form: all orders of one customer have the same.';
comment on column customer_order.unallocated_of is 'The order for which this unallocated payment arrived.';
comment on column customer_order.token_version is 'Rises to make earlier links of the order worthless.';
comment on column customer_order.pay_to is 'The customer''s payment address.';
comment on column customer_order.finished_at is 'Time at which it ended.';
comment on column customer_order.pinned is
  'Promises at the placing of the order. Never changed. Exact JSON (`exact-json.ts`).';
comment on column customer_order.body is 'All else that the machine reads. Exact JSON.';
comment on column customer_order.holder_id is
  'Account holder who placed it while signed in. Null: it belongs to anyone who proves to read its mailbox.';
comment on column customer_order.gave is 'The amount that was exchanged, as booked.';
comment on column customer_order.got is 'The amount that it was exchanged for, as booked.';
comment on column customer_order.mac is
  'MAC of the row but for `updated_at` and `due_at`. An order with a wrong one pays nothing.';

create table order_event (
  id          uuid         not null,
  order_id    uuid         not null,
  seq         int          not null,
  at          timestamptz  not null,
  who         text         not null,
  event       text         not null,
  from_state  text         not null,
  to_state    text         not null,
  why         text         not null default '',
  body        jsonb        not null default '{}',
  primary key (order_id, seq)
);
comment on table order_event is 'An event of an order''s timeline. Every change of an order has one.';
comment on column order_event.id is 'Also the id of the journal that the event posted.';
comment on column order_event.who is 'A letter of the machine''s table. For people the name follows: `O olga`.';

-- Extension for finding parts of a number or an address. It comes with PostgreSQL, and the owner of a database may create it.
create extension if not exists pg_trgm;

create table order_term (
  term      text collate "C"  not null,
  order_id  uuid              not null,
  kind      text              not null check (kind in ('number', 'email', 'account', 'transaction')),
  primary key (term, order_id)
);
create index order_term_part on order_term using gin (term gin_trgm_ops) where kind in ('number', 'email');
comment on table order_term is
  'A search word of an order, in lower case. Words stay when the order changes: people search for what they once had.';
comment on column order_term.kind is 'number, email, account that it is paid at or pays, or transaction.';

-- Returns the words by which an order is found, for table `order_term`.
create function order_terms(number text, email text, pay_to text, body jsonb) returns table (kind text, term text)
language sql immutable parallel safe as $$
  select kind, min(lower(given)) from (
    select 'number' as kind, number as given
    union all select 'email', email
    union all select 'account', pay_to
    union all select 'account', value from jsonb_each_text(coalesce(nullif(body->'receive', 'null')->'fields', '{}'))
    union all select 'account', value from jsonb_each_text(coalesce(nullif(body->'refund', 'null')->'fields', '{}'))
    union all select 'transaction', payment->>'txid' from jsonb_array_elements(coalesce(nullif(body->'payments', 'null'), '[]')) as payment
    union all select 'transaction', body->'facts'->'sent'->>'txid'
  ) as all_given
  where given <> '' and length(given) <= 500
  group by kind, lower(given)
$$;

create function note_order_terms() returns trigger language plpgsql as $$
begin
  insert into order_term (order_id, kind, term)
  select new.id, kind, term from order_terms(new.number, new.email, new.pay_to, new.body)
  on conflict do nothing;
  return null;
end $$;
create trigger order_is_found_by after insert on customer_order for each row execute function note_order_terms();

-- Stores the new words of all orders that a statement changed. Orders change often, and their words seldom. If an account of the
-- order has changed, all its words are stored again. Otherwise only the new transactions of payments and sends are stored.
create function note_more_order_terms() returns trigger language plpgsql as $$
begin
  insert into order_term (order_id, kind, term)
  select now.id, t.kind, t.term from order_now as now join order_before as before using (id)
  cross join lateral order_terms(now.number, now.email, now.pay_to, now.body) as t
  where before.body->'receive' is distinct from now.body->'receive' or before.body->'refund' is distinct from now.body->'refund'
  on conflict do nothing;
  insert into order_term (order_id, kind, term)
  select id, 'transaction', term from (
    select now.id, lower(paid.payment->>'txid') as term from order_now as now join order_before as before using (id)
    cross join lateral jsonb_array_elements(coalesce(nullif(now.body->'payments', 'null'), '[]')) as paid (payment)
    where before.body->'payments' is distinct from now.body->'payments'
      and not exists (
        select from jsonb_array_elements(coalesce(nullif(before.body->'payments', 'null'), '[]')) as had (payment)
        where had.payment->'txid' = paid.payment->'txid')
    union
    select now.id, lower(now.body->'facts'->'sent'->>'txid') from order_now as now join order_before as before using (id)
    where before.body->'facts'->'sent'->'txid' is distinct from now.body->'facts'->'sent'->'txid'
  ) as found
  where term <> '' and length(term) <= 500
  on conflict do nothing;
  return null;
end $$;
create trigger order_is_found_by_more after update on customer_order
  referencing old table as order_before new table as order_now for each statement execute function note_more_order_terms();

create table order_time (
  day            date  not null,
  give_currency  text  not null,
  get_currency   text  not null,
  step           text  not null check (step in ('arrived', 'paid')),
  minutes        int   not null,
  orders         int   not null check (orders > 0),
  primary key (day, give_currency, get_currency, step, minutes)
);
comment on table order_time is
  'Number of orders of a direction that took about the same time for a step, by day. Each is counted once, after it was paid '
  'out.';
comment on column order_time.step is 'arrived: from placing to the final payment. paid: from there to the payout.';
comment on column order_time.minutes is 'Upper bound of the time. The lower one is that of the row before.';

create table order_taken (
  day            date  not null,
  give_currency  text  not null,
  get_currency   text  not null,
  seconds        int   not null check (seconds >= 0),
  orders         int   not null check (orders > 0),
  primary key (day, give_currency, get_currency, seconds)
);
comment on table order_taken is
  'Number of orders of a direction that took the same number of seconds, by day. The promised time is computed from it.';

create table order_counted (
  one    boolean      primary key default true check (one),
  until  timestamptz  not null default '-infinity',
  done   bigint       not null default 0
);
comment on table order_counted is 'The one row: until when orders were counted for `order_time` and `order_taken`.';
comment on column order_counted.one is 'Always true, so that there is one row.';
comment on column order_counted.done is 'Number of orders that were paid out by then.';

insert into order_counted default values;

create table partner_order (
  order_id   uuid         primary key,
  holder_id  uuid         not null,
  placed_at  timestamptz  not null
);
create index partner_order_holder on partner_order (holder_id, placed_at desc);
comment on table partner_order is
  'An order that a program of an account holder placed by an API key. Its customers are the holder''s.';
