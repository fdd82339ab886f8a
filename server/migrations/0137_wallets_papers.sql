-- What compliance has asked of the holder of a deposit that it looks at, as it does of a held order's customer.

alter table wallet_deposit add column papers text check (papers in ('asked', 'came'));
