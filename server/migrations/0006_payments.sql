-- Payments: receiving addresses, payments that arrive, payouts and their attempts, postings of payments itself, and balances.

-- Rails.

create table rail_state (
  rail           text         primary key,
  up             boolean      not null,
  detail         text         not null,
  since          timestamptz  not null,
  checked_at     timestamptz  not null,
  failures       int          not null default 0,
  retry_at       timestamptz,
  height         bigint       not null default 0,
  top_height     bigint       not null default 0,
  hash           text         not null default '',
  heard_at       timestamptz,
  watched_since  timestamptz  not null default clock_now()
) with (fillfactor = 50);
comment on table rail_state is
  'Last known state of a rail. While the rail isn''t up, nothing is credited or paid on it.';
comment on column rail_state.since is 'Time of the last change of `up`.';
comment on column rail_state.failures is 'Checks in a row without an answer.';
comment on column rail_state.retry_at is 'The rail is left alone until then.';
comment on column rail_state.height is 'Height of the chain at the last check.';
comment on column rail_state.top_height is 'Greatest height that was ever seen.';
comment on column rail_state.hash is 'Newest block at the last check.';
comment on column rail_state.heard_at is 'Time of the last good answer. A rail counts as down only some time after it.';
comment on column rail_state.watched_since is 'Time of the first check. Nothing is known of the rail before it.';
create trigger wake after insert on rail_state for each row execute function tell_wake('offers');
create trigger wake_changed after update on rail_state for each row
  when (old.up is distinct from new.up) execute function tell_wake('offers');

create table rail_outage (
  rail   text         not null,
  began  timestamptz  not null,
  ended  timestamptz,
  primary key (rail, began)
);
create unique index rail_outage_present on rail_outage (rail) where ended is null;
comment on table rail_outage is 'A time in which a rail was down.';
comment on column rail_outage.ended is 'Null while it lasts.';

-- Receiving addresses.

create table receiving_address_counter (
  rail         text    primary key,
  next_number  bigint  not null
);
comment on table receiving_address_counter is 'The next number of a receiving address on a rail. No number is given twice.';

create table receiving_address (
  rail                text            not null,
  number              bigint          not null,
  to_text             text            not null,
  memo                text,
  to_key              text            not null,
  currency            text            not null,
  owner_kind          text,
  owner_id            text,
  customer            text,
  expected            numeric(38, 0),
  taken_at            timestamptz,
  from_height         bigint          not null default 0,
  close_until         timestamptz,
  live_until          timestamptz,
  is_unfinished       boolean         not null default false,
  is_settling         boolean         not null default false,
  may_hold            boolean         not null default false,
  due_at              timestamptz,
  poll                bigint          not null default 0,
  is_requested        boolean         not null default false,
  polled_at           timestamptz,
  read_on             text,
  unread_since        timestamptz,
  is_unread_reported  boolean         not null default false,
  mac                 uuid,
  is_pressing         boolean         not null default false,
  weigh_at            timestamptz,
  poll_height         bigint,
  primary key (rail, number)
) with (fillfactor = 70);
create index receiving_address_free on receiving_address (rail, currency, number) where owner_id is null;
create index receiving_address_unfinished on receiving_address (rail) where is_unfinished;
create index receiving_address_may_hold on receiving_address (rail, number) where may_hold;
create index receiving_address_owner on receiving_address (owner_id);
create index receiving_address_key on receiving_address (lower(to_key));
create index receiving_address_due on receiving_address (rail, (is_pressing or is_requested), due_at) where due_at is not null;
create index receiving_address_weigh on receiving_address (rail, weigh_at) where weigh_at is not null;
create index receiving_address_live on receiving_address (live_until) where mac is not null;
create index receiving_address_settling on receiving_address (rail) where is_settling;
comment on table receiving_address is
  'A receiving address of ours. Derived ahead, free until an owner takes it, and then watched without end.';
comment on column receiving_address.number is 'On a chain, the number that the address is derived by.';
comment on column receiving_address.to_text is 'The address to pay to, or our payment reference at a provider.';
comment on column receiving_address.memo is 'Text that a payment must carry beside the address, on rails that need it.';
comment on column receiving_address.to_key is 'The address in the form by which it is compared.';
comment on column receiving_address.owner_kind is 'Kind of the owner: an order, a deposit, the desk. Null: the address is free.';
comment on column receiving_address.customer is 'The customer as payments name them.';
comment on column receiving_address.expected is 'Amount to be paid, in minor units.';
comment on column receiving_address.from_height is 'Height from which the next poll reads.';
comment on column receiving_address.close_until is 'The address is polled often until then, since a payment is likely.';
comment on column receiving_address.live_until is 'The address is polled regularly until then, and weekly afterwards.';
comment on column receiving_address.is_unfinished is 'A payment to it is not final yet.';
comment on column receiving_address.is_settling is 'A payment to it is final and still followed.';
comment on column receiving_address.may_hold is 'Coins or tokens of ours may lie there.';
comment on column receiving_address.due_at is 'Time of the next poll.';
comment on column receiving_address.poll is 'Number of polls, so that a late answer can''t overwrite a newer one.';
comment on column receiving_address.is_requested is 'Another poll was requested while one was in progress.';
comment on column receiving_address.polled_at is 'Time of the last complete poll.';
comment on column receiving_address.read_on is
  'Position at which the next poll continues, if the last one was incomplete.';
comment on column receiving_address.unread_since is 'Time since which all polls have been incomplete.';
comment on column receiving_address.is_unread_reported is 'People were notified of that.';
comment on column receiving_address.mac is
  'MAC of the address and its owner. If it is invalid, the address is given to nobody.';
comment on column receiving_address.is_pressing is 'Somebody waits for a payment, or one is likely: polled before all others.';
comment on column receiving_address.weigh_at is
  'Time of the next comparison of what lies there with what is known to have come. Null: never.';
comment on column receiving_address.poll_height is 'Height of the chain from which a poll can tell something new. Null: each block may.';

create table receiving_address_growth (
  rail          text            not null,
  number        bigint          not null,
  currency      text            not null,
  height        bigint          not null,
  parts         numeric(38, 0)  not null default 0 check (parts >= 0),
  since_height  bigint,
  since         timestamptz,
  sure          boolean         not null default false,
  weighed_at    timestamptz     not null,
  primary key (rail, number),
  foreign key (rail, number) references receiving_address
) with (fillfactor = 70);
create index receiving_address_growth_open on receiving_address_growth (rail, number) where parts > 0;
comment on table receiving_address_growth is
  'A receiving address whose balance is compared with the payments that are known to have come. A contract can hand on coin '
  'without a transaction of its own.';
comment on column receiving_address_growth.height is 'Newest settled block that the balance was read at.';
comment on column receiving_address_growth.parts is 'Balance beyond all that is known to have come and gone, in minor units.';
comment on column receiving_address_growth.since_height is 'Last height at which that was not so.';
comment on column receiving_address_growth.since is 'Time at which it was noticed.';
comment on column receiving_address_growth.sure is 'A poll since then did not explain it.';

create table handed_on (
  rail      text            not null,
  number    bigint          not null,
  txid      text            not null,
  parts     numeric(38, 0)  not null check (parts > 0),
  by        text[]          not null,
  evidence  text,
  at        timestamptz     not null,
  primary key (rail, number, txid),
  foreign key (rail, number) references receiving_address
);
comment on table handed_on is
  'Coin that a contract passed on to a receiving address within a transaction. From then on it is shown as a payment.';
comment on column handed_on.by is 'The people who said so, or `traces`: the node''s own record.';

-- Payments that arrive.

create table payin (
  id                   uuid            primary key,
  rail                 text            not null,
  key                  text            not null,
  number               bigint          not null,
  owner_kind           text            not null,
  owner_id             text            not null,
  customer             text            not null,
  currency             text            not null,
  unit                 text            not null,
  place                text            not null check (place in ('hot', 'deposit')),
  is_foreign           boolean         not null,
  parts                numeric(38, 0)  not null check (parts > 0),
  txid                 text            not null,
  senders              text[]          not null,
  status               text            not null check (status in ('seen', 'final', 'dropped', 'reversed')),
  is_back              boolean         not null default false,
  is_fee_ok            boolean         not null,
  usd                  numeric(38, 0),
  height               bigint,
  block                text,
  confirmations        int             not null,
  finalised            boolean         not null,
  needed               int             not null,
  deep                 boolean         not null,
  followed             boolean         not null,
  seen_at              timestamptz     not null,
  first_confirmed_at   timestamptz,
  final_at             timestamptz,
  missing_since        timestamptz,
  spent                boolean         not null default false,
  inputs               text[]          not null default '{}',
  source               jsonb,
  fee                  numeric(38, 0)  not null default 0,
  taken                numeric(38, 0)  not null default 0,
  decided              boolean         not null default false,
  seen_after           timestamptz,
  is_missing_reported  boolean         not null default false,
  mac                  uuid,
  unique (rail, key),
  foreign key (rail, number) references receiving_address
) with (fillfactor = 70);
create index payin_place on payin (rail, number);
create index payin_shallow_customer on payin (rail, customer) where not deep;
create index payin_shallow_txid on payin (rail, txid) where not deep;
create index payin_shallow_block on payin (rail, block) where not deep;
create index payin_owner on payin (owner_id);
create index payin_txid on payin (txid);
create index payin_open on payin (currency)
  where status = 'seen' or missing_since is not null or status = 'reversed' and followed;
create index payin_final_at on payin (final_at) where final_at is not null;
comment on table payin is 'A payment to one of our receiving addresses, as we know it.';
comment on column payin.key is 'The rail''s name of this payment, such as an outpoint.';
comment on column payin.number is 'Number of the receiving address.';
comment on column payin.place is 'Location of the money: the hot wallet, or the deposit address until it is swept.';
comment on column payin.is_foreign is 'It came in another currency than its address is for.';
comment on column payin.senders is 'Accounts that it came from, as far as the rail tells.';
comment on column payin.status is
  'seen: on the rail, not final. final: credited. dropped: gone before it was final. reversed: taken back after it was final.';
comment on column payin.is_back is 'It was dropped or reversed, and is there again.';
comment on column payin.is_fee_ok is 'True if its fee is high enough and it can''t be replaced, according to the rail.';
comment on column payin.usd is 'Cents at first sight, for the depth that it must reach. Null: no rate was known.';
comment on column payin.needed is 'Confirmations that make it final.';
comment on column payin.deep is 'It is so deep that it counts as no exposure.';
comment on column payin.followed is 'A reorg is still looked for, so it is polled at short intervals.';
comment on column payin.seen_at is 'When it was paid: by the rail''s own clock, as far as our polls allow that.';
comment on column payin.missing_since is 'Time since which no poll has shown it. That proves nothing.';
comment on column payin.spent is 'A send of ours has spent its coin.';
comment on column payin.inputs is
  'Its inputs, as far as the rail shows them. Of two payments that share an input only one can happen.';
comment on column payin.source is
  'Account that a refund of this payment goes to, where the rail gives back to where a payment came from.';
comment on column payin.fee is 'The provider''s fee for it, as posted.';
comment on column payin.taken is 'Amount that the provider has taken back so far, as published.';
comment on column payin.decided is 'Two people have decided its state. Polls no longer change it.';
comment on column payin.seen_after is 'Last complete poll of its address that did not show it.';
comment on column payin.is_missing_reported is 'People were notified that it is missing.';
comment on column payin.mac is 'MAC of the row. A payment with a wrong one is not posted.';

create table payin_word (
  id        uuid            primary key,
  payin_id  uuid            not null references payin,
  word      text            not null check (word in ('take_back', 'restore')),
  parts     numeric(38, 0),
  evidence  text            not null,
  by        text[]          not null,
  at        timestamptz     not null
);
create index payin_word_payin on payin_word (payin_id);
comment on table payin_word is
  'A decision of two people about a payment that its rail doesn''t answer about. Never changed.';
comment on column payin_word.parts is 'Part that was taken back. Null: all of it.';
comment on column payin_word.evidence is 'The statement that they had.';

create table payin_request (
  rail         text            not null,
  number       bigint          not null,
  amount       numeric(38, 0)  not null,
  label        text            not null,
  locale       text            not null,
  payer        jsonb           not null,
  until        timestamptz     not null,
  way          jsonb,
  provider_id  text,
  refused      text,
  due_at       timestamptz,
  tries        int             not null default 0,
  back         jsonb           not null,
  primary key (rail, number),
  foreign key (rail, number) references receiving_address
) with (fillfactor = 70);
create index payin_request_due on payin_request (rail, due_at) where due_at is not null;
create index payin_request_provider_id on payin_request (rail, provider_id) where provider_id is not null;
comment on table payin_request is 'A payment that a provider prepares for one of our receiving addresses.';
comment on column payin_request.label is 'Purpose of the payment, as people know it.';
comment on column payin_request.payer is 'Fields that were requested from the payer.';
comment on column payin_request.until is 'Nobody waits for the payment after this time.';
comment on column payin_request.way is 'The customer''s way to pay, once the provider has prepared it.';
comment on column payin_request.provider_id is 'The provider''s own name of the payment.';
comment on column payin_request.refused is 'Why it will never be prepared.';
comment on column payin_request.back is 'Pages that the payer''s browser comes back to.';

create table payin_entry (
  id      uuid         primary key,
  rail    text         not null,
  number  bigint       not null,
  digest  bytea        not null,
  fields  bytea        not null,
  status  text         not null check (status in ('stored', 'using', 'redeemed', 'refused', 'unknown')),
  reason  text,
  at      timestamptz  not null,
  due_at  timestamptz,
  foreign key (rail, number) references receiving_address
);
create unique index payin_entry_digest on payin_entry (rail, digest) where status <> 'refused';
create index payin_entry_place on payin_entry (rail, number);
create index payin_entry_due on payin_entry (rail, due_at) where due_at is not null;
comment on table payin_entry is 'A voucher that a customer entered. A voucher can be entered once, whatever it pays.';
comment on column payin_entry.digest is 'Digest of the voucher, to notice it when it is entered again.';
comment on column payin_entry.fields is 'The entered values, sealed with the server''s key.';
comment on column payin_entry.status is
  'stored: not used yet. using: perhaps used. redeemed: its money is ours. refused: a definite no. unknown: only a poll can '
  'tell.';

create table callback (
  id           uuid         primary key,
  rail         text         not null,
  digest       bytea        not null,
  raw          bytea        not null,
  headers      jsonb        not null,
  proven       boolean      not null,
  target       text,
  received_at  timestamptz  not null,
  copies       int          not null default 1,
  due_at       timestamptz,
  tries        int          not null default 0,
  outcome      text,
  sent         text,
  provider_id  text,
  network      text         not null default '',
  unique (rail, digest)
);
create index callback_due on callback (due_at) where due_at is not null;
create index callback_unproven on callback (network, received_at) where not proven;
comment on table callback is
  'A message from a provider, stored as it came before it is answered. A proven one is a hint to poll now, never money.';
comment on column callback.digest is 'Digest of the message, to count the same one and not store it twice.';
comment on column callback.proven is 'The provider''s signature was right.';
comment on column callback.target is 'The receiving address that it is about.';
comment on column callback.copies is 'Number of times that the same message arrived.';
comment on column callback.sent is 'The send of ours that it is about.';
comment on column callback.provider_id is 'The provider''s own name of the payment that it is about.';
comment on column callback.network is
  'Network that it came from. Unproven messages are bounded by network, so that none crowds out another''s.';

-- Payouts and sends.

create table payout (
  id              uuid            primary key,
  owner_kind      text            not null,
  owner_id        text            not null,
  purpose         text            not null check (purpose in ('payout', 'refund', 'capital', 'rebalance')),
  rail            text            not null,
  currency        text            not null,
  unit            text            not null,
  parts           numeric(38, 0)  not null check (parts > 0),
  to_fields       jsonb           not null,
  to_key          text            not null,
  status          text            not null,
  attempt_id      uuid,
  txid            text,
  reason          text,
  tries           int             not null default 0,
  due_at          timestamptz,
  confirmations   int             not null default 0,
  is_dedupe_over  boolean         not null default false,
  evidence        jsonb,
  created_at      timestamptz     not null,
  status_at       timestamptz     not null,
  party           text,
  is_found_late   boolean         not null default false,
  mac             uuid,
  books           jsonb,
  books_mac       uuid,
  customer        text,
  check (status in ('queued', 'preparing', 'sending', 'in_doubt', 'sent', 'final', 'failed', 'stopped'))
) with (fillfactor = 60);
create index payout_waiting on payout (rail, due_at, id) where status in ('queued', 'preparing');
create index payout_attempt_id on payout (attempt_id) where status in ('sending', 'in_doubt', 'sent', 'final');
create index payout_owner on payout (owner_id);
create index payout_pending on payout (currency) where status in ('queued', 'preparing', 'sending', 'in_doubt', 'sent');
create index payout_status_at on payout (status_at);
comment on table payout is 'A sum to be sent to one account. Its id is the reference everywhere.';
comment on column payout.purpose is
  'payout: to a customer. refund: back to a customer. capital: withdrawn by the desk. rebalance: the desk''s, to come back on '
  'another rail.';
comment on column payout.to_key is 'The receiving account in the form by which it is compared.';
comment on column payout.status is
  'queued: waits. preparing: the worker has taken it, perhaps signed. sending: an attempt is stored, perhaps out. in_doubt: no '
  'clear answer. sent: the rail has it. final: with its receiver. failed: not sent or came back, with its owner again. stopped: '
  'with its owner again before anything was signed.';
comment on column payout.attempt_id is 'The attempt that counts for it.';
comment on column payout.reason is 'Why it failed or was stopped.';
comment on column payout.due_at is 'Time of the next try.';
comment on column payout.is_dedupe_over is
  'The provider no longer surely knows the reference, so the payout is never sent again automatically.';
comment on column payout.evidence is 'Evidence for the decision that people made about it.';
comment on column payout.party is
  'The party that would owe it if it turned up after it had counted as not sent. Null: its owner.';
comment on column payout.is_found_late is 'It had counted as not sent and turned up as sent.';
comment on column payout.mac is 'MAC of its destination. If it is invalid, the signer signs nothing.';
comment on column payout.books is
  'The accounts that its money moves between, as its owner named them. Null: its owner posts for it.';
comment on column payout.books_mac is 'MAC of `books`.';
comment on column payout.customer is 'Whose money it is, as payments name customers, where that isn''t `party`.';

create table payout_asked (
  id        uuid            primary key,
  currency  text            not null,
  parts     numeric(38, 0)  not null check (parts > 0)
);
comment on table payout_asked is
  'A sum that waits for an approval and has no payout yet. What it takes is promised to nobody else.';

create table payout_voucher (
  payout_id       uuid         primary key references payout,
  voucher         bytea        not null,
  made_at         timestamptz  not null,
  first_shown_at  timestamptz,
  recall_at       timestamptz
);
create index payout_voucher_recall on payout_voucher (recall_at) where recall_at is not null;
comment on table payout_voucher is 'A voucher that a payout bought for its receiver.';
comment on column payout_voucher.voucher is 'The voucher''s number and code, sealed with the server''s key.';
comment on column payout_voucher.recall_at is 'Time at which a voucher that nobody was shown is taken back.';

create table payout_voucher_shown (
  payout_id  uuid         not null references payout_voucher,
  at         timestamptz  not null,
  who        text         not null
);
comment on table payout_voucher_shown is 'A time at which a voucher was shown to somebody.';

create table payment_attempt (
  id             uuid            primary key,
  rail           text            not null,
  purpose        text            not null check (purpose in ('payout', 'fuel', 'collect')),
  replaces       uuid,
  child_of       uuid,
  reference      text            not null,
  items          uuid[]          not null,
  number         bigint,
  currency       text,
  parts          numeric(38, 0),
  raw            text            not null,
  spends         text[]          not null,
  nonce          bigint,
  change_index   bigint,
  fee_currency   text            not null,
  fee            numeric(38, 0)  not null,
  fee_known      text            not null check (fee_known in ('sent', 'mined')),
  is_fee_posted  boolean         not null default false,
  expires_at     timestamptz,
  status         text            not null,
  txid           text,
  height         bigint,
  confirmations  int             not null default 0,
  tries          int             not null default 0,
  due_at         timestamptz,
  stored_at      timestamptz     not null,
  last_sent_at   timestamptz,
  accepted_at    timestamptz,
  missing_since  timestamptz,
  is_frozen      boolean         not null default false,
  is_known       boolean         not null default false,
  ended_at       timestamptz,
  mac            uuid,
  poll_height    bigint,
  check (status in ('stored', 'doubtful', 'sent', 'final', 'refused', 'absent', 'replaced'))
) with (fillfactor = 60);
create unique index payment_attempt_reference on payment_attempt (rail, reference);
create index payment_attempt_due on payment_attempt (rail, due_at) where due_at is not null;
create index payment_attempt_open on payment_attempt (rail) where status in ('stored', 'doubtful', 'sent', 'replaced');
create index payment_attempt_replaces on payment_attempt (replaces) where replaces is not null;
create index payment_attempt_nonce on payment_attempt (rail, nonce desc)
  where nonce is not null and purpose <> 'collect' and status <> 'refused';
create index payment_attempt_accepted on payment_attempt (rail, accepted_at) where accepted_at is not null;
create index payment_attempt_fuel_at on payment_attempt (rail, stored_at) where purpose = 'fuel';
create index payment_attempt_refused on payment_attempt (rail, nonce)
  where nonce is not null and purpose <> 'collect' and status = 'refused';
comment on table payment_attempt is 'A signed send, stored before it leaves. Its bytes never change.';
comment on column payment_attempt.purpose is
  'payout: pays payouts. fuel: sends gas to a receiving address. collect: sweeps a receiving address into the hot wallet.';
comment on column payment_attempt.replaces is 'An earlier attempt that spends the same.';
comment on column payment_attempt.child_of is 'Attempt whose change this one spends, to pay a higher fee.';
comment on column payment_attempt.reference is
  'The rail''s name of this send, known before it leaves: a transaction id, or our reference at a provider.';
comment on column payment_attempt.items is 'The payouts that it pays.';
comment on column payment_attempt.number is 'Number of the receiving address that it sweeps or sends gas to.';
comment on column payment_attempt.raw is 'The signed bytes.';
comment on column payment_attempt.spends is 'The inputs that it consumes, as the rail names them.';
comment on column payment_attempt.change_index is 'Number of the address that its change goes to.';
comment on column payment_attempt.fee is 'Fee in minor units of `fee_currency`. Its bound until it is known.';
comment on column payment_attempt.fee_known is
  'The fee is known when the attempt is sent (inputs less outputs), or when it is mined (gas used).';
comment on column payment_attempt.status is
  'stored: signed, perhaps sent. doubtful: no clear answer. sent: the rail has it. final: deep enough. refused: a definite no. '
  'absent: it can never happen. replaced: another one spends the same.';
comment on column payment_attempt.due_at is 'Time of the next poll. Null: it is no longer polled.';
comment on column payment_attempt.accepted_at is 'Time at which the rail accepted it.';
comment on column payment_attempt.missing_since is 'Time since which the rail has not shown it.';
comment on column payment_attempt.is_frozen is 'People have decided about one of its payouts, so it is never sent again.';
comment on column payment_attempt.is_known is 'The provider said that the reference was used, so it never counts as absent.';
comment on column payment_attempt.ended_at is 'Time at which it ended without effect. It is polled for a month from then.';
comment on column payment_attempt.mac is 'MAC of its bytes and of what they are for. Bytes with a wrong one are not sent.';
comment on column payment_attempt.poll_height is
  'Height of the chain from which a poll can tell something new. Null: each block may.';

create table payment_found_late (
  payout_id   uuid            primary key references payout,
  attempt_id  uuid            not null references payment_attempt,
  owner_kind  text            not null,
  owner_id    text            not null,
  party       text            not null,
  purpose     text            not null,
  currency    text            not null,
  unit        text            not null,
  parts       numeric(38, 0)  not null check (parts > 0),
  txid        text            not null,
  status      text            not null check (status in ('open', 'counted', 'met', 'returned', 'written_off')),
  found_at    timestamptz     not null,
  decided_at  timestamptz,
  evidence    jsonb
);
create index payment_found_late_party on payment_found_late (party) where status in ('open', 'counted');
comment on table payment_found_late is
  'A transfer that turned up after its payout had counted as not sent. What left is owed by the party until it is settled.';
comment on column payment_found_late.party is 'The party that owes it.';
comment on column payment_found_late.status is
  'open: nobody has decided, and nothing else of the party leaves. counted: people count it as the payment, so the party''s '
  'next payout of the same money is met by it. met: it stands for another payout, or was settled from the owner''s money. '
  'returned: it came back, or never happened. written_off: two people have given it up as a loss.';

create table rail_wallet (
  rail          text         primary key,
  token         bigint       not null,
  leased_until  timestamptz  not null,
  change_index  bigint       not null default 0
) with (fillfactor = 50);
comment on table rail_wallet is 'The worker that may choose inputs and nonces of a rail''s wallet now.';
comment on column rail_wallet.token is 'Rises with each worker, so that one that was slow can''t go on.';
comment on column rail_wallet.change_index is 'Number of the next address for change.';

-- Postings of payments itself and of the desk.

create table payment_event (
  id          uuid         primary key,
  kind        text         not null,
  cause       uuid         not null,
  legs        jsonb        not null,
  prices      jsonb        not null,
  detail      jsonb        not null,
  at          timestamptz  not null,
  posted_at   timestamptz,
  due_at      timestamptz,
  tries       int          not null default 0,
  last_error  text,
  mac         uuid
);
create index payment_event_due on payment_event (due_at) where posted_at is null;
create index payment_event_cause on payment_event (cause);
create index payment_event_rail_fee on payment_event (posted_at) where kind = 'rail_fee';
comment on table payment_event is 'A posting that payments makes for itself. Its id is the journal''s.';
comment on column payment_event.cause is 'Id of the row that the journal is about.';
comment on column payment_event.legs is 'Legs of the journal, as JSON.';
comment on column payment_event.posted_at is 'Null until it is posted.';
comment on column payment_event.mac is 'MAC of the row. An event with a wrong one is not posted.';

create table desk_posting (
  id    uuid         primary key,
  kind  text         not null,
  at    timestamptz  not null
);
comment on table desk_posting is
  'A journal that the desk itself had posted, by an action, by the seed or at the end of a day. Its id is the action''s and the '
  'journal''s.';

create table capital_claim (
  id        uuid            primary key,
  currency  text            not null,
  place     text            not null,
  unit      text            not null,
  parts     numeric(38, 0)  not null check (parts > 0),
  at        timestamptz     not null
);
comment on table capital_claim is
  'Capital that somebody booked and that its rail has not shown yet. It promises nothing until the rail shows it, and is '
  'deleted then.';
comment on column capital_claim.id is 'Id of the action that booked it.';
comment on column capital_claim.place is 'Location of the money: the hot wallet.';

create table book_day (
  single  boolean  primary key default true check (single),
  day     date     not null
);
comment on table book_day is
  'The one row: the day since which the books are open. At the end of each day the earnings become free money, which pays what '
  'was spent.';
comment on column book_day.single is 'Always true, so that there is one row.';

-- Balances of rails, beside the books.

create table rail_balance (
  rail      text            not null,
  currency  text            not null,
  place     text            not null,
  unit      text            not null,
  parts     numeric(38, 0)  not null,
  payable   numeric(38, 0)  not null,
  free      numeric(38, 0)  not null,
  read_at   timestamptz     not null,
  own_at    timestamptz,
  says_at   timestamptz,
  mac       uuid,
  primary key (currency, place)
) with (fillfactor = 50);
comment on table rail_balance is 'A rail''s own figure for a currency at one location, in minor units.';
comment on column rail_balance.place is 'The location, such as the hot wallet or the deposit addresses.';
comment on column rail_balance.payable is 'Part of it that can be sent.';
comment on column rail_balance.free is 'Part of `payable` that no payout waits for.';
comment on column rail_balance.own_at is
  'Time that the figure is of: what came later may be missing from it. Null: nobody can say, so it is not compared.';
comment on column rail_balance.says_at is
  'Time of the figure as the rail itself says it. Null: it says none that can be believed.';
create trigger wake after insert on rail_balance for each row execute function tell_wake('offers');

create table reconciliation (
  currency     text            not null,
  place        text            not null,
  unit         text            not null,
  books        numeric(38, 0)  not null,
  rail_says    numeric(38, 0)  not null,
  coming       numeric(38, 0)  not null,
  going        numeric(38, 0)  not null,
  difference   numeric(38, 0)  not null,
  at           timestamptz     not null,
  since        timestamptz,
  compared_at  timestamptz,
  compared     numeric(38, 0),
  off_since    timestamptz,
  primary key (currency, place)
);
comment on table reconciliation is 'The books beside what a rail says, for a currency at one place. Amounts are in minor units.';
comment on column reconciliation.coming is 'Amount that may be on its way in and shown by one side only.';
comment on column reconciliation.going is 'Amount that may be on its way out and shown by one side only.';
comment on column reconciliation.difference is
  'Amount that nothing on its way explains. Above zero: the rail has more.';
comment on column reconciliation.since is 'Time since which there is a difference. Null: none.';
comment on column reconciliation.compared_at is 'Time of that comparison.';
comment on column reconciliation.compared is 'Difference of the last comparison with the books of a known moment.';
comment on column reconciliation.off_since is 'Time since which the rail has so much less that the currency promises nothing.';

-- Sends that the books don't know, and restored databases.

create table send_comparison (
  rail         text         primary key,
  compared_at  timestamptz  not null,
  read_to      text
);
comment on table send_comparison is 'When what left our own account on a rail was last compared with the books.';
comment on column send_comparison.read_to is 'Position up to which the rail''s history had been read.';

create table unrecorded_send (
  id           uuid            primary key,
  rail         text            not null,
  source       text            not null check (source in ('chain', 'provider', 'journal')),
  reference    text            not null,
  spend        text,
  first_nonce  bigint,
  last_nonce   bigint,
  payout_id    uuid,
  currency     text,
  parts        numeric(38, 0)  check (parts > 0),
  receiver     text,
  seen_at      timestamptz,
  found_at     timestamptz     not null,
  state        text            not null check (state in ('open', 'booked', 'explained')),
  decided_at   timestamptz,
  evidence     jsonb,
  mac          uuid            not null,
  unique (rail, reference),
  check ((state = 'open') = (decided_at is null))
);
create index unrecorded_send_nonce on unrecorded_send (rail, last_nonce) where last_nonce is not null;
create index unrecorded_send_transaction on unrecorded_send (rail, substring(reference from '^(.+):[0-9]+$'));
comment on table unrecorded_send is
  'A send that a chain, a provider or the signer''s journal knows and the books don''t: somebody else signs with our keys, or '
  'this database is an older copy. While one is open, nothing is sent on its rail. Two people decide.';
comment on column unrecorded_send.reference is
  'The transaction or transfer as its rail names it. On a chain that shows only a used nonce, that nonce.';
comment on column unrecorded_send.spend is
  'A nonce or the outpoints that it consumed, as attempts name them. Null: the rail knows none.';
comment on column unrecorded_send.first_nonce is 'Its first nonce. Null on rails without nonces.';
comment on column unrecorded_send.last_nonce is 'Its last nonce, included.';
comment on column unrecorded_send.payout_id is
  'The payout that it seems to be. No foreign key: an older copy of the database may lack that payout.';
comment on column unrecorded_send.seen_at is 'When it happened, as the rail says.';
comment on column unrecorded_send.state is
  'open: nobody has decided. booked: it counts as sent, for its payout or as the desk''s. explained: people have said what it '
  'was, and that it is no payout of these books.';

-- Unrecorded sends can't be deleted: without the row, its rail would send again although nobody has decided.
create function unrecorded_send_is_kept() returns trigger language plpgsql as $$
begin
  raise exception 'a send that the books don''t know is never deleted';
end $$;
create trigger unrecorded_send_is_kept before delete on unrecorded_send for each row execute function unrecorded_send_is_kept();

create table restored (
  id        uuid         primary key,
  at        timestamptz  not null,
  why       jsonb        not null,
  ended_at  timestamptz,
  ended_by  text[],
  mac       uuid         not null
);
create unique index restored_open on restored ((true)) where ended_at is null;
comment on table restored is
  'A time in the restored mode: the database was found older than its keys have noted, or its keys came from a backup. While a '
  'row has no end, no money leaves by any rail.';
comment on column restored.why is 'The findings that showed it, as a list of `{"found": …, "detail": …}`.';
comment on column restored.ended_by is 'The two people who ended it.';

-- Rows of restores can't be deleted or replaced. They only get more findings, and an end.
create function restored_is_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.id <> old.id or new.at <> old.at then
    raise exception 'the history of restores is never changed';
  end if;
  return new;
end $$;
create trigger restored_is_kept before update or delete on restored for each row execute function restored_is_kept();
