// Helpers for tests of higher rooms.

export { dueDeposits } from './apply/due-deposits.ts';
export { type WalletWorld, as, emailOf, walletWorld } from './scenarios/world.testing.ts';
