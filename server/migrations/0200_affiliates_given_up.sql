-- Affiliates: what of a matured reward went back to the pot as its account was closed. What had left before stays owed.
alter table reward add column given_up numeric(38, 0) not null default 0 check (given_up between 0 and parts);
create index reward_given_up on reward (holder_id) where given_up > 0;
