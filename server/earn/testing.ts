// What this room offers to the tests of those above it: prizes that are won and go on.

export { openBeginning } from './begin.ts';
export { openClaiming } from './claim.ts';
export { toCredit, toWallet as prizesToWallet } from './out.ts';
export { payTask } from './tasks.ts';
