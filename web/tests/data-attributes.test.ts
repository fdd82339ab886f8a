import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const WEB = new URL('..', import.meta.url).pathname;
const FILES = globSync('{browser,features,routes,server,ui,entries,widget}/**/*.{ts,tsx}', { cwd: WEB }).filter(
  (file) => !/\.test\.tsx?$/.test(file),
);
/** `dataset['name']`, `dataset.name`, and the names of `{ name, other = '' } = field.dataset`. */
const READS = [/dataset\[['"](\w+)['"]\]/g, /dataset\.(\w+)/g];
const TAKES = /\{([^{}]*)\}\s*=\s*[\w.!?]*dataset\b/g;

const attributeOf = (name: string): string => `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Names of data attributes that a file's scripts read. */
const readBy = (text: string): string[] => [
  ...READS.flatMap((form) => [...text.matchAll(form)].map(([, name = '']) => name)),
  ...[...text.matchAll(TAKES)].flatMap(([, names = '']) => names.split(',').map((one) => /\w+/.exec(one)?.[0] ?? '')),
];

test('each data attribute that a script reads is set somewhere', () => {
  const texts = FILES.map((file) => readFileSync(`${WEB}${file}`, 'utf8'));
  const all = texts.join('\n');
  const isSet = (name: string): boolean =>
    all.includes(`${attributeOf(name)}=`) ||
    all.includes(`'${attributeOf(name)}'`) ||
    new RegExp(`dataset(\\.${name}|\\['${name}'\\])\\s*=[^=]`).test(all) ||
    new RegExp(`${attributeOf(name)}[\\s/>]`).test(all);
  const read = new Set(texts.flatMap(readBy).filter((name) => name !== ''));
  assert.ok(read.size > 5);
  assert.deepEqual([...read].filter((name) => !isSet(name)).sort(), []);
});
