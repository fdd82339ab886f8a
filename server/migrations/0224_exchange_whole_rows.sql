-- An order's MAC covers its whole row: where its letters go, whose it is, which links open it and how long it took us. Orders
-- of before have none, and a database with such orders is refused at the start.

alter table customer_order drop column accounts_mac, add column mac uuid;
