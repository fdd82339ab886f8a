-- Several machines: each process has a beat of its own, and what concerns one machine alone is an alarm of that machine.

delete from process_beat;
alter table process_beat
  add column machine text not null,
  drop constraint process_beat_pkey,
  add primary key (name, machine);

-- Empty for what every machine sees alike. What one machine found before is found anew.
delete from alarm where kind in ('disk', 'signer', 'restarts', 'loop', 'logged', 'proxy');
alter table alarm
  add column machine text not null default '',
  drop constraint alarm_pkey,
  add primary key (key, machine);
