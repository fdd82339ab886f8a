-- How far the sending of a withdrawal has come is its payout's state, and stands there alone.
alter table wallet_withdrawal drop constraint wallet_withdrawal_status_check;
update wallet_withdrawal set status = 'paying' where status in ('queued', 'sending', 'in_doubt', 'sent');
alter table wallet_withdrawal add constraint wallet_withdrawal_status_check
  check (status in ('approving', 'paying', 'done', 'failed', 'returned', 'cancelled', 'rejected'));

drop index wallet_withdrawal_waiting;
create index wallet_withdrawal_open on wallet_withdrawal (asked_at) where status in ('approving', 'paying');
