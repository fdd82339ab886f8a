-- A subscriber may want only the facts about its own: they aren't delivered to be dropped. '' wants all.

alter table fact_subscription add column about text not null default '';
