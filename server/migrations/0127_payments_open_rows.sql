-- What the loops ask for each second and minute lies in small indexes, however long the history grows.

-- Payments that only one side may know yet, or that are looked for again.
create index payin_open on payin (currency) where status = 'seen' or missing_since is not null or status = 'reversed' and followed;
create index payin_final_at on payin (final_at) where final_at is not null;
create index payout_status_at on payout (status_at);

-- Gas that was sent to places, by when.
create index payment_attempt_fuel_at on payment_attempt (rail, stored_at) where purpose = 'fuel';
drop index payment_attempt_fuel;
