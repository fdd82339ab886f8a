-- Wallets: deposits that were taken back after they were spent are looked for every few seconds.

create index wallet_deposit_owed on wallet_deposit (payin_id) where owed > 0;
