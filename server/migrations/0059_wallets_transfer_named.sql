-- Whom each side of a transfer reads as the other: the receiver by the address that the sender typed, the sender by a name
-- and a masked address. Written when it happens, since a statement doesn't change; dropped when either account is closed.
alter table wallet_transfer add column to_named text, add column from_named text;
create index wallet_transfer_from on wallet_transfer (from_holder);
create index wallet_transfer_to on wallet_transfer (to_holder);
