-- Coupons that account holders have added to their page of discounts. Those that are bound to them stand there by themselves.

create table coupon_kept (
  holder_id uuid not null references account_holder,
  coupon_id uuid not null references coupon,
  at timestamptz not null,
  primary key (holder_id, coupon_id)
);
create index coupon_email on coupon (email_key) where email_key is not null;
create index coupon_holder on coupon (holder_id) where holder_id is not null;
