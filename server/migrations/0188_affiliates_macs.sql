-- A reward is money that is yet to be booked, or that people decide: it is kept with a MAC.
alter table reward add column mac uuid;
-- Whose customers are still kept, so that the oldest are found and forgotten.
create index referred_order_customer_matured on referred_order (matures_at) where customer is not null;
create index referred_order_customer_placed on referred_order (placed_at) where customer is not null and matures_at is null;
