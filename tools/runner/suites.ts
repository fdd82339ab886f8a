// Runs test files in one process, each as a suite of its own: what a file does before and after its tests, and around
// each of them, it does for its own alone. Tells how long each has had a core.

import { after, afterEach, before, beforeEach, suite } from 'node:test';
import { inspect } from 'node:util';
import { familyMs } from './core-time.ts';
import { Meter } from './meter.ts';
import { tellWithError } from './on-failure.ts';
import { followedFrom } from './ownership.ts';

/**
 * How long a test file had a core, or one test of a journey. Loading the files of a process belongs to none of them: its name is
 * empty.
 */
export type Cost = { costOf: string; test?: string; coreMs: number };

/** What Node tells after a test, and its types don't name yet. */
type Outcome = { readonly passed?: boolean; readonly error?: unknown; readonly fullName: string };

const files = JSON.parse(process.env['KURS_TEST_FILES'] ?? '[]') as string[];
// Not for the processes that tests start.
delete process.env['KURS_TEST_FILES'];

const tell = (cost: Cost): void => void process.send?.(cost);

/** Stops the file whose tests run. */
let running: AbortController | undefined;

let isLoaded = false;
/** Called before the first test: by then all files are there. */
function tellLoading(): void {
  if (isLoaded) return;
  isLoaded = true;
  stopFollowing();
  tell({ costOf: '', coreMs: familyMs() });
}

function runAsSuite(file: string): void {
  const stop = new AbortController();
  suite(file, { signal: stop.signal }, async () => {
    let begin = 0;
    before(() => {
      tellLoading();
      running = stop;
      begin = familyMs();
    });
    // Reading what others use takes too long for a small test.
    const meter = file.endsWith('.journey.ts') ? new Meter(familyMs) : undefined;
    beforeEach((context) => meter?.begins((context as Outcome).fullName));
    afterEach(async (context) => {
      const { passed, error, fullName } = context as Outcome;
      if (!passed) await tellWithError(error);
      if (meter) tell({ costOf: file, test: fullName.slice(`${file} > `.length), coreMs: meter.ends(fullName) });
    });
    await import(file);
    after(() => {
      running = undefined;
      tell({ costOf: file, coreMs: familyMs() - begin });
    });
  });
}

/** An error that nobody catches ends the file whose tests run, by its name; those after it run all the same. */
function endFile(error: unknown): void {
  process.stderr.write(`${inspect(error)}\n`);
  running?.abort(new Error('an error that nobody caught', { cause: error }));
}

const stopFollowing = await followedFrom(() => import('./closing.ts'));
process.on('uncaughtException', endFile).on('unhandledRejection', endFile);
files.forEach(runAsSuite);
