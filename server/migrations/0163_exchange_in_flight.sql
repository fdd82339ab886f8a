-- How far a payout is says the payout alone: its order pays, refunds, or could not deliver. What an order could not deliver is its
-- payout as long as its exchange stands.
update customer_order set state = case
  when state in ('queued', 'sending', 'in_doubt', 'sent') then 'paying'
  when state in ('r_queued', 'r_sending', 'r_in_doubt', 'r_sent') then 'refunding'
  else 'undelivered' end
where state in ('queued', 'sending', 'in_doubt', 'sent', 'r_queued', 'r_sending', 'r_in_doubt', 'r_sent', 'payout_failed', 'refund_failed');
