// What tests of other rooms need of this one.

export { type PricedWorld, openPricedWorld } from './world.testing.ts';
