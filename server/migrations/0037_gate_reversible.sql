-- Gate: two people let a business be paid by methods whose payments can be taken back for months, within bounds.

alter table business
  add column reversible_on          boolean not null default false,
  add column reversible_invoice_usd  bigint  check (reversible_invoice_usd >= 0),
  add column reversible_receipts_usd bigint  check (reversible_receipts_usd >= 0),
  add column release_days            integer check (release_days between 1 and 180),
  add column last_share              integer check (last_share between 1 and 100);
comment on column business.reversible_on is 'True if invoices of the business can be paid by methods whose payments can be taken back for months.';
comment on column business.reversible_invoice_usd is
  'Maximum of an invoice that can be paid so, in cents. Null: the setting `gate.paypal_invoice_usd` holds.';
comment on column business.reversible_receipts_usd is
  'Maximum of such receipts younger than 180 days, in cents. Null: the setting `gate.paypal_receipts_usd` holds.';
comment on column business.release_days is 'Days after which such a receipt leaves the store’s reserve. Null: 180 days.';
comment on column business.last_share is
  'Part of such a receipt, in percent, that stays in the reserve for 180 days though `release_days` are over. Null: none.';
