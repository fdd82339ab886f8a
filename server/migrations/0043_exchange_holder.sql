-- Exchange: the account holder that an order belongs to, where it was placed with a session. Without one it belongs to whoever
-- has shown to read its mailbox, so those orders are found by their address.
alter table customer_order add column holder_id uuid;
create index customer_order_holder on customer_order (holder_id, created_at desc) where holder_id is not null;
create index customer_order_mailbox on customer_order (lower(email), created_at desc) where holder_id is null;
