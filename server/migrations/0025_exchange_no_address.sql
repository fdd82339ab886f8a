-- An unallocated payment of another owner's payer may begin without an e-mail address. Its payer gives one later.

comment on column customer_order.email is
  'As typed. Empty for an unallocated payment whose payer is unknown, until they give an address.';
comment on column customer_order.customer is
  'The address in its canonical form: all orders of one customer have the same. Empty for nobody in particular.';

-- Stores the new words of all orders that a statement changed. Orders change often, and their words seldom. If an account or the
-- address of the order has changed, all its words are stored again. Otherwise only the new transactions of payments and sends are
-- stored.
create or replace function note_more_order_terms() returns trigger language plpgsql as $$
begin
  insert into order_term (order_id, kind, term)
  select now.id, t.kind, t.term from order_now as now join order_before as before using (id)
  cross join lateral order_terms(now.number, now.email, now.pay_to, now.body) as t
  where before.body->'receive' is distinct from now.body->'receive' or before.body->'refund' is distinct from now.body->'refund'
    or before.email is distinct from now.email
  on conflict do nothing;
  insert into order_term (order_id, kind, term)
  select id, 'transaction', term from (
    select now.id, lower(paid.payment->>'txid') as term from order_now as now join order_before as before using (id)
    cross join lateral jsonb_array_elements(coalesce(nullif(now.body->'payments', 'null'), '[]')) as paid (payment)
    where before.body->'payments' is distinct from now.body->'payments'
      and not exists (
        select from jsonb_array_elements(coalesce(nullif(before.body->'payments', 'null'), '[]')) as had (payment)
        where had.payment->'txid' = paid.payment->'txid')
    union
    select now.id, lower(now.body->'facts'->'sent'->>'txid') from order_now as now join order_before as before using (id)
    where before.body->'facts'->'sent'->'txid' is distinct from now.body->'facts'->'sent'->'txid'
  ) as found
  where term <> '' and length(term) <= 500
  on conflict do nothing;
  return null;
end $$;
