// For tests of other rooms: a rail over the HTTP interface of its sandbox counterpart.

export { type TronWorld, tronWorld } from './tron/world.testing.ts';
