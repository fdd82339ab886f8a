// What tests of other rooms need of this one.

export { useView } from './view.ts';
export { type PricedWorld, openPricedWorld } from './world.testing.ts';
