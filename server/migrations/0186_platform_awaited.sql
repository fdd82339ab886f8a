-- What nobody waits for is told to nobody: NOTIFY wakes every session that listens, whatever it listens for. Who waits for a
-- topic holds a shared lock of its name for as long (see wakes.ts), so it is given back with the session, however that ends.
create function is_awaited(topic text) returns boolean language sql as $$
  select case when pg_try_advisory_lock(hashtext('wake'), hashtext(topic))
    then not pg_advisory_unlock(hashtext('wake'), hashtext(topic)) else true end
$$;
