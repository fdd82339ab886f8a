-- The height of the chain from which on a look at an address, or at a send, tells something: until then blocks make neither
-- due, and both are looked at from time to time. Null: each block may tell something.
alter table place add column look_height bigint;
alter table payment_attempt add column look_height bigint;
