// For tests of other rooms: a rail over the HTTP interface of its sandbox counterpart.

export { type TronWorld, tronWorld } from './tron/world.testing.ts';

// And what bitcoin's own code makes of a chain in memory, by an explorer that answers badly at times.

export { type ChainInMemory, type Explorer, type ExplorerTricks, HONEST, openExplorer } from './bitcoin/explorer.testing.ts';

// And the rails of chains beside their counterparts, as several processes may open them.

export { type EvmWorld, SEED, evmWorld } from './evm/world.testing.ts';
export { evmPublicKeys, evmRail } from './evm/index.ts';
export { bitcoinWorld } from './bitcoin/world.testing.ts';
export { tronPublicKeys, tronRail } from './tron/index.ts';

// And providers beside their counterparts.

export * from './providers.testing.ts';
