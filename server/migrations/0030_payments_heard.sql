-- Payments: when a rail last gave a good answer. A rail is closed only after it has given none for a while.

alter table rail_state add column heard_at timestamptz;
update rail_state set heard_at = checked_at where up;
