// What tests of other rooms need of this one.

export { COMPONENTS, type ComponentSource } from './components.ts';
export { SELL, knownDesk } from './known.testing.ts';
export { makePrice } from './make-price.ts';
export { termsWire } from './wire.ts';
export { type PricedWorld, openPricedWorld } from './world.testing.ts';
