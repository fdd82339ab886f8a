-- What was asked to be sent and waits for people: no payout yet, and nothing that could be promised to others (money.md A3).

create table payout_asked (
  id uuid primary key,
  currency text not null,
  parts numeric(38, 0) not null check (parts > 0)
);
