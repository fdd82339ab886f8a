// Runs test files in one process, each as a suite of its own: hooks at the root of a file apply to its own tests alone.
// `node tools/runner/suites.ts <absolute paths>`

import { afterEach, suite } from 'node:test';
import { closeAll } from './closing.ts';
import { addWitnesses } from './on-failure.ts';

/** Fields of the context after a test, which Node's types lack. */
type Outcome = { readonly passed?: boolean; readonly error?: unknown };

// Taken out of the arguments, which tests may read.
const files = process.argv.splice(2);

for (const file of files) {
  // One after the other: of two files that wait for the same module, one would define its tests in the suite of the other.
  await suite(file, async () => {
    afterEach(async (context) => {
      const { passed, error } = context as Outcome;
      if (!passed) await addWitnesses(error);
    });
    await import(file);
  });
}
await closeAll();
