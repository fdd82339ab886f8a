-- Gate: settings of stores that their invoices use, web sites of stores, and pictures of stores.

alter table store add column tolerance int not null default 50 check (tolerance between 0 and 500);
alter table store add column life_minutes int not null default 1440 check (life_minutes between 15 and 10080);
alter table store add column costs_bearer text not null default 'buyer' check (costs_bearer in ('buyer', 'store'));
alter table store add column short_preset text not null default 'give_back' check (short_preset in ('give_back', 'accept'));
alter table store add column return_url text check (length(return_url) <= 500);
alter table store add column methods text[] check (cardinality(methods) between 1 and 100);
alter table store add column colour text check (colour ~ '^#[0-9a-f]{6}$');
alter table store add column mark text;
alter table store add column has_letters boolean not null default false;
comment on column store.tolerance is 'Part of an invoice that may be missing, in hundredths of a percent.';
comment on column store.life_minutes is 'Minutes for which an invoice can be paid.';
comment on column store.costs_bearer is 'Bearer of the spread and the costs of a payment.';
comment on column store.short_preset is 'Outcome of a partly paid invoice that nobody decides about.';
comment on column store.return_url is 'Address to which a buyer returns. Null: none.';
comment on column store.methods is 'Codes of the currencies by which invoices may be paid. Null: all that the desk takes.';
comment on column store.colour is 'Colour of the page on which buyers pay. Null: the desk’s own.';
comment on column store.mark is 'Random name under which the picture is read (`store_mark.key`). Null: none.';
comment on column store.has_letters is 'True if the store gets a letter for each paid invoice.';

create table store_site (
  id           uuid         primary key,
  store_id     uuid         not null references store,
  origin       text         not null check (length(origin) between 9 and 2000),
  added_at     timestamptz  not null,
  added_by     uuid         references account_holder,
  accepted_at  timestamptz,
  accepted_by  text,
  struck_at    timestamptz,
  struck_by    text,
  mac          uuid,
  unique (store_id, origin),
  check ((accepted_at is null) = (accepted_by is null)),
  check ((struck_at is null) = (struck_by is null))
);
create index store_site_new on store_site (store_id) where added_by is not null and accepted_at is null and struck_at is null;
comment on table store_site is 'A web site of a business’s store. Return addresses lead to such sites alone.';
comment on column store_site.origin is 'Origin of the site, such as `https://shop.example.com`. Its subdomains belong to it.';
comment on column store_site.added_by is 'Member who added the site. Null: it stands in the application of the business.';
comment on column store_site.accepted_at is 'Time at which the desk let the site stand. Null: not yet, or it stands in the application.';
comment on column store_site.accepted_by is 'Names of the people of the desk who let it stand.';
comment on column store_site.struck_at is 'Time at which the desk struck the site: return addresses lead there no longer.';
comment on column store_site.struck_by is 'Name of the person of the desk who struck it.';
comment on column store_site.mac is 'MAC of the whole row. A site with a wrong one counts as struck.';

create table store_mark (
  key       text         primary key,
  store_id  uuid         not null unique references store,
  type      text         not null check (type = 'image/webp'),
  bytes     bytea        not null check (length(bytes) <= 524288),
  at        timestamptz  not null
);
comment on table store_mark is 'The picture of a store, which buyers see.';
