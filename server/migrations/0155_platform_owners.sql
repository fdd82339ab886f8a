-- Rooms are told of events about what they own, and of no others. The exchange had been told of everybody's, and passed over what
-- was not about its orders: that is not delivered any more.
delete from fact_delivery using fact
where subscriber = 'exchange' and fact.id = fact_id and not starts_with(subject, 'order:');
update fact_subscription set about = 'order:' where subscriber = 'exchange';
