-- How long orders took. Each is counted once, after it was paid out, so that reading costs the same however many there were.

create table order_time (
  day date not null,
  give_currency text not null,
  get_currency text not null,
  -- 'arrived': from the placing to the payment's finality; 'paid': from there to the payout.
  step text not null check (step in ('arrived', 'paid')),
  -- The bucket: no longer than so many minutes, and longer than the bucket before it.
  minutes int not null,
  orders int not null check (orders > 0),
  primary key (day, give_currency, get_currency, step, minutes)
);

-- Until when orders that were paid out are counted, and how many they were.
create table order_counted (
  one boolean primary key default true check (one),
  until timestamptz not null default '-infinity',
  done bigint not null default 0
);
insert into order_counted default values;
