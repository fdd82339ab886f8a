-- Where a letter of a kind that its receiver can switch off is switched off (List-Unsubscribe, RFC 2369 and RFC 8058).
alter table mail add column switched_off_at text;
