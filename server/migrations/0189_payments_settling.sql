-- Payments: after a reorg the addresses whose final payments are still followed are found without reading all others.
create index place_settling on place (rail) where settling;
