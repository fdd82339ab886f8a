// What this room offers to the tests of those above it: a whole desk to place and pay orders at, and a long history of them.

export type { SignedIn } from './scenarios/signed-in.testing.ts';
export { type PlaceOptions, type World, openWorld } from './scenarios/world.testing.ts';
export { fillHistory } from './history/fill-history.testing.ts';
export { buyBack, goOn, tellPayment } from './scenarios/customers-choices.testing.ts';
