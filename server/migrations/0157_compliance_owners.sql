-- Compliance: what counts, is unpaid or holds reserve has an owner of any kind, by its kind and id. Of what was counted until now
-- the kind is found by the id, which is unique over all kinds: what is no withdrawal, transfer or deposit is an order.

create function owner_kind_of(owner uuid) returns text language sql stable as $$
  select case
    when exists (select from wallet_withdrawal where id = owner) then 'withdrawal'
    when exists (select from wallet_transfer where id = owner) then 'transfer'
    when exists (select from wallet_place where id = owner) then 'wallet'
    else 'order' end
$$;

alter table limit_use rename column order_id to owner_id;
alter table limit_use add column owner_kind text;
update limit_use set owner_kind = owner_kind_of(owner_id);
alter table limit_use alter column owner_kind set not null;

alter table payer rename column order_id to owner_id;
alter table payer add column owner_kind text;
update payer set owner_kind = owner_kind_of(owner_id);
alter table payer alter column owner_kind set not null;

-- Only orders were unpaid, and held reserve.
alter table unpaid_use rename column order_id to owner_id;
alter table unpaid_use add column owner_kind text not null default 'order';
alter table unpaid_use alter column owner_kind drop default;
alter table unpaid_hold rename column order_id to owner_id;
alter table unpaid_hold add column owner_kind text not null default 'order';
alter table unpaid_hold alter column owner_kind drop default;

-- A debt is about whatever its room says.
alter table debt drop constraint debt_about_check;

drop function owner_kind_of(uuid);
