-- Loyalty: what customers turned over, by day, in cents of USD; loyalty follows from the last 30 days. Under the canonical address of
-- the account that an order was placed with, else of its contact.

create table turnover_day (
  customer text not null,
  day date not null,
  cents numeric not null check (cents >= 0),
  primary key (customer, day)
);
-- Days that count no more are forgotten.
create index turnover_day_day on turnover_day (day);

-- Orders from before count by their contact, which an account's own orders begin with.
insert into turnover_day (customer, day, cents)
select customer, (finished_at at time zone 'UTC')::date, sum(usd) from customer_order
where state = 'completed' and kind = 'order' and finished_at > now() - interval '30 days' group by 1, 2;

-- What a calculation's customer is let off by loyalty, in percent of the fee: a holder's own, or a visitor's that their mailbox
-- confirmed.
alter table calculation add column loyalty int check (loyalty between 1 and 50);
