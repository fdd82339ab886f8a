-- The desk's own money is booked once for each transaction: looked up by the audit.
create index audit_funded on audit ((body ->> 'txid')) where act = 'desk_fund' and outcome = 'done';
