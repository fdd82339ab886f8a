-- Where money may go is kept with a MAC from the moment it was confirmed: of orders, withdrawals, payouts and what is sent for them.

alter table payout add column mac uuid;
alter table payment_attempt add column mac uuid;
alter table customer_order add column accounts_mac uuid;
alter table wallet_withdrawal add column mac uuid;

-- What the signer checks before it signs.
do $$ begin
  grant select (owner_kind, owner_id, mac) on payout to kurs_signer;
exception when undefined_object then null;
end $$;
