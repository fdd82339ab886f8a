-- Gate: two people write off a debt of a business that nobody repays.

create table store_write_off (
  id           uuid          primary key,
  business_id  uuid          not null references business,
  unit         text          not null,
  parts        numeric(38,0) not null check (parts > 0),
  recovered    numeric(38,0) not null check (recovered between 0 and parts),
  people       text[]        not null,
  evidence     text          not null,
  at           timestamptz   not null,
  mac          uuid
);
create index store_write_off_open on store_write_off (business_id, unit, at) where recovered < parts;
comment on table store_write_off is 'A debt of a business that the desk wrote off as a loss.';
comment on column store_write_off.recovered is 'Part that became a debt again, since a payment came again that had been taken back.';
comment on column store_write_off.people is 'The two people who decided it.';
comment on column store_write_off.mac is 'MAC of the whole row. A row with a wrong one is accused, and nothing of it becomes a debt again.';
