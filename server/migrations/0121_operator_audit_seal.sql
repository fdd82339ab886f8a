-- The audit: each act carries a MAC and is sealed into a chain in the order of the commits, so that none can be changed, put in
-- or taken out by SQL unnoticed.

-- Of acts from before there is neither; the constraint holds for those that come.
alter table audit add column xid xid8, add column mac uuid;
alter table audit alter column xid set default pg_current_xact_id();
alter table audit add constraint audit_is_marked check (xid is not null and mac is not null) not valid;
create index audit_xid on audit (xid, id) where xid is not null;

-- Acts whose transaction is below `upto`, and not below the seal before. `digest` is made of them and of that seal's digest.
create table audit_seal (
  number bigint primary key,
  upto xid8 not null,
  acts bigint not null,
  digest uuid not null,
  at timestamptz not null
);

create trigger audit_is_kept before truncate on audit for each statement execute function audit_is_final();
create trigger audit_seal_is_final before update or delete on audit_seal for each row execute function audit_is_final();
create trigger audit_seal_is_kept before truncate on audit_seal for each statement execute function audit_is_final();
