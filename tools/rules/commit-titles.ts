// Checks titles of commits: `room: verb object`, at most 72 characters. `npm test` and `npm run check` read the commits that
// a branch adds to origin/main, or else to main. Without git or such a branch they read none.

import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const LONGEST = 72;

/** Verbs that may begin a title, in the imperative: "If applied, this commit will …". Add one that is missing. */
const VERBS = new Set(
  `
  accept add adjust align allow answer apply approve assert attach attribute avoid batch begin bind block book bound
  bring bump cache call cancel cap change charge check choose clarify clean clear close collect combine compare compress
  compute confirm convert copy correct count cover cut decide declare define delay delete deliver derive describe detect
  disable document download draw drop enable encode encrypt end enforce ensure escape exclude expect expire explain
  export extend extract fail fetch fill find fit fix format freeze generate give group guard handle hash hide hold ignore
  import improve include index inline insert install join keep leave let limit link list load lock log lower mail make
  mark match measure merge migrate move name narrow note notify offer omit open order parse pass pause pay pin place
  plan plant poll post prevent price print process prove provide publish put query queue raise read rebuild receive
  recognize reconcile record reduce refresh refund refuse register reject remove rename render renew repair replace
  report request require reserve reset resolve restart restore restrict retry return reuse reverse revert revoke rewrite
  rotate round route run save say scan schedule screen seal search select send separate serve set settle share shorten
  show sign simplify skip sort specify speed split start state stop store stream style subscribe support suspend sweep
  switch take test throw tie time track translate treat trim try type unify update upgrade use validate verify wait warn
  watch widen withdraw wrap write
  `
    .trim()
    .split(/\s+/),
);

/** Returns the first fault of a title, in words, or undefined if it has none. */
export function titleFlaw(title: string): string | undefined {
  const [, verb] = /^[a-z][a-z0-9-]*: (\S+)/.exec(title) ?? [];
  if (verb === undefined) return 'does not begin with its room: `room: verb object`';
  if (!VERBS.has(verb)) return `does not begin with a verb of tools/rules/commit-titles.ts: "${verb}"`;
  const { length } = [...title];
  return length > LONGEST ? `has ${length} characters, at most ${LONGEST}` : undefined;
}

/** Returns the titles of commits at `root` that its main branch lacks, without merges. Returns none if there is no git. */
export function titlesAdded(root: string): string[] {
  const git = (...args: string[]): string | undefined => {
    try {
      return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    } catch {
      return undefined;
    }
  };
  const main = ['origin/main', 'main'].find((name) => git('rev-parse', '--verify', '--quiet', `${name}^{commit}`) !== undefined);
  const log = main === undefined ? undefined : git('log', '--no-merges', '--format=%s', `${main}..HEAD`);
  return (log ?? '').split('\n').filter((title) => title !== '');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const title of titlesAdded(dirname(dirname(import.meta.dirname)))) {
    const flaw = titleFlaw(title);
    if (flaw === undefined) continue;
    console.error(`"${title}" ${flaw}`);
    process.exitCode = 1;
  }
}
