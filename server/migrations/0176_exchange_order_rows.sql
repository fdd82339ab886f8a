-- A row of an order holds what was pinned and what its events change: to pack and unpack them for each event costs more than the
-- room that it saves.
alter table customer_order set (toast_tuple_target = 4080);

-- The words of all orders that a statement changed are noted at once.
drop trigger order_is_found_by_more on customer_order;
create function note_more_order_terms() returns trigger language plpgsql as $$
begin
  insert into order_term (order_id, kind, term)
  select now.id, t.kind, t.term from order_now as now join order_before as before using (id)
  cross join lateral order_terms(now.number, now.email, now.pay_to, now.body) as t
  where before.body->'payments' is distinct from now.body->'payments'
    or before.body->'receive' is distinct from now.body->'receive'
    or before.body->'refund' is distinct from now.body->'refund'
    or before.body->'facts'->'sent'->'txid' is distinct from now.body->'facts'->'sent'->'txid'
  on conflict do nothing;
  return null;
end $$;
create trigger order_is_found_by_more after update on customer_order
  referencing old table as order_before new table as order_now for each statement execute function note_more_order_terms();
