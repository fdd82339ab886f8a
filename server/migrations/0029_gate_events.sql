-- Webhooks of stores: order of deliveries within a thread, and the content of invoices' events for their stores.

alter table delivery
  add column thread        text,
  add column place         int,
  add column overtakes     boolean not null default false,
  add column failed        int     not null default 0,
  add column is_claimed    boolean not null default false,
  add column is_overtaken  boolean not null default false,
  add column replays       int     not null default 0;
create index delivery_thread on delivery (endpoint_id, thread, place) where thread is not null;
comment on column delivery.thread is 'Events of one thread reach an endpoint in order. Null: no order.';
comment on column delivery.place is 'Position of the event in its thread.';
comment on column delivery.overtakes is
  'True if earlier events of the thread that failed are not sent any more once this one is there.';
comment on column delivery.failed is 'Number of failed attempts since the event or its last replay.';
comment on column delivery.is_claimed is 'True while an attempt is made. If its process died, until `due_at`.';
comment on column delivery.is_overtaken is 'True if the delivery was given up because a later event overtook it.';
comment on column delivery.replays is 'Number of times that the delivery was made due once more.';

alter table invoice_event
  add column xact  xid8   not null default pg_current_xact_id(),
  add column data  jsonb;
drop index invoice_event_store;
create index invoice_event_at on invoice_event (store_id, at);
create index invoice_event_order on invoice_event (store_id, xact, id);
comment on column invoice_event.xact is
  'Transaction that wrote the event. Readers see an event once no older transaction runs, so none is skipped.';
comment on column invoice_event.data is 'Content of the event for the store, without metadata. Null for events of older versions.';
