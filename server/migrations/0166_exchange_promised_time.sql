-- How many seconds orders took us, by day and direction, exactly: what is promised of the next is told of it. Each is counted once,
-- after it was paid out, so that reading costs the same however many there were; days that count no more are dropped.

create table order_taken (
  day date not null,
  give_currency text not null,
  get_currency text not null,
  seconds int not null check (seconds >= 0),
  orders int not null check (orders > 0),
  primary key (day, give_currency, get_currency, seconds)
);
