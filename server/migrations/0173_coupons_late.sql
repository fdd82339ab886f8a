-- Coupons for orders that took longer than promised: which order earned one, whose it is, and when it was given.

alter table coupon
  add column earned_by uuid unique,
  -- What the customer of that order is known by.
  add column earned_keys text[],
  -- When it became live: so much is given in a day.
  add column given_at timestamptz;
create index coupon_earned on coupon using gin (earned_keys) where kind = 'late';
create index coupon_given on coupon (given_at) where kind = 'late';
