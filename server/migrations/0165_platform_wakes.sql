-- What changes seldom and is waited for in several processes is told by the database, whoever writes it (see wakes.ts).
create function tell_wake() returns trigger language plpgsql as $$
begin
  perform pg_notify('kurs_wakes', tg_argv[0]);
  return null;
end $$;

create trigger wake after insert or update or delete on setting for each statement execute function tell_wake('settings');
create trigger wake after update on installation for each statement execute function tell_wake('clock');
create trigger wake after insert on rate_snapshot for each statement execute function tell_wake('rates');
create trigger wake after insert or update or delete on currency for each statement execute function tell_wake('offers');
create trigger wake after insert or update or delete on direction for each statement execute function tell_wake('offers');
create trigger wake after insert or update or delete on rail_cost for each statement execute function tell_wake('offers');
create trigger wake after insert on rail_state for each row execute function tell_wake('offers');
create trigger wake_changed after update on rail_state for each row
  when (old.up is distinct from new.up) execute function tell_wake('offers');
create trigger wake after insert on rail_balance for each row execute function tell_wake('offers');
create trigger wake_changed after update on rail_balance for each row
  when (old.free is distinct from new.free) execute function tell_wake('offers');
create trigger wake after insert on network_cost for each row execute function tell_wake('offers');
create trigger wake_changed after update on network_cost for each row
  when (old.parts is distinct from new.parts) execute function tell_wake('offers');
