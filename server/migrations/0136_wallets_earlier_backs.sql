-- A deposit may be given back more than once: what comes of it after it was given back is given back by a payout of its own. The
-- earlier payouts are kept beside the last (`back_id`) for as long as they stand: each may come back later.

alter table wallet_deposit
  add column earlier_ids uuid[] not null default '{}',
  add column earlier_parts numeric(38, 0)[] not null default '{}';
create index wallet_deposit_earlier on wallet_deposit using gin (earlier_ids) where earlier_ids <> '{}';
