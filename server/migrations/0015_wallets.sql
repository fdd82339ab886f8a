-- Wallets: the units that account holders hold, deposits, withdrawals and transfers. The money itself is in the ledger.

create table wallet (
  holder_id  uuid         not null references account_holder,
  unit       text         not null,
  opened_at  timestamptz  not null,
  primary key (holder_id, unit)
);
comment on table wallet is 'A wallet: an account holder has money of this unit with us. The ledger has the amounts.';

create table wallet_receiving_address (
  id         uuid            primary key,
  holder_id  uuid            not null references account_holder,
  currency   text            not null,
  pay_to     text            not null,
  memo       text,
  opened_at  timestamptz     not null,
  number     text            unique,
  parts      numeric(38, 0)  check (parts > 0),
  until      timestamptz,
  way        jsonb,
  refused    boolean         not null default false,
  entry      text            check (entry in ('taken', 'wrong', 'foreign', 'unavailable')),
  settled    boolean         not null default false
);
create unique index wallet_receiving_address_own on wallet_receiving_address (holder_id, currency) where until is null;
create index wallet_receiving_address_asked on wallet_receiving_address (holder_id, opened_at desc) where until is not null;
create index wallet_receiving_address_unsettled on wallet_receiving_address (until) where until is not null and not settled;
comment on table wallet_receiving_address is
  'A receiving address of an account holder, or a payment that they requested at a payment system. Its id owns the address in '
  'payments.';
comment on column wallet_receiving_address.memo is
  'Text that a payment must carry beside the address, on rails that need it.';
comment on column wallet_receiving_address.number is 'Number for people, of a requested payment.';
comment on column wallet_receiving_address.parts is 'Amount to be paid. Null where a voucher says itself what it is worth.';
comment on column wallet_receiving_address.until is
  'End of a requested payment. Null: the holder''s own address of a currency, without end.';
comment on column wallet_receiving_address.way is 'The way to pay, once that is known.';
comment on column wallet_receiving_address.refused is 'The payment system will not take it.';
comment on column wallet_receiving_address.entry is 'Outcome of the voucher that was entered last.';
comment on column wallet_receiving_address.settled is
  'Nobody waits for it, and only received payments count towards limits.';

create table wallet_deposit (
  payin_id              uuid              primary key,
  receiving_address_id  uuid              not null references wallet_receiving_address,
  holder_id             uuid              not null references account_holder,
  currency              text              not null,
  unit                  text              not null,
  parts                 numeric(38, 0)    not null check (parts > 0),
  txid                  text              not null,
  status                text              not null,
  confirmations         int               not null,
  needed                int               not null,
  seen_at               timestamptz       not null,
  final_at              timestamptz,
  fee                   numeric(38, 0)    not null default 0,
  uncleared             numeric(38, 0)    not null default 0 check (uncleared >= 0),
  taken                 numeric(38, 0)    not null default 0 check (taken >= 0),
  owed                  numeric(38, 0)    not null default 0 check (owed >= 0),
  flagged               boolean           not null default false,
  why                   text,
  senders               text[]            not null default '{}',
  source                jsonb,
  free_at               timestamptz,
  cleared_at            timestamptz,
  ended_at              timestamptz,
  back_id               uuid,
  back_parts            numeric(38, 0),
  decided_by            text,
  mac                   uuid,
  earlier_ids           uuid[]            not null default '{}',
  earlier_parts         numeric(38, 0)[]  not null default '{}',
  papers                text              check (papers in ('asked', 'came')),
  check (status in ('seen', 'checking', 'maturing', 'returning', 'final', 'dropped', 'reversed', 'returned'))
) with (fillfactor = 80);
create index wallet_deposit_holder on wallet_deposit (holder_id, seen_at desc);
create index wallet_deposit_maturing on wallet_deposit (free_at) where status = 'maturing';
create index wallet_deposit_checking on wallet_deposit (seen_at) where status = 'checking';
create index wallet_deposit_back on wallet_deposit (back_id) where back_id is not null;
create index wallet_deposit_owed on wallet_deposit (payin_id) where owed > 0;
create index wallet_deposit_earlier on wallet_deposit using gin (earlier_ids) where earlier_ids <> '{}';
create index wallet_deposit_apart on wallet_deposit (holder_id, seen_at desc, payin_id) where cleared_at is null;
create index wallet_deposit_open on wallet_deposit (payin_id) where uncleared > 0 or owed > 0 or status = 'returning';
comment on table wallet_deposit is
  'A payment into a wallet, under the id of its payment. Amounts are in minor units of the unit.';
comment on column wallet_deposit.status is
  'seen: not final. checking: people look at its sender. maturing: final, and can still be taken back. returning: is being '
  'given back. final: the holder''s. dropped: gone before it was final. reversed: taken back. returned: given back.';
comment on column wallet_deposit.fee is 'The provider''s fee.';
comment on column wallet_deposit.uncleared is 'Part of it in `wallet:uncleared`.';
comment on column wallet_deposit.taken is 'Amount that was taken back.';
comment on column wallet_deposit.owed is 'Amount that was taken back and is owed to us.';
comment on column wallet_deposit.flagged is 'A person has to check its sender.';
comment on column wallet_deposit.why is 'Reason for this check.';
comment on column wallet_deposit.source is 'Account that it can be given back to.';
comment on column wallet_deposit.free_at is 'Time from which it can no longer be taken back.';
comment on column wallet_deposit.cleared_at is
  'Time at which it was first available. Null: the books of the wallet don''t know it yet.';
comment on column wallet_deposit.ended_at is 'Time at which it was taken back or given back.';
comment on column wallet_deposit.back_id is 'The payout that gives it back, or gave it back last.';
comment on column wallet_deposit.back_parts is 'Amount that this payout gives back.';
comment on column wallet_deposit.mac is 'MAC of when the deposit may be used.';
comment on column wallet_deposit.earlier_ids is
  'Earlier payouts that gave it back and still count. Each may come back later.';
comment on column wallet_deposit.earlier_parts is 'Their amounts, in the same order.';
comment on column wallet_deposit.papers is 'Papers of its holder: asked for, or come.';

create table wallet_withdrawal (
  id             uuid            primary key,
  holder_id      uuid            not null references account_holder,
  unit           text            not null,
  rail           text            not null,
  currency       text            not null,
  to_fields      jsonb           not null,
  to_key         text            not null,
  parts          numeric(38, 0)  not null check (parts > 0),
  fee            numeric(38, 0)  not null check (fee >= 0),
  usd            bigint          not null,
  status         text            not null,
  people         smallint        not null check (people between 0 and 2),
  txid           text,
  confirmations  int,
  needed         int,
  reason         text,
  decided_by     text,
  requested_at   timestamptz     not null,
  status_at      timestamptz     not null,
  source         text            not null default 'wallet' check (source in ('wallet', 'affiliate')),
  approved       smallint        not null default 0 check (approved between 0 and 2),
  mac            uuid,
  check (status in ('approving', 'paying', 'done', 'failed', 'returned', 'cancelled', 'rejected'))
) with (fillfactor = 80);
create index wallet_withdrawal_holder on wallet_withdrawal (holder_id, requested_at desc);
create index wallet_withdrawal_status on wallet_withdrawal (status, requested_at);
create index wallet_withdrawal_open on wallet_withdrawal (requested_at) where status in ('approving', 'paying');
comment on table wallet_withdrawal is
  'A withdrawal. The ledger has the money. While it is paid, its payout has the progress.';
comment on column wallet_withdrawal.parts is 'Amount that arrives.';
comment on column wallet_withdrawal.fee is 'Cost of sending, which the holder pays on top.';
comment on column wallet_withdrawal.usd is 'Cents.';
comment on column wallet_withdrawal.people is 'Number of people who must approve it.';
comment on column wallet_withdrawal.reason is 'Why it failed, for the desk.';
comment on column wallet_withdrawal.source is
  'The wallet, or the rewards of an affiliate. Money that comes back returns there.';
comment on column wallet_withdrawal.approved is 'Number of people who have approved it.';
comment on column wallet_withdrawal.mac is 'MAC of where the money goes. A withdrawal with a wrong one can''t be approved.';

create table wallet_transfer (
  id           uuid            primary key,
  from_holder  uuid            not null references account_holder,
  to_holder    uuid            not null references account_holder,
  unit         text            not null,
  parts        numeric(38, 0)  not null check (parts > 0),
  note         text,
  at           timestamptz     not null,
  to_named     text,
  from_named   text,
  check (to_holder <> from_holder)
);
create index wallet_transfer_from on wallet_transfer (from_holder);
create index wallet_transfer_received on wallet_transfer (to_holder, at desc);
comment on table wallet_transfer is 'A transfer from one holder''s wallet into another''s, at once.';
comment on column wallet_transfer.to_named is 'The receiver as the sender typed them. Deleted when either account is closed.';
comment on column wallet_transfer.from_named is
  'The sender as the receiver reads them: a name and a masked address. Deleted when either account is closed.';
