-- A night proves what came since the last proof, what stands, and a section of the older journals: a proof says what stood as it
-- ended, and to which seal older journals were proved again. Proofs from before say neither, so the next one is of all there is.
alter table books_proof add column standing bigint[] not null default '{}', add column round bigint;

-- What a night asks of rows besides: those that are open, however many are over.
create index wallet_withdrawal_status on wallet_withdrawal (status, asked_at);
create index wallet_deposit_open on wallet_deposit (payin_id) where uncleared > 0 or owed > 0 or status = 'returning';
create index place_live on place (live_until) where mac is not null;
create index audit_blocks on audit (at, xid, id) where act in ('block', 'unblock');
