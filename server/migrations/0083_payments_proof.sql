-- Of a send that ended without effect: since when (it is looked at for a month from then), and whether its provider has said
-- that its reference was used, after which it never counts as absent.
alter table payment_attempt add column is_known boolean not null default false;
alter table payment_attempt add column ended_at timestamptz;
