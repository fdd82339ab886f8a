// Test support for rooms above: prizes that are won and used.

export { openBeginning } from './begin.ts';
export { openClaiming } from './claim.ts';
export { toCredit, toWallet as prizesToWallet } from './out.ts';
export { payTask } from './tasks.ts';
