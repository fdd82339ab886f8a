-- Gate: a debt knows the stores because of which it arose. Only their reserves repay it.

alter table store_debt add column by_store jsonb not null default '{}';
comment on column store_debt.by_store is 'Parts of the debt, as texts, by the ids of the stores because of which they arose.';
