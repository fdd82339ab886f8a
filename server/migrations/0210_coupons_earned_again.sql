-- An order whose payment was taken back and given again earns its late coupon anew: only one of its coupons is not void.
alter table coupon drop constraint coupon_earned_by_key;
create unique index coupon_earned_once on coupon (earned_by) where state <> 'void';
create index coupon_earned_by on coupon (earned_by) where earned_by is not null;
