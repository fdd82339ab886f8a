-- Gate: the parts of what each payment of a settled invoice brought its store, for the store's report; a search of invoices by amount, and the forgetting of
-- what shops and buyers said of themselves.

create table invoice_sale (
  journal     uuid           not null,
  payment_id  uuid           not null,
  invoice_id  uuid           not null references invoice,
  unit        text           not null,
  gross       numeric(38,0)  not null,
  spread      numeric(38,0)  not null,
  cost        numeric(38,0)  not null,
  fee         numeric(38,0)  not null,
  worth       numeric(38,0)  not null,
  mac         uuid,
  primary key (journal, payment_id)
);
create index invoice_sale_invoice on invoice_sale (invoice_id);
comment on table invoice_sale is
  'The parts of what a payment of a settled invoice brought its store, by the journal that posted it. Negative once its rail took it back.';
comment on column invoice_sale.unit is 'Unit that the store received. Sums are parts of it, but for `worth`.';
comment on column invoice_sale.gross is 'Worth of the payment before spread, costs and fee.';
comment on column invoice_sale.spread is 'Part of the gross sum that was the desk’s spread.';
comment on column invoice_sale.cost is 'Part of the gross sum that was costs of receiving.';
comment on column invoice_sale.fee is 'Part of the gross sum that was the desk’s fee. The store received the rest.';
comment on column invoice_sale.worth is 'Credit of the payment, in parts of the invoice’s currency.';
comment on column invoice_sale.mac is 'MAC of the whole row. A row with a wrong one is not shown, and the proof accuses it.';

create index invoice_amount on invoice (store_id, currency, amount) where amount is not null;

create index invoice_forget on invoice (updated_at)
  where state in ('settled', 'expired', 'cancelled', 'invalid') and not holds_money and (email is not null or metadata <> '{}');
