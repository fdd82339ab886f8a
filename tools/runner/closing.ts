// What the test files of a process share is closed when all of them are over.

import { after } from 'node:test';

const closings: (() => Promise<void>)[] = [];

/** Has something closed after the last test of this process, what was opened last first. */
export function closeLast(close: () => Promise<void>): void {
  closings.push(close);
}

// At the root: who loads test files as suites (suites.ts) loads this before them.
after(async () => {
  for (const close of closings.toReversed()) await close();
});
