-- Claims of refunds count towards a cap from the time at which they went out, since they may have waited for days.

alter table store_refund_claim add column counted_at timestamptz;
drop index store_refund_claim_cap;
create index store_refund_claim_cap on store_refund_claim (cap, coalesce(counted_at, claimed_at)) where is_counted;
comment on column store_refund_claim.counted_at is
  'Time at which a member confirmed it under their cap, and from which it counts. Null: it counts from its claim, if at all.';
