// Helpers of the pricing room for tests of other rooms.

export { COMPONENTS, type ComponentSource } from './price/components.ts';
export { SELL, knownDesk } from './known/known.testing.ts';
export { makePrice } from './price/make-price.ts';
export { termsWire } from './quotes/wire.ts';
export { type PricedWorld, openPricedWorld } from './scenarios/world.testing.ts';
