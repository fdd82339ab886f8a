-- Orders are looked for through indexes, however many there are: by number, e-mail address, account and transaction. And what an
-- account holder's list and figures are made of lies in an index, so that none of his orders is unpacked for them.

-- Parts of a number or an address. PostgreSQL has it among its own extensions, and lets the owner of a database create it.
create extension if not exists pg_trgm;

-- What was exchanged, as it was booked.
alter table customer_order
  add column gave numeric(38, 0) generated always as (rtrim(body->'facts'->'exchange'->>'give', 'n')::numeric) stored,
  add column got numeric(38, 0) generated always as (rtrim(body->'facts'->'exchange'->>'got', 'n')::numeric) stored;

drop index customer_order_holder;
drop index customer_order_mailbox;
drop index customer_order_created;
create index customer_order_created on customer_order (created_at desc, id desc);
create index customer_order_state_created on customer_order (state, created_at desc, id desc);
create index customer_order_holder on customer_order (holder_id, created_at desc, id desc)
  include (state, kind, number, finished_at, usd, give_currency, get_currency, give_parts, get_parts, gave, got)
  where holder_id is not null;
create index customer_order_mailbox on customer_order (lower(email), created_at desc, id desc)
  include (email, holder_id, state, kind, number, finished_at, usd, give_currency, get_currency, give_parts, get_parts, gave, got)
  where holder_id is null;

-- The words that an order is found by, in lower case: its number, its e-mail address, accounts that it is paid at or pays, and
-- transactions. What an order no longer says stays: people look for what they once had.
create table order_term (
  term text collate "C" not null,
  order_id uuid not null,
  kind text not null check (kind in ('number', 'email', 'account', 'transaction')),
  primary key (term, order_id)
);
create index order_term_part on order_term using gin (term gin_trgm_ops) where kind in ('number', 'email');

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
create trigger order_is_found_by_more after update of body on customer_order for each row
  when (old.body->'payments' is distinct from new.body->'payments' or old.body->'receive' is distinct from new.body->'receive'
    or old.body->'refund' is distinct from new.body->'refund'
    or old.body->'facts'->'sent'->'txid' is distinct from new.body->'facts'->'sent'->'txid')
  execute function note_order_terms();

insert into order_term (order_id, kind, term)
select o.id, t.kind, t.term from customer_order o, order_terms(o.number, o.email, o.pay_to, o.body) t
on conflict do nothing;

-- Lists of the desk, by cursor.
create index audit_by on audit (by, at desc, id desc);
drop index audit_at;
create index audit_at on audit (at desc, id desc);
create index support_chats on support_thread (created_at desc, id desc) where topic is null;
drop index support_tickets;
create index support_tickets on support_thread (created_at desc, id desc) where topic is not null;
