-- Payments into wallets that are asked for first, at payment systems; and what of a deposit isn't its holder's to use yet.

-- A place that was asked for (`until` is set) is prepared at its payment system for one payment; any other is the
-- holder's own for ever, one of a currency.
--   parts    what is to be paid; null where a voucher says itself what it is worth
--   way      how it is paid, once that is known · refused: the system won't take it
--   entry    what became of the voucher that was entered last
--   settled  nobody waits for it any more, and nothing counts towards limits for its sake but what came
alter table wallet_place
  add column number text unique,
  add column parts numeric(38, 0) check (parts > 0),
  add column until timestamptz,
  add column way jsonb,
  add column refused boolean not null default false,
  add column entry text check (entry in ('taken', 'wrong', 'foreign', 'unavailable')),
  add column settled boolean not null default false;
alter table wallet_place drop constraint wallet_place_holder_id_currency_key;
create unique index wallet_place_own on wallet_place (holder_id, currency) where until is null;
create index wallet_place_asked on wallet_place (holder_id, opened_at desc) where until is not null;
create index wallet_place_unsettled on wallet_place (until) where until is not null and not settled;

-- fee        of it, what its provider kept
-- uncleared  of it, what stands in wallet:uncleared · taken: was taken back · owed: was taken back and is owed to us
-- flagged    a person has to look at its sender · why: what for
-- free_at    when what can be taken back stops being so
-- cleared_at when it was available for the first time · ended_at: when it was taken back or given back
-- back_id    the payout that gives it back, back_parts of it
alter table wallet_deposit
  add column fee numeric(38, 0) not null default 0,
  add column uncleared numeric(38, 0) not null default 0 check (uncleared >= 0),
  add column taken numeric(38, 0) not null default 0 check (taken >= 0),
  add column owed numeric(38, 0) not null default 0 check (owed >= 0),
  add column flagged boolean not null default false,
  add column why text,
  add column senders text[] not null default '{}',
  add column source jsonb,
  add column free_at timestamptz,
  add column cleared_at timestamptz,
  add column ended_at timestamptz,
  add column back_id uuid,
  add column back_parts numeric(38, 0),
  add column decided_by text,
  drop constraint wallet_deposit_status_check,
  add constraint wallet_deposit_status_check check
    (status in ('seen', 'checking', 'maturing', 'returning', 'final', 'dropped', 'reversed', 'returned'));
update wallet_deposit set cleared_at = final_at where status in ('final', 'reversed');
update wallet_deposit set flagged = true, uncleared = parts where status = 'checking';
create index wallet_deposit_maturing on wallet_deposit (free_at) where status = 'maturing';
create index wallet_deposit_checking on wallet_deposit (seen_at) where status = 'checking';
create index wallet_deposit_back on wallet_deposit (back_id) where back_id is not null;
