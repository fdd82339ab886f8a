-- Marks of invoices, and the archive of those that are settled or have ended.

alter table invoice
  add column mark text check (mark in ('settled', 'invalid')),
  add column archived_at timestamptz;
comment on column invoice.mark is 'What its store marked it as, in place of a settlement by money. Copy of what `body` says, for lists.';
comment on column invoice.archived_at is 'Time at which its store hid it from the list. Null: it is listed.';

-- Lists show invoices of the archive alone, or all others.
drop index invoice_of_store;
drop index invoice_state;
create index invoice_of_store on invoice (store_id, created_at desc, id desc) where archived_at is null;
create index invoice_state on invoice (store_id, state, created_at desc, id desc) where archived_at is null;
create index invoice_marked on invoice (store_id, created_at desc, id desc) where mark is not null;
create index invoice_archived on invoice (store_id, created_at desc, id desc) where archived_at is not null;

alter table invoice_event add column mark text;
comment on column invoice_event.mark is 'What the invoice was marked as, for an event of that kind.';
