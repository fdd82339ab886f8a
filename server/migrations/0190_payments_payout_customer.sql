-- Payments: whose money a payout is, as pay-ins name their payers, where that isn't the party that would owe it. A payout that
-- turned up stops its customer's wallets before its order is told.
alter table payout add column customer text;
