// StrykerJS's way to our tests: each file is loaded once into its process, and its tests run for one mutant after the other.
// Loading takes longest by far. What a mutant changes while a file loads gets a process of its own, which StrykerJS sees to.

import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as shim from './shim.mjs';

const SHIM = new URL('shim.mjs', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'node:test' ? { url: SHIM, shortCircuit: true } : next(specifier, context),
});

/** The place at which changed code asks which mutant is on, and notes what was gone through. */
const state = (globalThis.__stryker__ ??= {});
const SUCCESS = 0;
const FAILED = 1;

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
        shim.taken().map((one, at) => ({ ...one, id: `${file} ${at}` })),
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
      for (const one of await this.#testsOf(file)) {
        state.currentTestId = one.id;
        const begin = performance.now();
        const error = await failureOf(one);
        const timeSpentMs = performance.now() - begin;
        const told = { id: one.id, name: `${file} › ${one.name}`, timeSpentMs };
        tests.push(error === undefined ? { ...told, status: SUCCESS } : { ...told, status: FAILED, failureMessage: error });
      }
    }
    state.currentTestId = undefined;
    return { status: 'complete', tests, mutantCoverage: state.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    Object.assign(state, { activeMutant: activeMutant.id, hitCount: hitLimit === undefined ? undefined : 0, hitLimit });
    state.mutantCoverage = undefined;
    const asked = testFilter && new Set(testFilter);
    const files = asked ? this.#files.filter((file) => testFilter.some((id) => id.startsWith(`${file} `))) : this.#files;
    let nrOfTests = 0;
    for (const file of files) {
      let tests;
      try {
        tests = await this.#testsOf(file);
      } catch (error) {
        return { status: 'killed', killedBy: [testFilter?.[0] ?? file], failureMessage: String(error), nrOfTests };
      }
      for (const one of tests.filter(({ id }) => !asked || asked.has(id))) {
        nrOfTests += 1;
        const failureMessage = await failureOf(one);
        if (hitLimit !== undefined && state.hitCount > hitLimit) return { status: 'timeout', reason: 'it went on for ever' };
        if (failureMessage !== undefined) return { status: 'killed', killedBy: [one.id], failureMessage, nrOfTests };
      }
    }
    return { status: 'survived', nrOfTests };
  }
}

async function failureOf(one) {
  try {
    await shim.run(one);
    return undefined;
  } catch (error) {
    return String(error?.message ?? error);
  }
}

const create = (options) => new Runner(options);
create.inject = ['options'];

export const strykerPlugins = [{ kind: 'TestRunner', name: 'pure', factory: create }];
export const strykerValidationSchema = { properties: { pure: { type: 'object' } } };
