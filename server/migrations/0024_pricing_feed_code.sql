-- What exchange monitors call a currency (`USDTERC20`); without one it isn't in the rates feed.
alter table currency add column feed_code text unique;
update currency set feed_code = known.feed_code from (values
  ('BTC', 'BTC'),
  ('LTC', 'LTC'),
  ('ETH', 'ETH'),
  ('TRX', 'TRX'),
  ('USDT_ERC20', 'USDTERC20'),
  ('USDT_TRC20', 'USDTTRC20'),
  ('USDT_BEP20', 'USDTBEP20'),
  ('PAYPAL_USD', 'PPUSD'),
  ('PAYPAL_EUR', 'PPEUR'),
  ('PAYEER_USD', 'PRUSD'),
  ('PAYEER_EUR', 'PREUR'),
  ('PAYEER_RUB', 'PRRUB'),
  ('VOLET_USD', 'ADVCUSD'),
  ('VOLET_EUR', 'ADVCEUR'),
  ('VOLET_RUB', 'ADVCRUB'),
  ('WMZ', 'WMZ'),
  ('WME', 'WME'),
  ('PMV_USD', 'PMVUSD')
) as known (code, feed_code) where known.code = currency.code;
