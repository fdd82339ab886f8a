-- The newest transfers that a holder received are read often: by the list of what happened to the account.

create index wallet_transfer_received on wallet_transfer (to_holder, at desc);
drop index wallet_transfer_to;
