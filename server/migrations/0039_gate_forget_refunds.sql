-- Gate: the forgetting of the e-mail addresses of refunds that ended long ago.

comment on column store_refund.email is
  'Address for which it was made: claims need a code that is mailed there. Null: the link is enough. Empty: the address was forgotten, and nobody claims it.';

create index store_refund_forget on store_refund (updated_at)
  where state in ('paid', 'expired', 'cancelled') and not holds_money and email <> '';
