-- What each key in KURS_DATA/keys is known by: these books never go on with another set of keys unnoticed.

create table key_fingerprint (
  name text primary key,
  -- The first 128 bits of SHA-256 of the key's name and text, in hexadecimal digits.
  fingerprint text not null check (fingerprint ~ '^[0-9a-f]{32}$'),
  at timestamptz not null
);
