-- Invoices of the payment gate, the places at which they are paid, and their events.

create table invoice (
  id               uuid          primary key,
  number           text          not null unique,
  store_id         uuid          not null references store,
  business_id      uuid          references business,
  holder_id        uuid          not null references account_holder,
  state            text          not null
                   check (state in ('open', 'confirming', 'settled', 'short', 'expired', 'cancelled', 'invalid')),
  version          int           not null,
  created_at       timestamptz   not null,
  updated_at       timestamptz   not null,
  expires_at       timestamptz   not null,
  due_at           timestamptz,
  currency         text          not null,
  amount           numeric(38,0),
  credited         numeric(38,0) not null,
  pending          numeric(38,0) not null,
  settlement_unit  text          not null,
  reserved         numeric(38,0) not null,
  holds_money      boolean       not null,
  order_id         text,
  email            text,
  locale           text          not null check (locale in ('en', 'ru')),
  details          jsonb         not null,
  metadata         text          not null,
  terms            jsonb         not null,
  body             jsonb         not null,
  mac              uuid
);
create index invoice_of_store on invoice (store_id, created_at desc, id desc);
create index invoice_state on invoice (store_id, state, created_at desc, id desc);
create index invoice_order on invoice (store_id, order_id) where order_id is not null;
create index invoice_email on invoice (store_id, lower(email)) where email is not null;
create index invoice_due on invoice (due_at) where due_at is not null;
create index invoice_reserved on invoice (settlement_unit) where reserved > 0;
create index invoice_holding on invoice (id) where holds_money;
comment on table invoice is 'An invoice of a store: what a buyer is to pay, with its payment options and payments.';
comment on column invoice.id is '128 random bits: everybody who knows it may open the page and pay.';
comment on column invoice.business_id is 'The business of the store. Null for personal and test stores.';
comment on column invoice.holder_id is 'The owner of the store.';
comment on column invoice.version is 'Number of its last event.';
comment on column invoice.due_at is 'Time of its next timer. Null: nothing happens by time.';
comment on column invoice.amount is 'In parts of the currency. Null: a top-up.';
comment on column invoice.credited is 'Copy of what `body` says, for lists.';
comment on column invoice.pending is 'Copy of what `body` says, for lists.';
comment on column invoice.reserved is 'The desk’s money that is reserved for its payments, in parts of the settlement unit.';
comment on column invoice.holds_money is 'True while one of its accounts (`invoice:*`) should have a balance.';
comment on column invoice.details is 'What the shop stated and buyers see: lines, tax, description, return address.';
comment on column invoice.metadata is 'JSON of the shop, as it was sent. No buyer sees it.';
comment on column invoice.terms is 'Terms that never change.';
comment on column invoice.body is 'Payment options and payments.';
comment on column invoice.mac is 'MAC of the whole row but its times. Nothing is credited to an invoice with a wrong one.';

create table invoice_address (
  id           uuid         primary key,
  invoice_id   uuid         not null references invoice,
  store_id     uuid         not null references store,
  currency     text         not null,
  option_id    uuid,
  pay_to       text         not null,
  memo         text,
  created_at   timestamptz  not null,
  is_paid      boolean      not null default false,
  mac          uuid
);
create index invoice_address_invoice on invoice_address (invoice_id);
create unique index invoice_address_chain on invoice_address (invoice_id, currency) where option_id is null;
create index invoice_address_unpaid on invoice_address (store_id, created_at) where not is_paid and option_id is null;
comment on table invoice_address is 'A place at which an invoice is paid: owner of the payments that arrive there.';
comment on column invoice_address.option_id is
  'Payment option whose reference at a payment system it is. Null: an address on a chain, which serves all options of its currency.';
comment on column invoice_address.is_paid is 'True once a payment was seen there.';
comment on column invoice_address.mac is 'MAC of the row but for `is_paid`. Payments at a place with a wrong one are credited to nobody.';

create table invoice_payment (
  id          uuid         primary key,
  invoice_id  uuid         not null references invoice,
  store_id    uuid         not null references store,
  txid        text         not null,
  seen_at     timestamptz  not null
);
create index invoice_payment_txid on invoice_payment (store_id, txid);
comment on table invoice_payment is 'A payment to an invoice, for searches. The invoice’s body decides about its money.';

create table invoice_event (
  id          uuid         primary key,
  invoice_id  uuid         not null references invoice,
  store_id    uuid         not null references store,
  version     int          not null,
  at          timestamptz  not null,
  kind        text         not null,
  state       text         not null,
  payment_id  uuid,
  unique (invoice_id, version)
);
create index invoice_event_store on invoice_event (store_id, id);
comment on table invoice_event is 'An event of an invoice, for its store.';
comment on column invoice_event.version is 'Version of the invoice after the event.';
comment on column invoice_event.payment_id is 'Payment that the event is about. Null: none.';
