-- Payments: a provider may not have granted us a right, as PayPal its disputes API.

alter table rail_state add column lacks text;
comment on column rail_state.lacks is 'Words for the operator about a right that the provider has not granted; null if none lacks.';
