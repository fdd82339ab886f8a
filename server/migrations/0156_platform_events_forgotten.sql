-- Events that hold what customers are known by are forgotten some days after everyone has handled them; others are kept.
alter table fact add column forget_at timestamptz;
create index fact_forget on fact (forget_at) where forget_at is not null;
