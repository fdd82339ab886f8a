-- Gate: businesses, their stores, invitations to stores, and what API keys of stores need besides.

create table business (
  id                   uuid         primary key,
  holder_id            uuid         not null references account_holder,
  state                text         not null check (state in ('applied', 'approved', 'refused', 'suspended', 'closed')),
  state_at             timestamptz  not null,
  note                 text         not null default '' check (length(note) <= 1000),
  legal_name           text         not null check (length(legal_name) between 1 and 200),
  registration_number  text         not null check (length(registration_number) between 1 and 60),
  country              text         not null check (country ~ '^[A-Z]{2}$'),
  address              text         not null check (length(address) between 1 and 500),
  web_sites            text[]       not null check (cardinality(web_sites) between 1 and 10),
  goods                text         not null check (length(goods) between 1 and 2000),
  turnover_usd         bigint       not null check (turnover_usd > 0),
  owners               jsonb        not null,
  day_usd              bigint       check (day_usd >= 0),
  created_at           timestamptz  not null,
  mac                  uuid
);
create unique index business_open on business (holder_id) where state in ('applied', 'approved', 'suspended');
create index business_holder on business (holder_id, created_at desc);
create index business_state on business (state, state_at desc, id desc);
create index business_state_at on business (state_at desc, id desc);
comment on table business is 'A business of an account holder that applied for the payment gate, or was approved for it.';
comment on column business.note is 'Words of the desk that the owner reads, about a refusal, a suspension or a closing.';
comment on column business.web_sites is 'Origins of the web sites in the application, such as `https://shop.example.com`.';
comment on column business.turnover_usd is 'Expected turnover in a month, in whole USD.';
comment on column business.owners is 'People who own more than a quarter: `[{"name": …, "percent": …}]`.';
comment on column business.day_usd is 'Maximum of settled sums in 24 hours, in cents. Null: the setting `gate.business_day_usd` holds.';
comment on column business.mac is 'MAC of the whole row. A business with a wrong one counts as suspended.';

create table store (
  id                   uuid         primary key,
  kind                 text         not null check (kind in ('business', 'personal', 'test')),
  business_id          uuid         references business,
  holder_id            uuid         not null references account_holder,
  name                 text         not null check (length(name) between 1 and 60),
  timezone             text         not null check (length(timezone) between 1 and 64),
  invoice_currency     text         not null,
  settlement_currency  text         not null,
  created_at           timestamptz  not null,
  mac                  uuid,
  constraint store_business check ((kind = 'business') = (business_id is not null))
);
create index store_of_holder on store (holder_id, created_at);
create index store_of_business on store (business_id) where business_id is not null;
create unique index store_personal on store (holder_id) where kind = 'personal';
comment on table store is 'A store, which everything of the payment gate belongs to.';
comment on column store.kind is
  'business: of an approved business · personal: one for each account holder · test: everything of a business store, without money';
comment on column store.holder_id is 'The owner of the store.';
comment on column store.invoice_currency is 'Asset in which invoices are made.';
comment on column store.settlement_currency is 'Currency that the store is paid in.';
comment on column store.mac is 'MAC of the whole row. A store with a wrong one opens nothing.';

create table store_invitation (
  id          uuid         primary key,
  store_id    uuid         not null references store,
  email       text         not null check (length(email) between 3 and 254),
  email_key   text         not null,
  role        text         not null check (role in ('manager', 'developer', 'accountant')),
  invited_by  uuid         not null references account_holder,
  invited_at  timestamptz  not null,
  expires_at  timestamptz  not null,
  ended_at    timestamptz,
  mac         uuid
);
create unique index store_invitation_open on store_invitation (store_id, email_key) where ended_at is null;
create index store_invitation_address on store_invitation (email_key) where ended_at is null;
comment on table store_invitation is 'An invitation to become a member of a store, for the holder of an e-mail address.';
comment on column store_invitation.email_key is 'The address in lower case.';
comment on column store_invitation.ended_at is 'Time at which it was accepted, declined, withdrawn or replaced. Null: it is open until it expires.';
comment on column store_invitation.mac is 'MAC of the whole row. An invitation with a wrong one gives no role.';

alter table api_key add column made_by uuid references account_holder;
alter table api_key add column is_test boolean not null default false;
alter table api_key add column reminded_days int;
create index api_key_resource on api_key (resource_kind, resource_id) where resource_kind is not null;
create index api_key_expiring on api_key (expires_at) where resource_kind is not null and revoked_at is null;
comment on column api_key.holder_id is 'Account holder whose key it is. For a key of a store, the owner of the store.';
comment on column api_key.mac is 'MAC of holder, scopes, networks, resource, maker and expiry. A key with a wrong one opens nothing.';
comment on column resource_role.mac is 'If it is invalid, the row grants nothing.';
comment on column api_key.made_by is 'Member of the store who made the key. Null for a key of an account.';
comment on column api_key.is_test is 'True for a key of a test store, which is accepted in live mode too.';
comment on column api_key.reminded_days is 'Days before the end of which the store was last notified by letter; 0 after the end. Null: not yet.';

create index resource_grant_resource on resource_grant (resource_kind, resource_id, seq desc);
