-- The credit of an account holder: one balance, of prizes, that applies by itself unless its holder has switched it off.

create unique index coupon_credit on coupon (holder_id) where kind = 'credit';
alter table coupon
  add column is_off boolean not null default false,
  add check (kind <> 'credit' or (holder_id is not null and from_pot = 0 and ends_at is null));
