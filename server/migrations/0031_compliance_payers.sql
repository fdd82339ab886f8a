-- Compliance: accounts that payments which can be taken back for months come from, each one person's (money.md A4).

-- Whose an account is: of the customer (canonical e-mail) whose order that was paid from it was the first to be done.
create table payer (
  account text primary key,
  customer text not null,
  order_id uuid not null,
  at timestamptz not null
);
create index payer_customer on payer (customer);
