// For tests of other rooms: a rail over the HTTP interface of its sandbox counterpart.

export { type TronWorld, tronWorld } from './tron/world.testing.ts';

// And what bitcoin's own code makes of a chain in memory, by an explorer that answers badly at times.

export { type ChainInMemory, type Explorer, type ExplorerTricks, HONEST, openExplorer } from './bitcoin/explorer.testing.ts';
