-- What a rail's own figure may not show yet is found without reading every payout: those under way, and those that were
-- accepted after the figure was read, even where they are final by now.

drop index payout_pending;
create index payout_pending on payout (currency) where status in ('queued', 'preparing', 'sending', 'in_doubt', 'sent');
create index payment_attempt_accepted on payment_attempt (rail, accepted_at) where accepted_at is not null;
