-- A level belongs to an account holder. It was kept under an e-mail address, which anybody can type.

create table customer_level (
  holder_id uuid primary key references account_holder,
  level smallint not null check (level between 0 and 3),
  by text not null,
  at timestamptz not null
);

alter table customer drop column level;
