-- Operator: what a role may do is changed by an act of two people, whose row of the audit it names; without one it is the owner's.

alter table desk_role add column act uuid unique references audit (id);

create function desk_role_has_act() returns trigger language plpgsql as $$
begin
  if new.act is null and current_user = 'kurs_app' then
    raise exception 'a role is changed by an act of the desk';
  end if;
  return new;
end $$;

create trigger desk_role_has_act before insert on desk_role for each row execute function desk_role_has_act();

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
    revoke update, delete on desk_role from kurs_app;
    -- What this installation is, is the owner's; the sandbox alone moves its clock.
    revoke insert, update, delete on installation, migration, key_fingerprint from kurs_app;
    grant update (clock_offset) on installation to kurs_app;
  end if;
  if exists (select from pg_roles where rolname = 'kurs_signer') then
    grant usage on schema public to kurs_signer;
    grant select (id, rail, currency, unit, parts, to_fields, to_key, purpose, status, owner_kind, owner_id, mac) on payout
      to kurs_signer;
    grant select on migration, installation, key_fingerprint to kurs_signer;
  end if;
end $$;
