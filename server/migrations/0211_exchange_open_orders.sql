-- A customer's open orders are found whatever the number of those that are over: their sum is asked as another one is placed.
create index customer_order_open_holder on customer_order (holder_id)
  where state in ('awaiting', 'seen', 'choosing', 'holding', 'approving', 'undelivered') and kind = 'order';
create index customer_order_open_customer on customer_order (customer)
  where state in ('awaiting', 'seen', 'choosing', 'holding', 'approving', 'undelivered') and kind = 'order' and holder_id is null;
