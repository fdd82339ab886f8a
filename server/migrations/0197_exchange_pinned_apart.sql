-- What is pinned of an order as it is placed never changes, and was written again with each of its events. With a coupon and a
-- friend's discount a row had 5 kB, one to a page of 8. Pinned terms stand apart as they are, and an event writes the rest.

alter table customer_order alter column pinned set storage external, alter column body set storage main;
alter table customer_order set (toast_tuple_target = 3300);
