-- Platform: one-use tickets for downloads, known to every process that answers. Nothing is lost with them, so no log is kept.

create unlogged table download_ticket (
  -- SHA-256 of the ticket.
  hash bytea primary key,
  -- Which download it is for.
  what text not null,
  -- The session that asked: without it the ticket is worth nothing.
  session_id uuid not null,
  -- What was asked for.
  wanted jsonb not null,
  until timestamptz not null
);
create index download_ticket_until on download_ticket (until);
