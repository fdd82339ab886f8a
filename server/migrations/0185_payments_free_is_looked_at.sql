-- What is free changes with each payout, and each time made every process read all prices anew. Orders are placed by the figure
-- that stands here; what quotes know of it is read each few seconds (server/pricing/known/watch.ts).
drop trigger wake_changed on rail_balance;
