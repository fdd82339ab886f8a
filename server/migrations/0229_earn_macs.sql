-- Draws, tasks, orders and sums of prizes carry MACs: a row that was changed by SQL gives nothing, and the proof accuses it. By whom
-- and from where a draw was begun has a MAC of its own, since it is forgotten after two days.

alter table earn_draw
  add column mac uuid,
  add column whence_mac uuid;
alter table earn_task add column mac uuid;
alter table earn_order add column mac uuid;
alter table earn_out add column mac uuid;
