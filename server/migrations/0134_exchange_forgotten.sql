-- What is forgotten each hour is found without passing by all calculations that became orders.
drop index calculation_expires;
create index calculation_forgotten on calculation (expires_at) where order_id is null;
