-- Wrong codes of a second factor are counted for whoever tried them: a session, a browser that its holder has used, an order,
-- and all others together. So others lock nobody out of what is his.

create table factor_tries (
  holder_id uuid not null references second_factor on delete cascade,
  whose text not null,
  tries int not null,
  since timestamptz not null,
  primary key (holder_id, whose)
) with (fillfactor = 80);

alter table second_factor drop column tries, drop column tries_since;
