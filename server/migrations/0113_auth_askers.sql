-- Codes belong to whoever asked for them, and what somebody tries counts against nobody else.

alter table one_time_code
  -- Which browser asked, by what it was given with the answer; empty where the subject says it (a session, a Google account).
  add column handle text not null default '',
  -- With which others it is counted while it was not used rightly, and how often it was asked for.
  add column counted_as text,
  add column asked int not null default 1,
  drop constraint one_time_code_pkey,
  add primary key (purpose, subject, handle);
create index one_time_code_counted on one_time_code (counted_as, made_at);

alter table session
  -- Our cookie in the browser, hashed; null for a caller without one.
  add column browser text,
  -- When its holder showed there what no stranger has: a mailed code, a linked Google account, a second factor.
  add column proved_at timestamptz;
create index session_proved on session (holder_id, browser) where proved_at is not null;
