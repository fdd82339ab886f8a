-- How often a customer has used a coupon, and what its uses have left, are read along indexes, however many uses it has.

create index coupon_use_keys on coupon_use using gin (keys) where state <> 'free';
create index coupon_use_rest on coupon_use (coupon_id, rest) where state = 'spent' and rest > 0;
