-- Orders that a program of an account holder placed for its customers, by a key; the customers are theirs by the reference.

create table partner_order (
  order_id uuid primary key,
  holder_id uuid not null,
  placed_at timestamptz not null
);
create index partner_order_holder on partner_order (holder_id, placed_at desc);
