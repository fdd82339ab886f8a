-- When rails were down, for whoever wants to know how well they run.

create table rail_outage (
  rail text not null,
  began timestamptz not null,
  ended timestamptz,
  primary key (rail, began)
);
create unique index rail_outage_present on rail_outage (rail) where ended is null;

-- Nothing is known of a rail before it was first looked at.
alter table rail_state add column watched_since timestamptz not null default clock_now();
