// What this room offers to the tests of those above it: a whole desk to place and pay orders at.

export { type World, openWorld } from './world.testing.ts';
