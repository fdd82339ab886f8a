-- Exchange: a price is kept as its components. An offer, and the price of what was bought back, had fee, discounts and costs apart.

create function pg_temp.price_component(kind text, code text, amount jsonb, percent text, is_least boolean) returns jsonb
language sql immutable as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'code', code,
    'words', case
      when kind = 'fee' then case when is_least then 'fee_least' else 'fee' end
      when kind = 'discount' then 'discount'
      when code in ('network', 'sweep', 'payin', 'payout') then code
      else 'other' end,
    'kind', kind,
    'account', case kind when 'fee' then 'income:spread' when 'discount' then 'spent:discount' else 'income:fee' end,
    'payer', case kind when 'discount' then 'desk' else 'customer' end,
    'amount', amount,
    'percent', case when not is_least then percent end))
$$;

/* `price`: a slip as it was kept, with its terms beside it. A bigint is written "123n" in it. */
create function pg_temp.price_of_components(price jsonb) returns jsonb language sql immutable as $$
  select jsonb_set(price, '{slip}', (slip - '{list,listPercent,cuts,costs}'::text[]) || jsonb_build_object('components',
    jsonb_build_array(pg_temp.price_component('fee', 'fee', slip->'list'->'parts',
      trim_scale(100 * trim(trailing 'n' from slip->'listPercent'->>'numerator')::numeric
        / trim(trailing 'n' from slip->'listPercent'->>'denominator')::numeric)::text,
      slip->'list'->'parts' = price->'terms'->'minList'->'parts'))
    || (select coalesce(jsonb_agg(pg_temp.price_component('discount', line->>'code', line->'amount'->'parts', null, false) order by at), '[]')
        from jsonb_array_elements(slip->'cuts') with ordinality as lines (line, at))
    || (select coalesce(jsonb_agg(pg_temp.price_component('cost', line->>'code', line->'amount'->'parts', null, false) order by at), '[]')
        from jsonb_array_elements(slip->'costs') with ordinality as lines (line, at))))
  from (select price->'slip') as kept (slip)
$$;

update customer_order set body = jsonb_set(body, '{facts,offer}', pg_temp.price_of_components(body #> '{facts,offer}'))
where body #> '{facts,offer,slip,list}' is not null;

update customer_order
set body = jsonb_set(body, '{facts,boughtBack,price}', pg_temp.price_of_components(body #> '{facts,boughtBack,price}'))
where body #> '{facts,boughtBack,price,slip,list}' is not null;
