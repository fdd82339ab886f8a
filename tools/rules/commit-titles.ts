// The titles of the commits that a branch adds: `room: what changes`, at most 72 characters. `npm test` and `npm run check`
// read those that origin/main, or else main, doesn't have; where there is no git, or nothing to compare with, there is nothing
// to read.

import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const LONGEST = 72;

/** What is wrong with a title, in words; undefined where it is as it should be. */
export function titleFlaw(title: string): string | undefined {
  if (!/^[a-z][a-z0-9-]*: \S/.test(title)) return 'does not begin with its room: `room: what changes`';
  const { length } = [...title];
  return length > LONGEST ? `has ${length} characters, at most ${LONGEST}` : undefined;
}

/** The titles of the commits of the tree at `root` that its main branch doesn't have, merges left out. None without git. */
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
