// In-memory rail for the tests of other rooms, the simulation and the bench. No process of the product loads it.

export { type MemoryRail, openMemoryRail } from './memory-rail.ts';
export type { Call, Fault, MemoryTx } from './memory-world.ts';
