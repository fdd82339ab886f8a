-- What an affiliate waits for, and what a month has brought, are read along indexes, however many rewards are over.

create index reward_open on reward (holder_id) where state in ('waiting', 'case', 'pending');
create index reward_made on reward using brin (made_at);
