-- Payments: when a place was last looked at, so that whoever pays out against a payment can have it looked at once more.
alter table place add column looked_at timestamptz;
