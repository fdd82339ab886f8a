-- Affiliates: what the customer of an order shares with who sent its affiliate. Only the second level's reward waits for people then.
alter table referred_order add column second_shared text;
