// Helpers that wallets offer to tests of upper floors.

export { dueDeposits } from './apply/due-deposits.ts';
export { type WalletWorld, as, emailOf, walletWorld } from './scenarios/world.testing.ts';
