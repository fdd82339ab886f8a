// Rules are cited in words: no code of a list outside the repository appears in code, comments or documents, and no document
// outside it is cited. docs/money-rules.md has the rules of money.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Applied migrations never change. The others hold no text of ours. */
const NOT_OURS =
  /^server\/migrations\/|package-lock\.json$|\/fixtures\/|^sandbox\/paypal\/openapi\/|^sandbox\/google\/client\.js$/;
/** Generated folders, which are in no clone. */
const isMade = (path: string): boolean => /(^|\/)(node_modules|dist|paraglide|mutants\/\.[\w-]+)$/.test(path);
const TEXTS = /\.(ts|tsx|mjs|cjs|js|json|css|md|sql|patch)$/;
/** A letter and a number as in earlier codes of rules: A2, B12, C5, D8, G3, I4, M1, O4u, P12, V1, W3. */
const CODE =
  /(?<![\w%=/:.#'"-])(?:A(?:[1-9]|1[0-2])|B(?:[1-9]|1[0-7])|C(?:[1-9]|10)|D[1-9]|G[1-4]r?|I(?:[1-9]|10)|M[0-8]r?|O(?:1|[3-9]|1[0-2])[a-z]?|P(?:[1-9]|1[0-3])|V[12]|W[1-6])(?![\w-]|\.\d)/g;
/** A code as a complete text, or called: the name of a posting. */
const POSTING = /(['"`])O(?:1|[3-9]|1[0-2])[a-z]?\1|\bO(?:1|[3-9]|1[0-2])[a-z]?\(/g;
/** A chapter of a document. Public standards are named beside their chapters. */
const CHAPTER = /§\s?\d/;
const STANDARD = /RFC \d|WHATWG|W3C|ISO \d|ITU-T/;
/** Names of documents. A name without a file of ours is an outside document. */
const DOCUMENT = /(?<![\w/.'-])[a-z][a-z-]*\.md\b/g;

/** Codes that mean something else, each with where and why. */
const MEANS_ELSE: readonly [path: RegExp, text: RegExp][] = [
  // Cells of a sheet.
  [/^server\/platform\/files\/(csv|xlsx)(-readers)?(\.test)?\.ts$/, /^[A-D]\d$/],
  // Paths of pictures begin with a move.
  [/^web\//, /^M0$/],
  // A size of paper.
  [/^web\/print-browser\.test\.ts$/, /^A4$/],
];

const paths = globSync(['*', '{bench,contract,docs,e2e,money,sandbox,server,tools,web}/**/*'], {
  cwd: ROOT,
  exclude: isMade,
}).filter((path) => TEXTS.test(path) && !NOT_OURS.test(path));
const documents = new Set(paths.filter((path) => path.endsWith('.md')).map((path) => basename(path)));

/** Returns codes of rules, and documents outside the repository, that a line of a file cites. */
function citedIn(path: string, line: string): string[] {
  const isElse = (text: string): boolean => MEANS_ELSE.some(([where, what]) => where.test(path) && what.test(text));
  const codes = [...line.matchAll(CODE), ...line.matchAll(POSTING)].map(([text]) => text).filter((text) => !isElse(text));
  const gone = [...line.matchAll(DOCUMENT)].map(([name]) => name).filter((name) => !documents.has(name));
  const chapters = CHAPTER.test(line) && !STANDARD.test(line) ? ['§'] : [];
  return [...codes, ...gone, ...chapters];
}

test('no rule is cited by a code, and no document that isn’t here', () => {
  assert.ok(paths.length > 1_000);
  const wrong = paths
    .filter((path) => path !== 'tools/rules/rule-codes.test.ts')
    .flatMap((path) =>
      readFileSync(join(ROOT, path), 'utf8')
        .split('\n')
        .flatMap((line, at) => citedIn(path, line).map((text) => `${path}:${at + 1} ${text}: ${line.trim().slice(0, 80)}`)),
    );
  assert.deepEqual(wrong, []);
});

test('codes and missing documents are found', () => {
  const found = (line: string): string[] => citedIn('server/exchange/order/order.ts', line);
  assert.deepEqual(found('/** Whether a payment keeps the rate (A5): made in time. */'), ['A5']);
  assert.deepEqual(found('// What B4 finds wrong; and O4u, P12, W3.'), ['B4', 'O4u', 'P12', 'W3']);
  assert.deepEqual(found("  row(['seen'], 'cancel', ['O1r']),"), ["'O1r'"]);
  assert.deepEqual(found('  draft.post(O4u(order));'), ['O4u', 'O4u(']);
  assert.deepEqual(found('// One posting (money.md §3).'), ['money.md', '§']);
  assert.deepEqual(found('// RFC 9562 §5.7, docs/money-rules.md, IPv4, 0xA1, T9, H100'), []);
  assert.deepEqual(citedIn('web/brand/mark.ts', '<path d="M0 0h7v1h-7z"/>'), []);
});
