-- The pages of services stand at the addresses that links to them have. What a version of a direction was keeps its text.

update direction_history set slug = renamed.now
  from (values
    ('advcash', 'advcash-to-paypal-exchange'),
    ('bitcoin', 'bitcoin-to-paypal-exchange'),
    ('payeer', 'payeer-to-paypal-exchange'),
    ('perfectmoney', 'perfectmoney-to-paypal-exchange'),
    ('tether', 'tether-to-paypal-exchange'),
    ('webmoney', 'webmoney-to-paypal-exchange'),
    ('moneygo-usdt', 'moneygo-usdt-exchange'),
    ('usdt-moneygo', 'usdt-moneygo-exchange'),
    ('paypal-advcash', 'paypal-to-advcash-exchange'),
    ('paypal-bitcoin', 'paypal-to-bitcoin-exchange'),
    ('paypal-payeer', 'paypal-to-payeer-exchange'),
    ('paypal-perfectmoney', 'paypal-to-perfectmoney-exchange'),
    ('paypal-tether', 'paypal-to-tether-exchange'),
    ('paypal-webmoney', 'paypal-to-webmoney-exchange')) renamed (was, now)
  where slug = renamed.was;
update direction set slug = renamed.now
  from (values
    ('advcash', 'advcash-to-paypal-exchange'),
    ('bitcoin', 'bitcoin-to-paypal-exchange'),
    ('payeer', 'payeer-to-paypal-exchange'),
    ('perfectmoney', 'perfectmoney-to-paypal-exchange'),
    ('tether', 'tether-to-paypal-exchange'),
    ('webmoney', 'webmoney-to-paypal-exchange'),
    ('moneygo-usdt', 'moneygo-usdt-exchange'),
    ('usdt-moneygo', 'usdt-moneygo-exchange'),
    ('paypal-advcash', 'paypal-to-advcash-exchange'),
    ('paypal-bitcoin', 'paypal-to-bitcoin-exchange'),
    ('paypal-payeer', 'paypal-to-payeer-exchange'),
    ('paypal-perfectmoney', 'paypal-to-perfectmoney-exchange'),
    ('paypal-tether', 'paypal-to-tether-exchange'),
    ('paypal-webmoney', 'paypal-to-webmoney-exchange')) renamed (was, now)
  where slug = renamed.was;
