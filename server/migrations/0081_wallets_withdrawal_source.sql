-- Withdrawals: what one is taken from, a wallet or what its holder earned as an affiliate; there it goes back to.

alter table wallet_withdrawal add column source text not null default 'wallet' check (source in ('wallet', 'affiliate'));
