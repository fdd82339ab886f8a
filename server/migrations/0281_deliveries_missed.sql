-- A delivery whose endpoint was off as its event was published is stored as missed: it waits for nobody until it is replayed.
alter table delivery add column missed_at timestamptz;
create index delivery_missed on delivery (endpoint_id) where missed_at is not null;
