-- A peg may be a person's word about a currency that no market lists (the rouble): it holds until a moment, then the price is old.
alter table rate_asset add column peg_until timestamptz;
