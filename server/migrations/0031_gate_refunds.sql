-- Refunds of stores, their claims, and the sums that roles and API keys refund without another member.

create table store_refund (
  id           uuid         primary key,
  number       text         not null unique,
  store_id     uuid         not null references store,
  invoice_id   uuid         references invoice,
  state        text         not null check (state in ('open', 'claimed', 'paying', 'paid', 'expired', 'cancelled')),
  version      int          not null,
  created_at   timestamptz  not null,
  updated_at   timestamptz  not null,
  expires_at   timestamptz  not null,
  due_at       timestamptz,
  unit         text         not null,
  holds_money  boolean      not null,
  email        text,
  body         jsonb        not null,
  mac          uuid
);
create index store_refund_of_store on store_refund (store_id, created_at desc, id desc);
create index store_refund_state on store_refund (store_id, state, created_at desc, id desc);
create index store_refund_invoice on store_refund (invoice_id) where invoice_id is not null;
create index store_refund_due on store_refund (due_at) where due_at is not null;
create index store_refund_holding on store_refund (id) where holds_money;
comment on table store_refund is 'A refund by a store: money that left its balance and is claimed by a link.';
comment on column store_refund.invoice_id is 'The invoice that is refunded. Null: anybody with the link claims it, within their level.';
comment on column store_refund.version is 'Number of its last event.';
comment on column store_refund.due_at is 'Time at which unclaimed money returns to the store. Null: nothing is unclaimed.';
comment on column store_refund.unit is 'Unit that was taken from the store’s balance.';
comment on column store_refund.holds_money is 'True while one of its accounts (`refund:*`) should have a balance, or a claim is being paid.';
comment on column store_refund.email is 'Address for which it was made: claims need a code that is mailed there. Null: the link is enough.';
comment on column store_refund.body is 'Sums, maker and language.';
comment on column store_refund.mac is 'MAC of the whole row but its times. Nothing is claimed of a refund with a wrong one.';

create table store_refund_claim (
  id             uuid         primary key,
  refund_id      uuid         not null references store_refund,
  store_id       uuid         not null references store,
  state          text         not null
                 check (state in ('confirming', 'approving', 'paying', 'done', 'refused', 'failed', 'returned')),
  claimed_at     timestamptz  not null,
  status_at      timestamptz  not null,
  cap            text,
  usd            bigint       not null check (usd >= 0),
  is_counted   boolean      not null,
  txid           text,
  confirmations  int,
  needed         int,
  body           jsonb        not null,
  mac            uuid
);
create index store_refund_claim_refund on store_refund_claim (refund_id, claimed_at);
create index store_refund_claim_cap on store_refund_claim (cap, claimed_at) where is_counted;
create index store_refund_claim_waiting on store_refund_claim (claimed_at) where state = 'approving';
create index store_refund_claim_open on store_refund_claim (id) where state in ('confirming', 'approving', 'paying');
comment on table store_refund_claim is 'A claim of a refund, wholly or in part, and the payout by which it is paid.';
comment on column store_refund_claim.id is 'Also the id of its payout.';
comment on column store_refund_claim.cap is 'The cap that it counts towards: of a store’s managers or of an API key. Null: there was none.';
comment on column store_refund_claim.usd is 'Worth in cents when it was claimed.';
comment on column store_refund_claim.is_counted is 'True if it counts towards the cap: it went out without the owner’s confirmation.';
comment on column store_refund_claim.body is 'Sums, price, receiving account and decisions.';
comment on column store_refund_claim.mac is 'MAC of what decides about its money. Nothing is sent for a claim with a wrong one.';

create table store_refund_cap (
  store_id  uuid         not null references store,
  key_id    uuid         references api_key,
  usd       bigint       not null check (usd >= 0),
  set_at    timestamptz  not null,
  set_by    uuid         not null references account_holder,
  mac       uuid
);
create unique index store_refund_cap_of on store_refund_cap (store_id, coalesce(key_id, store_id));
comment on table store_refund_cap is 'Sum in 24 hours up to which claims go out without another member. Without a row it is 0.';
comment on column store_refund_cap.key_id is 'API key whose refunds it bounds. Null: the refunds of the store’s managers.';
comment on column store_refund_cap.usd is 'In cents.';
comment on column store_refund_cap.set_by is 'The owner of the store.';
comment on column store_refund_cap.mac is 'MAC of the whole row. A cap with a wrong one counts as 0.';

alter table invoice_event add column refund_id uuid references store_refund;
alter table invoice_event add column claim_id uuid references store_refund_claim;
alter table invoice_event drop constraint invoice_event_about;
alter table invoice_event add constraint invoice_event_about check (
  num_nonnulls(invoice_id, settlement_id, refund_id) = 1 and (settlement_id is null) = (version is not null)
  and (settlement_id is null) = (state is not null));
create unique index invoice_event_refund on invoice_event (refund_id, version) where refund_id is not null;
comment on table invoice_event is 'An event of a store, for its members and webhooks: of an invoice, of a settlement, or of a refund.';
comment on column invoice_event.version is 'Version of the invoice or the refund after the event.';
comment on column invoice_event.refund_id is 'Refund that the event is about. Null: it is about something else.';
comment on column invoice_event.claim_id is 'Claim of the refund that the event is about. Null: none.';
