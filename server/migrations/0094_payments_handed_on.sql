-- Coin that a contract hands on is shown by no transaction of its own: what lies at a place says that it came.

-- What lies at a place beyond all that is known to have come and gone. `height`: the newest settled block that it was weighed
-- by; `since_height`, `since`: the last one by which that wasn't so yet, and when it was noticed. `sure`: a look since then did
-- not show what it is.
create table place_growth (
  rail text not null,
  number bigint not null,
  currency text not null,
  height bigint not null,
  parts numeric(38, 0) not null default 0 check (parts >= 0),
  since_height bigint,
  since timestamptz,
  sure boolean not null default false,
  weighed_at timestamptz not null,
  primary key (rail, number),
  foreign key (rail, number) references place (rail, number)
) with (fillfactor = 70);
create index place_growth_open on place_growth (rail, number) where parts > 0;

-- What people or traces say was handed on to a place within a transaction. Its watcher shows it as a payment from then on.
create table handed_on (
  rail text not null,
  number bigint not null,
  txid text not null,
  parts numeric(38, 0) not null check (parts > 0),
  by text[] not null,
  evidence text,
  at timestamptz not null,
  primary key (rail, number, txid),
  foreign key (rail, number) references place (rail, number)
);
