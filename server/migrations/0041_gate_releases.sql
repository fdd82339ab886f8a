-- Gate: releases of settled payments from the reserves of stores.

alter table settled_payment add column look_at timestamptz;
comment on column settled_payment.look_at is 'Time before which it does not leave the reserve: it was disputed or not polled. Null: none.';
