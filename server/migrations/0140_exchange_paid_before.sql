-- What a customer has paid before in currencies that can be taken back is found without reading all orders of theirs.
drop index customer_order_customer;
create index customer_order_paid on customer_order (customer, give_currency, finished_at) where state = 'completed';

-- Payments that the books of a wallet don't know are few, however many it has had.
create index wallet_deposit_apart on wallet_deposit (holder_id, seen_at desc, payin_id) where cleared_at is null;
