-- What bounds what leaves, and whom a debt stops, is kept with a MAC too.

alter table setting add column mac uuid;
alter table setting_history add column mac uuid;
alter table moneyout_counted add column mac uuid;
alter table moneyout_address add column mac uuid;
alter table moneyout_guard add column mac uuid;
-- Of the debt with all keys that it is known by.
alter table debt add column mac uuid;
-- Of when a deposit that can be taken back may be used.
alter table wallet_deposit add column mac uuid;
