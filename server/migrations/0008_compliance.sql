-- Compliance: customers and their levels, limits, unpaid orders and the reserve they hold, debts, blocks, screening.

create table customer (
  email     text         primary key,
  finished  boolean      not null default false,
  by        text         not null,
  at        timestamptz  not null,
  mac       uuid
);
comment on table customer is 'A customer by their e-mail address in its canonical form.';
comment on column customer.finished is 'True if one of their orders was paid out, which widens their limits.';
comment on column customer.mac is 'MAC of the row. If it is invalid, `finished` counts as false.';

create table customer_level (
  holder_id  uuid         primary key references account_holder,
  level      smallint     not null check (level between 0 and 3),
  by         text         not null,
  at         timestamptz  not null,
  mac        uuid
);
comment on table customer_level is 'The level of verification of an account holder.';
comment on column customer_level.by is 'Person or provider that set it.';
comment on column customer_level.mac is 'MAC of the row. A level with a wrong one counts as none.';

create table limit_key (
  key  text         primary key,
  at   timestamptz  not null
) with (fillfactor = 50);
comment on table limit_key is
  'A key that limits are counted under, such as an account or a device. A transaction that counts under a key locks its row '
  'first.';
comment on column limit_key.at is 'Time of the last count.';

create table limit_use (
  owner_id    uuid            not null,
  key         text            not null,
  usd         numeric(38, 0)  not null check (usd >= 0),
  at          timestamptz     not null,
  owner_kind  text            not null,
  primary key (owner_id, key)
);
create index limit_use_key on limit_use (key, at);
comment on table limit_use is 'An owner''s amount in cents under one of its customer''s keys, while the owner is open or done.';
comment on column limit_use.key is
  '`holder:`, `email:`, `device:` or `account:` with what it names. What was only typed counts under `typed:` and the device.';

create table unpaid_use (
  owner_id    uuid         not null,
  key         text         not null,
  status      text         not null check (status in ('open', 'expired', 'cancelled')),
  at          timestamptz  not null,
  ended_at    timestamptz,
  owner_kind  text         not null,
  primary key (owner_id, key)
) with (fillfactor = 70);
create index unpaid_use_key on unpaid_use (key, at);
comment on table unpaid_use is
  'An owner without a final payment, such as an open order, under one of its customer''s keys. Deleted once it is paid.';

create table unpaid_hold (
  owner_id    uuid            primary key,
  parts       numeric(38, 0)  not null check (parts > 0),
  totals      text[]          not null,
  owner_kind  text            not null
);
comment on table unpaid_hold is 'A part of the desk''s money that an unpaid owner holds.';
comment on column unpaid_hold.totals is 'Keys of the totals that it is part of.';

create table hold_total (
  key    text            primary key,
  parts  numeric(38, 0)  not null check (parts >= 0)
) with (fillfactor = 50);
comment on table hold_total is 'A sum of held money, such as `USDT`, `USDT visitors` or `USDT 203.0.113.0/24`.';

-- Reserves a part of the desk's money for an owner, and adds it to totals, the unit's own total first. Call this last before the
-- posting, so that totals are locked only until the commit. Fails as a serialization failure if a total would exceed its
-- percentage of the reserve, because the caller has then read outdated totals.
create function take_hold(of_kind text, of_id uuid, of_parts numeric, reserve numeric, keys text[], percents int[])
returns void language plpgsql as $$
declare
  is_within boolean;
begin
  insert into unpaid_hold (owner_kind, owner_id, parts, totals) values (of_kind, of_id, of_parts, keys);
  with asked as (
    select * from unnest(keys, percents) with ordinality as asked (key, percent, place)
  ), held as (
    insert into hold_total as total (key, parts) select key, of_parts from asked order by place
    on conflict (key) do update set parts = total.parts + excluded.parts
    returning total.key, total.parts
  )
  -- Money that is held now was part of the reserve before, so it is added to `reserve`.
  select bool_and(held.parts * 100 <= (reserve + whole.parts - of_parts) * percent) into is_within
  from held join asked using (key) join held as whole on whole.key = keys[1];
  if not is_within then
    raise exception 'so much may not be held any more' using errcode = 'serialization_failure';
  end if;
end $$;

create table short_lock (
  key    text         primary key,
  until  timestamptz  not null
);
comment on table short_lock is
  'A key under which too many orders expired unpaid. Until then their rates are locked for a short time only.';

create table bot_use (
  challenge   text         primary key,
  expires_at  timestamptz  not null
);
create index bot_use_expires_at on bot_use (expires_at);
comment on table bot_use is 'A solved challenge of the bot check. Each can be used once.';

create table payer (
  account     text         primary key,
  customer    text         not null,
  owner_id    uuid         not null,
  at          timestamptz  not null,
  shown       boolean      not null default true,
  owner_kind  text         not null
);
create index payer_customer on payer (customer);
comment on table payer is
  'An account that pays in money that can be taken back, and the customer it belongs to: the first one whose order was paid '
  'from it and done.';
comment on column payer.account is '`<currency>:<its name at the provider>`.';
comment on column payer.customer is 'E-mail address in its canonical form.';
comment on column payer.owner_id is 'The owner that the first payment was for.';
comment on column payer.shown is 'True if the customer had proved the address, false if somebody only typed it.';

create table debt (
  id     uuid            primary key,
  about  text            not null,
  unit   text            not null,
  parts  numeric(38, 0)  not null check (parts > 0),
  since  timestamptz     not null,
  mac    uuid
);
comment on table debt is
  'A debt for a payment that was taken back, or for a payout that turned up late. Its id is that of its cause: an order, '
  'a deposit or a payout. Deleted once nothing is owed.';
comment on column debt.about is 'Kind of its cause.';
comment on column debt.mac is 'MAC of the debt with all of its keys.';

create table debt_key (
  debt_id  uuid     not null references debt on delete cascade,
  key      text     not null,
  shown    boolean  not null,
  primary key (debt_id, key)
);
create index debt_key_key on debt_key (key);
comment on table debt_key is 'Something by which a debtor is known.';
comment on column debt_key.shown is
  'True if it was proved to be the debtor''s: a session, its mailbox, a device, an account that has paid. False if somebody '
  'typed it.';

create table block (
  id         uuid         primary key,
  who        text         not null,
  by         text         not null,
  reason     text         not null,
  evidence   text         not null,
  since      timestamptz  not null,
  lifted_by  text,
  lifted_at  timestamptz,
  until      timestamptz,
  check ((lifted_by is null) = (lifted_at is null))
);
create unique index block_open on block (who) where lifted_at is null;
comment on table block is 'A customer whom people have blocked: nothing is taken from them and nothing is sent to them.';
comment on column block.who is 'The customer as the desk names them.';
comment on column block.until is
  'Time at which the block of a device or a network ends, since these change hands. Null: no end.';

create table block_key (
  block_id  uuid  not null references block,
  key       text  not null,
  primary key (block_id, key)
);
create index block_key_key on block_key (key);
comment on table block_key is
  'Something that is proved to be a blocked customer''s: an account, its mailbox, a device, an account that has paid.';

create table screened_payment (
  payin_id  uuid         primary key,
  currency  text         not null,
  senders   text[]       not null,
  verdict   text         check (verdict in ('clean', 'soft', 'hard')),
  at        timestamptz  not null
);
create index screened_payment_open on screened_payment (at) where verdict is null;
comment on table screened_payment is 'A payment whose senders an outside service is asked about before it counts.';
comment on column screened_payment.verdict is 'Null until the service has answered.';

create table screened_payout (
  payout_id    uuid         primary key,
  currency     text         not null,
  fields       jsonb        not null,
  at           timestamptz  not null,
  is_clear     boolean,
  answered_at  timestamptz
);
create index screened_payout_open on screened_payout (at) where is_clear is null;
comment on table screened_payout is
  'A payout whose receiver an outside service is asked about as it leaves. Without an answer nothing leaves.';
comment on column screened_payout.is_clear is 'Null until the service has answered.';
comment on column screened_payout.answered_at is 'Time of the answer.';
