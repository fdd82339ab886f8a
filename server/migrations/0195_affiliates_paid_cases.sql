-- An order whose case people have paid counts among what its affiliate's day brought, as its reward does: of those paid before, too.

insert into affiliate_day as d (holder_id, day, campaign, orders, profit)
  select holder_id, (made_at at time zone 'UTC')::date, campaign, count(*), sum(profit)
  from reward join referred_order using (order_id)
  where tier = 1 and state in ('waiting', 'pending', 'available') and reason is not null
    and referred_order.shared is not null and profit is not null
  group by 1, 2, 3
  on conflict (holder_id, day, campaign) do update set orders = d.orders + excluded.orders, profit = d.profit + excluded.profit;
