-- Settlement of stores: the sums that were settled to them, and moves between their balance and the owner's wallet.

create table settled_payment (
  id           uuid          primary key,
  invoice_id   uuid          not null references invoice,
  store_id     uuid          not null references store,
  business_id  uuid          references business,
  unit         text          not null,
  parts        numeric(38,0) not null check (parts >= 0),
  is_deep      boolean       not null,
  at           timestamptz   not null,
  usd          bigint        not null check (usd >= 0),
  taken_usd    bigint        not null check (taken_usd >= 0),
  taken_at     timestamptz,
  mac          uuid
);
create index settled_payment_shallow on settled_payment (store_id) where not is_deep and parts > 0;
create index settled_payment_of_store on settled_payment (store_id, at);
create index settled_payment_of_business on settled_payment (business_id, at) where business_id is not null;
create index settled_payment_taken on settled_payment (taken_at) where taken_at is not null;
create index settled_payment_invoice on settled_payment (invoice_id);
comment on table settled_payment is 'A payment to an invoice whose sum was settled to the store.';
comment on column settled_payment.id is 'The payment’s id.';
comment on column settled_payment.business_id is 'The business of the store. Null for personal stores.';
comment on column settled_payment.parts is 'What the store received of it, less the fee and less what its rail took back, in parts of the unit.';
comment on column settled_payment.is_deep is 'True once no reorg that we expect takes the payment back. Until then its sum stays in the store’s balance.';
comment on column settled_payment.at is 'Time at which it was settled.';
comment on column settled_payment.usd is 'Worth of its credit in cents when it was settled.';
comment on column settled_payment.taken_usd is 'Worth of what its rail took back, in cents by the same price.';
comment on column settled_payment.taken_at is 'Time at which its rail last took something back. Null: never.';
comment on column settled_payment.mac is 'MAC of the whole row. While a row of a store has a wrong one, nothing leaves the store.';

create table settlement (
  id           uuid          primary key,
  store_id     uuid          not null references store,
  business_id  uuid          references business,
  holder_id    uuid          not null references account_holder,
  direction    text          not null check (direction in ('to_wallet', 'to_store')),
  unit         text          not null,
  parts        numeric(38,0) not null check (parts > 0),
  usd          bigint        not null check (usd >= 0),
  cause        text          not null check (cause in ('owner', 'daily', 'deep')),
  at           timestamptz   not null,
  mac          uuid
);
create index settlement_of_store on settlement (store_id, at desc, id desc);
create index settlement_of_business on settlement (business_id, at) where direction = 'to_wallet';
comment on table settlement is 'A move between the balance of a store and the wallet of its owner.';
comment on column settlement.direction is 'to_wallet: from the store’s balance to the wallet · to_store: back from the wallet';
comment on column settlement.usd is 'Worth in cents at the time of the move.';
comment on column settlement.cause is
  'owner: its owner moved it · daily: moved at the end of the store’s day · deep: of a personal store, moved once it was deep';
comment on column settlement.mac is 'MAC of the whole row. While a move of a store has a wrong one, nothing leaves the store.';

create table settlement_plan (
  store_id  uuid         primary key references store,
  is_daily  boolean      not null,
  due_at    timestamptz,
  mac       uuid
);
create index settlement_plan_due on settlement_plan (due_at) where due_at is not null;
comment on table settlement_plan is 'Moves of a store’s balance that happen automatically.';
comment on column settlement_plan.is_daily is 'True if the balance moves to the owner’s wallet at the end of each day in the store’s time zone.';
comment on column settlement_plan.due_at is 'Time of the next move. Null: none.';
comment on column settlement_plan.mac is 'MAC of the row but for its time. A plan with a wrong one moves nothing.';

create table store_debt (
  party  text          not null,
  unit   text          not null,
  parts  numeric(38,0) not null check (parts >= 0),
  mac    uuid,
  primary key (party, unit)
);
comment on table store_debt is 'Debt to the desk of a business, or of the owner of a personal store, after a settled payment was taken back.';
comment on column store_debt.party is 'Party of the account `receivable`: `business_<id>`, or the owner’s id.';
comment on column store_debt.mac is 'MAC of the whole row. While a debt has a wrong one, nothing leaves the stores of its party.';

create index invoice_pending_of_business on invoice (business_id) where state in ('open', 'confirming', 'short') and credited + pending > 0;
create index invoice_pending_of_holder on invoice (holder_id)
  where business_id is null and state in ('open', 'confirming', 'short') and credited + pending > 0;

-- Events of a store that are about no invoice.
alter table invoice_event alter column invoice_id drop not null;
alter table invoice_event alter column version drop not null;
alter table invoice_event alter column state drop not null;
alter table invoice_event add column settlement_id uuid unique references settlement;
alter table invoice_event add constraint invoice_event_about check (
  (invoice_id is null) <> (settlement_id is null) and (invoice_id is null) = (version is null) and (invoice_id is null) = (state is null));
create index invoice_event_held on invoice_event (store_id, at) where kind = 'held';
comment on table invoice_event is 'An event of a store, for its members and webhooks: of an invoice, or of a settlement.';
comment on column invoice_event.settlement_id is 'Move that the event is about. Null: it is about an invoice.';
