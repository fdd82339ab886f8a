-- Gate: two people book what a dispute cost the desk at its payment system. The business owes it.

create table store_dispute_cost (
  id           uuid          primary key,
  payment_id   uuid          not null references settled_payment,
  business_id  uuid          not null references business,
  store_id     uuid          not null references store,
  currency     text          not null,
  parts        numeric(38,0) not null check (parts > 0),
  unit         text          not null,
  owed         numeric(38,0) not null check (owed > 0),
  people       text[]        not null,
  evidence     text          not null,
  at           timestamptz   not null,
  mac          uuid
);
create index store_dispute_cost_payment on store_dispute_cost (payment_id);
comment on table store_dispute_cost is 'The cost of a dispute about a settled payment at its payment system, as two people booked it.';
comment on column store_dispute_cost.currency is 'Currency in which the payment system took the cost.';
comment on column store_dispute_cost.parts is 'Cost in minor units of that currency.';
comment on column store_dispute_cost.unit is 'Unit in which the payment was settled, and in which the business owes the cost.';
comment on column store_dispute_cost.owed is 'Cost in that unit, at the middle rate of that moment.';
comment on column store_dispute_cost.people is 'The two people who decided it.';
comment on column store_dispute_cost.mac is 'MAC of the whole row. A row with a wrong one is accused.';
