-- Stored forms of secrets are HMACs under a key outside the database, and what a secret opens stands under a MAC beside it: a row
-- that is put in, moved to somebody else or widened by SQL opens nothing. What was stored before opens nothing either.

delete from one_time_code;
delete from recovery_code;
delete from operator_recovery_code;
alter table session add column mac uuid;
alter table api_key add column mac uuid;
alter table operator_session add column mac uuid;
alter table download_ticket add column mac uuid;
alter table discount_button add column mac uuid;
-- What people read to each other; `key_hash` is the HMAC by which a key is found.
alter table operator add column fingerprint bytea, add column mac uuid;
