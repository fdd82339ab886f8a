-- Screening of payments is compliance's: wallets' payments are screened like orders'. What was noted moves along.

create table screened_payment (
  payin_id uuid primary key,
  currency text not null,
  senders text[] not null,
  verdict text check (verdict in ('clean', 'soft', 'hard')),
  at timestamptz not null
);
create index screened_payment_open on screened_payment (at) where verdict is null;
insert into screened_payment select payin_id, currency, senders, verdict, at from payment_screening;
drop table payment_screening;
