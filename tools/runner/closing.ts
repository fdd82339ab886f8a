// Closes what the test files of a process share after the last of them.

import { after } from 'node:test';

const closings: (() => Promise<void>)[] = [];

/** Calls `close` after the last test of this process, in reverse order of registration. */
export function closeLast(close: () => Promise<void>): void {
  closings.push(close);
}

// Registered at the root: suites.ts imports this file before the test files.
after(async () => {
  for (const close of closings.toReversed()) await close();
});
