-- Platform: nothing waits in a queue of jobs any more: what is due is a row of its own, which a loop looks for.
drop table worker_beat;
drop schema if exists graphile_worker cascade;
