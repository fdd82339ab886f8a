// Rates: what the market says a thing is worth, and whether that can be believed just now.
//
// asset       a price reference (USD, BTC, USDT, ETH); many units may share one
// source      a public market that is asked over HTTP · peg: a price by definition, asked of nobody
// book        a source's best bid and ask; its middle is the source's price
// snapshot    the prices of one moment, numbered; a quote names the one it was made from
// bid, ask    what the desk counts an asset as when it takes it in, and when it gives it out; in USD
// guard       what closes an asset's price: too few sources, sources apart, a jump, age; it ends after calm minutes
// deviation   how far a price wanders in 15 minutes: a list spread is never below it

export type { ClosedReason, Snapshot, SnapshotBody } from './snapshot.ts';
export { closedReason, dealable, deviationOf, marketRate, mid, usdValue } from './snapshot.ts';
export { latest, now, untilFresh, watchRates, type RatesWatch } from './watch.ts';
export { pegOf, recordSnapshot, setPeg } from './store.ts';
export { runRates } from './take-snapshot.ts';
export { readHistory } from './history.ts';
export { sourceUrls } from './source-urls.ts';
export { seedRates } from './seed.ts';
export { usdCents, usdSum } from './usd-sum.ts';
