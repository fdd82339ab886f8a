-- The places that gas was sent to: what their sweeps left of it is the desk's, and reconciled.

create index payment_attempt_fuel on payment_attempt (rail, number) where purpose = 'fuel';
