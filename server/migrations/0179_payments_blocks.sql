-- A page that shows confirmations is told of each block of a chain: they are reckoned by the height, and no row is rewritten.
create trigger wake_moved after update on rail_state for each row
  when (old.height is distinct from new.height) execute function tell_wake('blocks');
