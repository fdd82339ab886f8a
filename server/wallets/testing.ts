// What tests of upper floors need of wallets.

export { dueDeposits } from './due-deposits.ts';
export { type WalletWorld, as, emailOf, walletWorld } from './world.testing.ts';
