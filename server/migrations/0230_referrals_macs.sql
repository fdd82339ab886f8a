-- What says who sent a customer, and on which terms, carries MACs: a row that was changed by SQL pays nobody, and the proof accuses it.

alter table affiliate add column mac uuid;
alter table affiliate_key add column mac uuid;
alter table affiliate_campaign add column mac uuid;
alter table binding add column mac uuid;
alter table referred_order add column mac uuid;
alter table affiliate_out add column mac uuid;
