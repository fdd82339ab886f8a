// Runs test files in one process, each as a suite of its own: hooks at the root of a file apply to its own tests alone.
// `node tools/runner/suites.ts <absolute paths>`

import { afterEach, suite } from 'node:test';
// Its hook at the root comes before those of the files.
import './closing.ts';
import { addWitnesses } from './on-failure.ts';

/** Fields of the context after a test, which Node's types lack. */
type Outcome = { readonly passed?: boolean; readonly error?: unknown };

// Taken out of the arguments, which tests may read.
const files = process.argv.splice(2);

for (const file of files) {
  suite(file, async () => {
    afterEach(async (context) => {
      const { passed, error } = context as Outcome;
      if (!passed) await addWitnesses(error);
    });
    await import(file);
  });
}
