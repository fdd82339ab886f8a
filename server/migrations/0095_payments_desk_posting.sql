-- Payments: what the desk itself had posted, by an act of its people, by the seed or for the night. What a journal is about is
-- a row, for these as for all others; the proof of the books looks for it.

create table desk_posting (
  -- The act's id, which is the journal's too.
  id uuid primary key,
  kind text not null,
  at timestamptz not null
);
