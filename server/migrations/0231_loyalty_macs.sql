-- Levels of account holders, what customers turned over and the last readings of rails carry MACs, too.

alter table customer_level add column mac uuid;
alter table turnover_day add column mac uuid;
alter table rail_balance add column mac uuid;
