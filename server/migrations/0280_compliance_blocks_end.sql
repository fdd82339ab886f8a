-- Blocks of a device or a network end by themselves: others come to use these.
alter table block add column until timestamptz;
