// What this room offers to the tests of those above it: its loops, one turn at a time.

export { fillWaiting, matureDue, settleOwed } from './work.ts';
