-- Operator: which permissions each role of the desk has. Rows are added and never changed; the newest row of a role is how it stands.

create table desk_role (
  seq bigint generated always as identity primary key,
  role text not null,
  permissions text[] not null,
  since timestamptz not null default now(),
  by text not null
);

create index desk_role_newest on desk_role (role, seq desc);

create function desk_role_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'the history of roles is never changed';
end $$;

create trigger desk_role_is_final before update or delete on desk_role for each row execute function desk_role_is_final();

insert into desk_role (role, permissions, by) values
  ('operator', array[
    'alarms.read', 'arrivals.book', 'arrivals.read', 'audit.read', 'clock.move', 'customers.read', 'debts.read', 'debts.settle',
    'deposits.read', 'directions.switch', 'doubts.decide', 'doubts.read', 'feed.change', 'money.close', 'money.correct',
    'money.move', 'money.read', 'orders.read', 'orders.run', 'payins.decide', 'payins.read', 'payouts.switch', 'people.change',
    'people.read', 'prices.change', 'rails.read', 'rails.switch', 'requests.consent', 'requests.read', 'settings.change',
    'settings.compliance', 'settings.read', 'tickets.answer', 'tickets.read', 'withdrawals.decide', 'withdrawals.read'
  ], 'installation'),
  ('compliance', array[
    'alarms.read', 'audit.read', 'clock.move', 'customers.judge', 'customers.read', 'debts.read', 'deposits.judge',
    'deposits.read', 'orders.judge', 'orders.read', 'payins.read', 'people.change', 'people.read', 'requests.consent',
    'requests.read', 'settings.compliance', 'settings.read', 'tickets.read', 'withdrawals.read'
  ], 'installation');

-- Who may do what is the owner's: the product reads it. The rest is as it was.
create or replace function give_rights() returns void language plpgsql as $$
begin
  if exists (select from pg_roles where rolname = 'kurs_app') and not pg_has_role('kurs_app', current_user, 'member') then
    grant usage on schema public to kurs_app;
    grant select, insert, update, delete on all tables in schema public to kurs_app;
    grant usage, select on all sequences in schema public to kurs_app;
    -- The ledger, the audit and every history are added to.
    revoke update, delete on
      posting, journal_macs, journal_seal, books_proof, audit, audit_seal,
      setting_history, direction_history, rail_cost_history, order_event, desk_posting from kurs_app;
    revoke delete on account from kurs_app;
    -- What this installation is, and what its roles may do, is the owner's; the sandbox alone moves its clock.
    revoke insert, update, delete on installation, migration, key_fingerprint, desk_role from kurs_app;
    grant update (clock_offset) on installation to kurs_app;
  end if;
  if exists (select from pg_roles where rolname = 'kurs_signer') then
    grant usage on schema public to kurs_signer;
    grant select (id, rail, currency, unit, parts, to_fields, to_key, purpose, status, owner_kind, owner_id, mac) on payout
      to kurs_signer;
  end if;
end $$;
