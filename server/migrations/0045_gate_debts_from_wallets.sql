-- The owner of a personal store owes its debts. Money of the owner's wallet repays them: it moves to the store, whose balance repays.

alter table settlement drop constraint settlement_cause_check;
alter table settlement add constraint settlement_cause_check check (cause in ('owner', 'daily', 'deep', 'debt'));
comment on column settlement.cause is
  'owner: its owner moved it · daily: moved at the end of the store’s day · deep: of a personal store, moved once it was deep · debt: of a personal store, from the wallet, since its owner owes it';
create index settlement_back on settlement (store_id, at) where direction = 'to_store' and cause = 'owner';
