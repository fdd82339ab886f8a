-- Coupons and their uses carry MACs: a row that was changed by SQL gives no discount, and the proof accuses it. A coupon also names
-- the action of the desk that made it.

alter table coupon
  add column mac uuid,
  add column made_act uuid;
alter table coupon_use add column mac uuid;

create index coupon_made_act on coupon (made_act) where kind in ('percent', 'fixed');
create index coupon_open on coupon (id) where state in ('waiting', 'live');
create index coupon_held on coupon (id) where held > 0;
create index coupon_use_held on coupon_use (id) where state = 'held';
