-- Compliance: what turned up after it had counted as not sent is a debt, too, of whoever had its money back.

alter table debt drop constraint debt_about_check;
alter table debt add constraint debt_about_check check (about in ('order', 'deposit', 'payout'));
