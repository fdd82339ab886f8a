-- Payments: sends that the books don't know are never deleted, and the signer proves the whole row of each decision.

-- A deleted row would let its rail send again without a decision.
create function unrecorded_send_is_kept() returns trigger language plpgsql as $$
begin
  raise exception 'a send that the books don''t know is never deleted';
end $$;
create trigger unrecorded_send_is_kept before delete on unrecorded_send for each row execute function unrecorded_send_is_kept();

-- A payment among several of one transaction is looked up by its transaction.
create index unrecorded_send_transaction on unrecorded_send (rail, substring(reference from '^(.+):[0-9]+$'));

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
    -- Whether its journal and this database belong together.
    grant select (status_at) on payout to kurs_signer;
    grant select (id, rail, reference, raw, stored_at) on payment_attempt to kurs_signer;
    grant select on unrecorded_send to kurs_signer;
  end if;
end $$;
