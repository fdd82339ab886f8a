-- The rail's own word of when its figure was right, where it says one that can be believed: compared with the books of that moment.
alter table rail_balance add column says_at timestamptz;

-- What fees of sends were posted since a moment.
create index payment_event_rail_fee on payment_event (posted_at) where kind = 'rail_fee';
