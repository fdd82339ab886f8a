-- Orders change several times, and the words that they are found by seldom: a payment that is final by now has been found by its
-- transaction before. Of payments and sends only the transactions that are new are noted; where an account has changed, all words.
create or replace function note_more_order_terms() returns trigger language plpgsql as $$
begin
  insert into order_term (order_id, kind, term)
  select now.id, t.kind, t.term from order_now as now join order_before as before using (id)
  cross join lateral order_terms(now.number, now.email, now.pay_to, now.body) as t
  where before.body->'receive' is distinct from now.body->'receive' or before.body->'refund' is distinct from now.body->'refund'
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
