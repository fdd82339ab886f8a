-- Gate: links of stores, by which buyers make invoices themselves.

create table store_link (
  id          uuid           primary key,
  store_id    uuid           not null references store,
  title       text           not null check (length(title) between 1 and 100),
  currency    text           not null,
  amount      numeric(38,0)  check (amount > 0),
  least       numeric(38,0)  check (least > 0),
  most        numeric(38,0)  check (most >= least),
  max_uses    int            check (max_uses between 1 and 1000000),
  is_on       boolean        not null,
  picture     text,
  created_at  timestamptz    not null,
  removed_at  timestamptz,
  mac         uuid,
  check ((amount is null) = (least is not null) and (least is null) = (most is null))
);
create index store_link_of_store on store_link (store_id, created_at desc, id desc) where removed_at is null;
comment on table store_link is 'A link of a store: a buyer who opens it may make an invoice and pay.';
comment on column store_link.id is 'Random: everybody who knows it may open the page of the link.';
comment on column store_link.amount is 'In parts of the currency. Null: the buyer states the sum, from `least` to `most`.';
comment on column store_link.max_uses is 'Number of invoices that may be paid. Null: any number.';
comment on column store_link.is_on is 'False: no invoice is made. Invoices that exist can be paid.';
comment on column store_link.picture is 'Random name under which the picture is read (`store_link_picture.key`). Null: none.';
comment on column store_link.removed_at is 'Time at which a member removed the link. Its invoices stay.';
comment on column store_link.mac is 'MAC of the whole row. By a link with a wrong one no invoice is made.';

create table store_link_picture (
  key      text         primary key,
  link_id  uuid         not null unique references store_link,
  type     text         not null check (type = 'image/webp'),
  bytes    bytea        not null check (length(bytes) <= 524288),
  at       timestamptz  not null
);
comment on table store_link_picture is 'The picture of a link, which buyers see.';

create table store_link_use (
  invoice_id  uuid         primary key references invoice,
  link_id     uuid         not null references store_link,
  held_until  timestamptz,
  is_spent    boolean      not null
);
create index store_link_use_spent on store_link_use (link_id) where is_spent;
create index store_link_use_held on store_link_use (link_id, held_until) where not is_spent and held_until is not null;
comment on table store_link_use is 'An invoice of a link for which a method was chosen. It counts towards the uses of the link.';
comment on column store_link_use.held_until is 'End of the lock of its payment option, until which it holds a use. Null: it holds none.';
comment on column store_link_use.is_spent is 'True once a payment was seen.';
