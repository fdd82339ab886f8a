-- Account holders: the Google account that one may sign in with, known by its issuer and subject and never by its address.

create table google_account (
  issuer text not null check (length(issuer) <= 200),
  subject text not null check (length(subject) between 1 and 255),
  holder_id uuid not null unique references account_holder on delete cascade,
  linked_at timestamptz not null,
  primary key (issuer, subject)
);

-- What a sign-in began with: a token must name one that stands here, and it goes with the session that began.
create table google_nonce (
  nonce text primary key,
  expires_at timestamptz not null
);
create index google_nonce_expired on google_nonce (expires_at);
