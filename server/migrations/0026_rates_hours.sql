-- Rates: the price of each hour, for the chart of a direction's page. It is kept longer than minutes and snapshots.
create table rate_hour (
  asset text not null,
  hour timestamptz not null,
  mid numeric not null,
  primary key (asset, hour)
);

-- What an installation that was there before has of it already.
insert into rate_hour (asset, hour, mid)
select distinct on (asset, date_trunc('hour', minute, 'UTC')) asset, date_trunc('hour', minute, 'UTC'), mid
from rate_minute order by asset, date_trunc('hour', minute, 'UTC'), minute;
