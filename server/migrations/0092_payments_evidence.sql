-- Payments: a payment is gone only by evidence, and its time is the rail's own as far as our looks allow it.

-- What a look could not read to its end: from where the next one reads on, since when that is so, and whether people were told.
alter table place add column read_on text;
alter table place add column unread_since timestamptz;
alter table place add column unread_told boolean not null default false;

-- `seen_after`: the last look at its place that came to the end and did not show it. `missing_told`: people know that it is missing.
alter table payin add column seen_after timestamptz;
alter table payin add column missing_told boolean not null default false;
