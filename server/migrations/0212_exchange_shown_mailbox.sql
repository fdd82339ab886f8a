-- The mailbox whose owner confirmed a visitor's calculation by the mailed button, in its canonical spelling.
alter table calculation add column mailbox text;
