// Rates: market prices of assets, and guards that close a doubtful price.
//
// asset       a price reference (USD, BTC, USDT, ETH); many units may share one
// source      a public market that is queried over HTTP · peg: a price by definition, without a query
// book        a source's best bid and ask; its middle is the source's price
// snapshot    the prices of one moment, numbered; a quote names the one it was made from
// bid, ask    the desk's price in USD for an asset that it gets, and for one that it gives
// guard       closes an asset's price: too few sources, sources apart, a jump, age; it opens after calm minutes
// deviation   usual move of a price in 15 minutes: a direction's spread is never below it

export type { ClosedReason, Snapshot, SnapshotBody } from './snapshot.ts';
export { closedReason, dealable, deviationOf, marketRate, mid, usdValue } from './snapshot.ts';
export { latest, now, untilFresh, watchRates, type RatesWatch } from './watch.ts';
export { pegOf, recordSnapshot, setPeg } from './store.ts';
export { runRates } from './take-snapshot.ts';
export { readHistory } from './history.ts';
export { sourceUrls } from './source-urls.ts';
export { seedRates } from './seed.ts';
export { usdCents, usdSum } from './usd-sum.ts';
