// Stands for `node:test` where mutants are tried: it collects tests, so that the same tests run again for the next mutant
// without their files, and all that those import, being loaded anew.

/** What a file has said so far: its tests, each with the suites around it and what is to be done before and after it. */
const collected = [];
const suites = [];

const last = (args) => args.findLast((each) => typeof each === 'function');

export function test(name, ...rest) {
  collected.push({ name: [...suites.map((suite) => suite.name), name].join(' › '), work: last(rest), suites: [...suites] });
}

export function describe(name, ...rest) {
  suites.push({ name, before: [], after: [] });
  last(rest)();
  suites.pop();
}

/** Suites of their own stand for what a file does before and after all of its tests. */
const file = { name: '', before: [], after: [] };
const around = () => suites.at(-1) ?? file;
export const before = (work) => void around().before.push(work);
export const after = (work) => void around().after.push(work);
export const it = (...args) => test(...args);

/** What a test is given: it tells nobody anything, and runs what is part of it at once. */
const context = { diagnostic: () => {}, test: (_name, ...rest) => last(rest)(context) };

/** Begins with the next file; gives the tests of the last one. */
export function taken() {
  const own = { ...file };
  Object.assign(file, { before: [], after: [] });
  return collected.splice(0).map((one) => ({ ...one, suites: [own, ...one.suites] }));
}

/** Runs one test with what stands around it. Throws what it throws. */
export async function run({ work, suites: around }) {
  for (const { before: all } of around) for (const each of all) await each(context);
  try {
    await work(context);
  } finally {
    for (const { after: all } of around.toReversed()) for (const each of all) await each(context);
  }
}
