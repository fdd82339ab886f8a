-- What stands for money before the ledger knows of it is kept with a MAC too: where a customer is told to pay, whose payment
-- arrived and how much, and what is to be posted for payments itself.

alter table place add column mac uuid;
alter table payin add column mac uuid;
alter table payment_event add column mac uuid;
