// Exports for tests of other rooms. Tron's rail with its sandbox counterpart, over HTTP.

export { type TronWorld, tronWorld } from './tron/world.testing.ts';

// Bitcoin's rail with a chain in memory, over an explorer that can give wrong answers.

export { type ChainInMemory, type Explorer, type ExplorerTricks, HONEST, openExplorer } from './bitcoin/explorer.testing.ts';

// Rails of chains with their counterparts; several processes may open them.

export { type EvmWorld, SEED, evmWorld } from './evm/world.testing.ts';
export { evmPublicKeys, evmRail } from './evm/index.ts';
export { bitcoinWorld } from './bitcoin/world.testing.ts';
export { tronPublicKeys, tronRail } from './tron/index.ts';

// Providers with their counterparts.

export * from './providers.testing.ts';
