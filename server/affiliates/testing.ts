// Test support for rooms above: this room's loops, one turn at a time, and rewards moved into the wallet.

export { fillWaiting, matureDue, settleOwed } from './work.ts';
export { toWallet as rewardsToWallet } from './take-out.ts';
