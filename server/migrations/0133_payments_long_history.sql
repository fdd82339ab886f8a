-- What loops ask again and again is found without reading the history.

-- The next nonce: those that were refused.
create index payment_attempt_refused on payment_attempt (rail, nonce)
  where nonce is not null and purpose <> 'collect' and status = 'refused';

-- Places where a payment is likely, or that somebody waits for, come before all others, however many those have become.
alter table place add column pressing boolean not null default false;
update place set pressing = true where owner_id is not null and (unfinished or close_until > clock_now());
drop index place_due;
create index place_due on place (rail, (pressing or asked), due_at) where due_at is not null;

-- When what lies at a place is weighed next; null: never.
alter table place add column weigh_at timestamptz;
update place set weigh_at = clock_now() where owner_id is not null and number > 0 and (live_until > clock_now() or may_hold);
create index place_weigh on place (rail, weigh_at) where weigh_at is not null;
