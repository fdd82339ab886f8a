-- One mailbox of Yandex is one customer: its domains are one, and a dot is written as a dash. What was kept by other spellings
-- is kept by the one that stands for all; of two customers who become one the lower level and the lesser standing hold.

create or replace function mailbox_of(email text) returns text language sql immutable as $$
  select case when email ~ '@(yandex\.(ru|com|by|kz)|ya\.ru)$'
    then replace(regexp_replace(email, '@[^@]*$', ''), '.', '-') || '@yandex.ru' else email end
$$;
-- Of keys only an address at the end of one that says so: an account may look like an address and is none.
create or replace function mailbox_key(key text) returns text language sql immutable as $$
  select case when key ~ '^(reversible:)?(typed:[^:]*:)?(email|claimed):[^:]*$'
    then regexp_replace(key, '[^:]*$', '') || mailbox_of(regexp_replace(key, '^.*:', '')) else key end
$$;

create temporary table joined on commit drop as
  select mailbox_of(email) as email, min(level) as level, bool_and(finished) as finished,
    min(by) as by, max(at) as at
  from customer where email like '%@ya%' group by mailbox_of(email);
delete from customer where email like '%@ya%';
insert into customer (email, level, finished, by, at) select email, level, finished, by, at from joined;

insert into limit_key (key, at) select mailbox_key(key), max(at) from limit_key where key <> mailbox_key(key)
  group by mailbox_key(key) on conflict (key) do nothing;
delete from limit_key where key <> mailbox_key(key);

insert into limit_use (order_id, key, usd, at) select order_id, mailbox_key(key), usd, at from limit_use
  where key <> mailbox_key(key) on conflict do nothing;
delete from limit_use where key <> mailbox_key(key);

insert into unpaid_use (order_id, key, status, at, ended_at) select order_id, mailbox_key(key), status, at, ended_at
  from unpaid_use where key <> mailbox_key(key) on conflict do nothing;
delete from unpaid_use where key <> mailbox_key(key);

insert into short_lock (key, until) select mailbox_key(key), max(until) from short_lock where key <> mailbox_key(key)
  group by mailbox_key(key) on conflict (key) do update set until = greatest(short_lock.until, excluded.until);
delete from short_lock where key <> mailbox_key(key);

-- Debts and blocks stand with a MAC over their keys, and only a process that has the key makes those.
do $$
declare
  kept boolean;
begin
  select exists (select 1 from debt_key where key <> mailbox_key(key)) into kept;
  if not kept and to_regclass('block_key') is not null then
    select exists (select 1 from block_key where key <> mailbox_key(key)) into kept;
  end if;
  if kept then
    raise exception 'debts or blocks are kept here under spellings of one mailbox that are one now: begin with a new database';
  end if;
end $$;

update payer set customer = mailbox_of(customer) where customer <> mailbox_of(customer);
update customer_order set customer = mailbox_of(customer) where customer <> mailbox_of(customer);

drop function mailbox_key(text);
drop function mailbox_of(text);
