-- Between which accounts a payout's money moves, as its owner named them: payments posts it in the step's own transaction. With the
-- MAC of it.
alter table payout add column books jsonb, add column books_mac uuid;
