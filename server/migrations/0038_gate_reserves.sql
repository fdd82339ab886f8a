-- Gate: what stands in a store's reserve of a settled payment that can be taken back for months.

alter table settled_payment add column in_reserve numeric(38, 0) not null default 0 check (in_reserve >= 0);
create index settled_payment_in_reserve on settled_payment (store_id, at) where in_reserve > 0;
comment on column settled_payment.in_reserve is 'Part of `parts` that stands in the store’s reserve until it is released.';

alter table invoice_sale add column in_reserve boolean not null default false;
comment on column invoice_sale.in_reserve is 'True if the sale came to the store’s reserve, and not to its balance.';
