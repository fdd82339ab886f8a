-- Account holders: each account has a code by which others may be sent to us, and knows whose code it came with.

-- Eight of the 32 letters and digits that nobody takes for one another. Bytes 6 and 8 of a uuid aren't random as a whole.
create function new_referral_code() returns text language sql volatile as $$
  select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (get_byte(chance, at) & 31) + 1, 1), '')
  from (select uuid_send(gen_random_uuid()) as chance) drawn, unnest('{0,1,2,3,4,5,9,10}'::int[]) as at
$$;

-- The accounts that there are get theirs by the same default.
alter table account_holder
  add column referral_code text not null unique default new_referral_code(),
  -- Who sent the holder, as the account was made; null for nobody.
  add column referred_by uuid references account_holder check (referred_by <> id);

-- What a newcomer came with, until the account is made. It may be the code of nobody.
alter table one_time_code add column referral_code text;
