// What this room offers to the tests of those above it: its loops, one turn at a time, and rewards that go into the wallet.

export { fillWaiting, matureDue, settleOwed } from './work.ts';
export { toWallet as rewardsToWallet } from './take-out.ts';
