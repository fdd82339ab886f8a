// What tests of upper floors need of wallets.

export { dueDeposits } from './apply/due-deposits.ts';
export { type WalletWorld, as, emailOf, walletWorld } from './scenarios/world.testing.ts';
