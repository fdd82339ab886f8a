-- What goes out stands under MACs: letters, events and the addresses of endpoints. What a letter says is stored sealed, since it
-- may hold a code or a link. What was queued before has no MAC and is not sent.

alter table mail
  drop column subject,
  drop column text,
  drop column html,
  drop column switched_off_at,
  add column sealed bytea,
  add column mac uuid;
alter table delivery_event add column mac uuid;
-- Also at the mail server's own endpoint, whose address is no part of its row: that one has none.
alter table delivery_endpoint add column mac uuid;
