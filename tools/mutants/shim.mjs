// Stands in for `node:test` during mutation testing. It collects the tests of a file, so that the runner can run them for each
// mutant without loading the file and its imports again.

const { mock } = process.getBuiltinModule('node:test');

const HOOKS = ['before', 'after', 'beforeEach', 'afterEach'];
const suiteOf = (name) => ({ name, ...Object.fromEntries(HOOKS.map((hook) => [hook, []])) });

/** The tests that the file being loaded has defined so far, each with the suites around it. */
const collected = [];
/** The suites around the line that runs now, the file's own first. */
let suites = [suiteOf('')];

const lastFunction = (args) => args.findLast((each) => typeof each === 'function');
const isSkipped = (args) => args.some((each) => each?.skip);

export function test(name, ...rest) {
  if (isSkipped(rest)) return;
  const names = suites.slice(1).map((suite) => suite.name);
  collected.push({ name: [...names, name].join(' › '), work: lastFunction(rest), suites });
}

export function describe(name, ...rest) {
  const outer = suites;
  suites = [...outer, suiteOf(name)];
  lastFunction(rest)();
  suites = outer;
}

export const it = (...args) => test(...args);
export const before = (work) => void suites.at(-1).before.push(work);
export const after = (work) => void suites.at(-1).after.push(work);
export const beforeEach = (work) => void suites.at(-1).beforeEach.push(work);
export const afterEach = (work) => void suites.at(-1).afterEach.push(work);
export { mock };

/** Returns the tests of the file that was just loaded, and makes room for the next file. */
export function takeTests() {
  suites = [suiteOf('')];
  return collected.splice(0);
}

/** The context of a test. Subtests run at once; diagnostics go nowhere. */
function contextOf(name, cleanups) {
  const context = { name, mock, diagnostic: () => {}, after: (work) => void cleanups.push(work) };
  context.test = async (inner, ...rest) => {
    if (!isSkipped(rest)) await lastFunction(rest)({ ...context, name: inner });
  };
  return context;
}

/** Runs tests of one file in their order. `before` and `after` of a suite run once for all of its tests. */
export function openFile() {
  let open = [];

  async function leaveFor(wanted) {
    const left = open.filter((each) => !wanted.includes(each));
    open = open.filter((each) => wanted.includes(each));
    for (const { after } of left.toReversed()) for (const each of after) await each(contextOf('', []));
  }

  return {
    /** Runs the `before` hooks of the suites around a test, where they have not run yet. */
    async enter(one) {
      await leaveFor(one.suites);
      for (const each of one.suites.filter((wanted) => !open.includes(wanted))) {
        open.push(each);
        for (const hook of each.before) await hook(contextOf('', []));
      }
    },
    /** Runs one test between its `beforeEach` and `afterEach` hooks. Throws what it throws. */
    async run({ name, work, suites: around }) {
      const cleanups = [];
      const context = contextOf(name, cleanups);
      try {
        for (const { beforeEach: hooks } of around) for (const hook of hooks) await hook(context);
        await work(context);
      } finally {
        for (const cleanup of cleanups) await cleanup(context);
        for (const { afterEach: hooks } of around.toReversed()) for (const hook of hooks) await hook(context);
        mock.restoreAll();
      }
    },
    /** Runs the `after` hooks of all suites that were entered. */
    leave: () => leaveFor([]),
  };
}
