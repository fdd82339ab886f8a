// What tests of upper floors need of wallets.

export { type WalletWorld, as, emailOf, walletWorld } from './world.testing.ts';
