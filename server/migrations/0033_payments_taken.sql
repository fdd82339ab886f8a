-- Payments: of a payment that is ours, what its provider has taken back so far (a chargeback or refund of a part), as told.
alter table payin add column taken numeric(38, 0) not null default 0;
