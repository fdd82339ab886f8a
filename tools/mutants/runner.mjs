// StrykerJS's test runner for our tests. A process loads each test file once and runs its tests for one mutant after the
// other, as loading takes longest by far. A mutant that acts while a file loads gets a process of its own from StrykerJS.

import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as shim from './shim.mjs';

const SHIM = new URL('shim.mjs', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'node:test' ? { url: SHIM, shortCircuit: true } : next(specifier, context),
});

/** StrykerJS's variables in the mutated code: the active mutant, and what the code has run through. */
const state = (globalThis.__stryker__ ??= {});
const SUCCESS = 0;
const FAILED = 1;
/** Coverage of `before` and `after` hooks is collected under this name. It then counts for each test of the file. */
const IN_HOOKS = 'hooks';

const messageOf = (error) => String(error?.message ?? error);

class Runner {
  #files;
  #loaded = new Map();

  constructor(options) {
    this.#files = options.pure.testFiles;
  }

  capabilities() {
    return { reloadEnvironment: false };
  }

  async #testsOf(file) {
    if (!this.#loaded.has(file)) {
      await import(pathToFileURL(resolve(file)).href);
      this.#loaded.set(
        file,
        shim.takeTests().map((one, at) => ({ ...one, id: `${file} ${at}` })),
      );
    }
    return this.#loaded.get(file);
  }

  async dryRun() {
    state.activeMutant = undefined;
    state.hitCount = state.hitLimit = undefined;
    state.mutantCoverage = { static: {}, perTest: {} };
    const tests = [];
    for (const file of this.#files) {
      state.currentTestId = undefined;
      const own = await this.#testsOf(file);
      const results = [];
      const failed = await runTests(own, (one, error, timeSpentMs) => {
        const result = { id: one.id, name: `${file} › ${one.name}`, timeSpentMs };
        results.push(error === undefined ? { ...result, status: SUCCESS } : { ...result, status: FAILED, failureMessage: error });
        return true;
      });
      if (failed !== undefined)
        results.push({ id: `${file} hooks`, name: file, timeSpentMs: 0, status: FAILED, failureMessage: failed });
      countHooksFor(own);
      tests.push(...results);
    }
    state.currentTestId = undefined;
    return { status: 'complete', tests, mutantCoverage: state.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    Object.assign(state, { activeMutant: activeMutant.id, hitCount: hitLimit === undefined ? undefined : 0, hitLimit });
    state.mutantCoverage = undefined;
    const wanted = testFilter && new Set(testFilter);
    const files = wanted ? this.#files.filter((file) => testFilter.some((id) => id.startsWith(`${file} `))) : this.#files;
    let nrOfTests = 0;
    for (const file of files) {
      let tests;
      try {
        tests = await this.#testsOf(file);
      } catch (error) {
        return { status: 'killed', killedBy: [testFilter?.[0] ?? file], failureMessage: messageOf(error), nrOfTests };
      }
      const own = tests.filter(({ id }) => !wanted || wanted.has(id));
      let killed;
      const failed = await runTests(own, (one, failureMessage) => {
        nrOfTests += 1;
        if (failureMessage !== undefined) killed = { status: 'killed', killedBy: [one.id], failureMessage };
        return killed === undefined && !(hitLimit !== undefined && state.hitCount > hitLimit);
      });
      if (hitLimit !== undefined && state.hitCount > hitLimit) return { status: 'timeout', reason: 'it went on for ever' };
      if (killed) return { ...killed, nrOfTests };
      if (failed !== undefined) return { status: 'killed', killedBy: [own[0].id], failureMessage: failed, nrOfTests };
    }
    return { status: 'survived', nrOfTests };
  }
}

/**
 * Runs tests of one file with their hooks, and reports each with its error until `report` returns false. Returns why an
 * `after` hook failed.
 */
async function runTests(tests, report) {
  const file = shim.openFile();
  for (const one of tests) {
    const begin = performance.now();
    const error = await failureOf(file, one);
    if (!report(one, error, performance.now() - begin)) break;
  }
  state.currentTestId = IN_HOOKS;
  return file.leave().then(() => undefined, messageOf);
}

async function failureOf(file, one) {
  try {
    state.currentTestId = IN_HOOKS;
    await file.enter(one);
    state.currentTestId = one.id;
    await file.run(one);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Counts what the hooks of a file ran through for each of its tests. */
function countHooksFor(tests) {
  const { perTest } = state.mutantCoverage;
  const inHooks = perTest[IN_HOOKS] ?? {};
  delete perTest[IN_HOOKS];
  for (const { id } of tests) {
    perTest[id] ??= {};
    for (const [mutant, count] of Object.entries(inHooks)) perTest[id][mutant] = (perTest[id][mutant] ?? 0) + count;
  }
}

const create = (options) => new Runner(options);
create.inject = ['options'];

export const strykerPlugins = [{ kind: 'TestRunner', name: 'pure', factory: create }];
export const strykerValidationSchema = { properties: { pure: { type: 'object' } } };
