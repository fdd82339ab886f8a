-- Loyalty: the turnover of customers, and the discount buttons that are mailed to visitors.

create table turnover_day (
  customer  text     not null,
  day       date     not null,
  cents     numeric  not null check (cents >= 0),
  mac       uuid,
  primary key (customer, day)
);
create index turnover_day_day on turnover_day (day);
comment on table turnover_day is 'A customer''s turnover on a day. Loyalty follows from the last 30 days.';
comment on column turnover_day.customer is
  'Canonical e-mail address of the account that orders were placed with, else of their contact.';
comment on column turnover_day.cents is 'Cents of USD.';

create table discount_button (
  calculation   uuid         primary key,
  email         text         not null,
  customer      text         not null,
  locale        text         not null check (locale in ('en', 'ru')),
  requested_at  timestamptz  not null,
  expires_at    timestamptz  not null,
  decided_at    timestamptz,
  token_hash    bytea        unique,
  mac           uuid,
  check (token_hash is null or decided_at is not null)
);
create index discount_button_asked on discount_button (requested_at);
create index discount_button_due on discount_button (requested_at) where decided_at is null;
create index discount_button_mailed on discount_button (customer, decided_at) where token_hash is not null;
comment on table discount_button is
  'A calculation of a visitor whose address may have a discount, and the button that is mailed for it.';
comment on column discount_button.customer is 'The address in its canonical form.';
comment on column discount_button.decided_at is 'Time at which the worker decided about it.';
comment on column discount_button.token_hash is 'HMAC of the button''s token. Null: no letter went out.';
