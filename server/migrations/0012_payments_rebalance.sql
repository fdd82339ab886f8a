-- The desk's own money that leaves a rail to come back at another is no capital that is withdrawn (money.md D3).

alter table payout drop constraint payout_purpose_check;
alter table payout add constraint payout_purpose_check check (purpose in ('payout', 'refund', 'capital', 'rebalance'));
