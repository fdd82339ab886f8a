// Comments are plain English: they begin with the subject or the verb, and use no phrase that a reader must decode.
// `plain-english.json` counts the comments that are still to be rewritten. A count may only shrink: after rewriting some, run
// this file with `--write`, which lowers the counts and never raises one.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const TABLE = join(import.meta.dirname, 'plain-english.json');
const COMMENT = /^\s*(?:\{?\/\*\*?|\*|\/\/|--)\s|\s\/\/ /;
const OPENING = /^\s*(?:\{?\/\*\*?|\*|\/\/|--) (?:What|Whether|Whose|Who|Whom|Where|Which|So many|So long|How|That|As far|Of) /;

type Counts = Record<string, number>;
/** Openings are counted by room, outside tests; phrases (regular expressions) in all comments. */
type Table = { openings: Counts; phrases: Counts };
type SourceFile = { path: string; text: string };

function readSources(): SourceFile[] {
  const listed = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.sql'], { cwd: ROOT, encoding: 'utf8' });
  return listed
    .split('\n')
    .filter((path) => path !== '')
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

const roomOf = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('server/') ? 2 : 1)
    .join('/');

/** Counts comment lines that begin with a clause, by room. Rooms without any are left out. */
function countOpenings(files: SourceFile[]): Counts {
  const rooms = files
    .filter(({ path }) => !path.endsWith('.test.ts'))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .filter((line) => OPENING.test(line))
        .map(() => roomOf(path)),
    );
  return Object.fromEntries([...Map.groupBy(rooms.sort(), (room) => room)].map(([room, lines]) => [room, lines.length]));
}

/** Counts each phrase in comments. Lines of a comment are joined first, so that a line break hides no phrase. */
function countPhrases(files: SourceFile[], phrases: string[]): Counts {
  const comments = files.flatMap(({ text }) =>
    text
      .split('\n')
      .filter((line) => COMMENT.test(line))
      .map((line) => line.replace(/^.*?(?:\/\*\*?|\*|\/\/|--)\s+/, '')),
  );
  const joined = comments.join(' ');
  return Object.fromEntries(
    phrases.map((phrase) => [phrase, joined.match(new RegExp(`\\b(?:${phrase})\\b`, 'gi'))?.length ?? 0]),
  );
}

/** Describes each count that differs from the table, and what to do about it. */
function differences(counted: Counts, allowed: Counts): string[] {
  return [...new Set([...Object.keys(counted), ...Object.keys(allowed)])].flatMap((name) => {
    const [now, most] = [counted[name] ?? 0, allowed[name] ?? 0];
    if (now === most) return [];
    return now > most
      ? [`${name}: ${now} comments, at most ${most}: rewrite the new ones (docs/style.md)`]
      : [`${name}: ${now} comments are left of ${most}: node tools/rules/plain-english.test.ts --write`];
  });
}

const sources = readSources();
const table = JSON.parse(readFileSync(TABLE, 'utf8')) as Table;
const openings = countOpenings(sources);
const phrases = countPhrases(sources, Object.keys(table.phrases));

if (process.argv.includes('--write')) {
  const lower = (counted: Counts, allowed: Counts): Counts =>
    Object.fromEntries(
      Object.entries(allowed)
        .map(([name, max]): [string, number] => [name, Math.min(max, counted[name] ?? 0)])
        .filter(([, left]) => left > 0 || allowed === table.phrases),
    );
  const lowered: Table = { openings: lower(openings, table.openings), phrases: lower(phrases, table.phrases) };
  writeFileSync(TABLE, `${JSON.stringify(lowered, null, 2)}\n`);
} else {
  test('no new comment begins with a clause', () => {
    assert.deepEqual(differences(openings, table.openings), []);
  });

  test('no new comment uses a banned phrase', () => {
    assert.deepEqual(differences(phrases, table.phrases), []);
  });
}

test('a clause at the beginning is counted in comments of code and SQL, and only there', () => {
  const text = [
    '/** What it is. */',
    ' * Whether so.',
    '  // Where it goes.',
    '-- Of these.',
    "const a = 'x'; // Who else",
    'What if',
  ];
  const file = (path: string) => ({ path, text: text.join('\n') });
  assert.deepEqual(countOpenings([file('server/a/b.ts'), file('money/c.ts'), file('money/c.test.ts')]), {
    money: 4,
    'server/a': 4,
  });
});

test('a phrase is counted across lines of a comment, and not in code', () => {
  const text = ['/**', ' * It stops by', ' * itself.', ' */', "say('by itself');", 'run(); // By itself, too'].join('\n');
  assert.deepEqual(countPhrases([{ path: 'a.ts', text }], ['by itself']), { 'by itself': 2 });
});

test('a count that grows is refused, and one that shrinks must be lowered in the table', () => {
  assert.deepEqual(differences({ a: 2, b: 1, c: 3, d: 1 }, { a: 1, b: 2, c: 3, e: 1 }), [
    'a: 2 comments, at most 1: rewrite the new ones (docs/style.md)',
    'b: 1 comments are left of 2: node tools/rules/plain-english.test.ts --write',
    'd: 1 comments, at most 0: rewrite the new ones (docs/style.md)',
    'e: 0 comments are left of 1: node tools/rules/plain-english.test.ts --write',
  ]);
});
