-- Support: a chat is about an owner of any kind; until now all were about orders. A ticket names what it is about by its number.

alter table support_thread rename column order_id to owner_id;
alter table support_thread rename column about_order to about_number;
alter table support_thread add column owner_kind text;
update support_thread set owner_kind = 'order' where owner_id is not null;
alter table support_thread add check ((owner_kind is null) = (owner_id is null));
