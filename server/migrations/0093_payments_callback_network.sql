-- Messages that nobody could prove are counted by the network that sent them: none of them crowds out another's.

alter table callback add column network text not null default '';
drop index callback_unproven;
create index callback_unproven on callback (network, received_at) where not proven;
