// Runs test files in one process, each as a suite of its own: what a file does before and after its tests, and around
// each of them, it does for its own alone. Tells how long each has had a core.

import { after, before, suite } from 'node:test';
import './closing.ts';
import { coreMs } from './core-time.ts';

/** How long a test file had a core. Loading the files of a process belongs to none of them: its name is empty. */
export type Cost = { costOf: string; coreMs: number };

const files = JSON.parse(process.env['KURS_TEST_FILES'] ?? '[]') as string[];
// Not for the processes that tests start.
delete process.env['KURS_TEST_FILES'];

const tell = (cost: Cost): void => void process.send?.(cost);

let isLoaded = false;
/** Called before the first test: by then all files are there. */
function tellLoading(): void {
  if (!isLoaded) tell({ costOf: '', coreMs: coreMs() });
  isLoaded = true;
}

for (const file of files) {
  suite(file, async () => {
    let begin = 0;
    before(() => {
      tellLoading();
      begin = coreMs();
    });
    await import(file);
    after(() => tell({ costOf: file, coreMs: coreMs() - begin }));
  });
}
