-- What a payment spends, as far as its rail tells: of two payments that share an input only one can ever happen.

alter table payin add column inputs text[] not null default '{}';
