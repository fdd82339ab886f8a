-- Payments: the owner of a payment says where its payer's browser comes back to from the provider's page.

alter table payin_request add column back jsonb;
update payin_request set back = jsonb_build_object(
  'success', '/' || initcap(locale) || '/payment/success?id=' || label, 'fail', '/' || initcap(locale) || '/payment/fail?id=' || label);
alter table payin_request alter column back set not null;
