// No counter that a stranger can fill stops its owner: a table of docs/security-tests.md lists each counter of the product, with
// its subject and its effect when it is full.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Forms in which the code names counters: an event that is counted, or codes that are counted together. */
const NAMED = [
  /\b(?:limit|limitNetwork|limitDevice)\(\s*(?<key>'[^']*'|`[^`]*`)/g,
  /\bpressureOf\(\s*(?:limit|limitNetwork|limitDevice),\s*(?<key>'[^']*'|`[^`]*`)/g,
  /\bcountedAs(?::| =) (?<key>`[^`]*`)/g,
];
const CALLED = [/\b(?:limit|limitNetwork|limitDevice)\((?![:)])/g, /\bpressureOf\((?!count)/g];
/** Subjects of a counter that stops somebody: only proven identities fill it. */
const SHOWN = /^(a session|an account|an order, by its secret|a ticket, by its secret|a refund, by its secret|a Google account)/;

interface Row {
  readonly key: string;
  readonly whose: string;
  readonly full: string;
}

const plain = (key: string): string => key.slice(1, -1).replaceAll(/\$\{[^}]*\}/g, '*');

function namedIn(text: string): string[] {
  return NAMED.flatMap((form) => [...text.matchAll(form)].map(({ groups }) => plain(groups?.['key'] ?? '')));
}

const files = globSync('server/**/*.ts', { cwd: ROOT }).filter((file) => !/\.test\.|testing/.test(file));
const sources = files.map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));

const section = /## What is counted, and for whom\n([\s\S]*?)\n## /.exec(
  readFileSync(join(ROOT, 'docs/security-tests.md'), 'utf8'),
);
const rows: Row[] = [...(section?.[1] ?? '').matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, key = '', whose = '', full = '']) => ({ key, whose: whose.trim(), full: full.trim() }),
);

test('every counter stands in the table, and no other', () => {
  const inCode = new Set(sources.flatMap(({ text }) => namedIn(text)));
  assert.deepEqual(rows.map(({ key }) => key).toSorted(), [...inCode].toSorted());
});

test('no counter has a name that is put together elsewhere', () => {
  for (const { file, text } of sources) {
    if (/platform\/http\/(calls|request-context|callers\/limits)\.ts$|auth\/pressure\.ts$/.test(file)) continue;
    const called = CALLED.flatMap((form) => [...text.matchAll(form)]).length;
    const named = NAMED.slice(0, 2).flatMap((form) => [...text.matchAll(form)]).length;
    assert.equal(named, called, `${file} counts something whose name is not to be read there`);
  }
});

test('what stops somebody is their own by what they have shown, or of their network', () => {
  for (const { key, whose, full } of rows) {
    if (full.startsWith('stops')) assert.ok(SHOWN.test(whose) || /^a network(:|$)/.test(whose), `${key} stops ${whose}`);
    else assert.match(full, /^(costs more|asks for a robot check)/, key);
  }
});
