-- Two roles over one database: who owns it migrates it, and kurs_app, as whom the product runs, may write rows and no more. It
-- can't empty a table, alter one or switch a trigger off, and of what is final it can't change a row.

do $$ begin
  create role kurs_app login noinherit;
exception when duplicate_object or insufficient_privilege then null;
end $$;

-- Gives the roles what they may do. The owner runs it after each migration: tables come, and roles may be made later by hand.
create function give_rights() returns void language plpgsql as $$
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
    -- What this installation is, is the owner's; the sandbox alone moves its clock.
    revoke insert, update, delete on installation, migration, key_fingerprint from kurs_app;
    grant update (clock_offset) on installation to kurs_app;
  end if;
  if exists (select from pg_roles where rolname = 'kurs_signer') then
    grant usage on schema public to kurs_signer;
    grant select (id, rail, currency, unit, parts, to_fields, to_key, purpose, status, owner_kind, owner_id, mac) on payout
      to kurs_signer;
  end if;
end $$;
