// Letters write times by one function, which knows the time zone of an account. None writes a time by other means.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SERVER = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'server');
/** The file of that function. */
const HOME = 'auth/accounts/letter-times.ts';
/** Letters to the desk, whose times are UTC. */
const TO_DESK = 'alarms/notice-words.ts';
/** Names that a file uses if it writes letters. */
const WRITES_LETTERS = /\b(?:letterWords|mail\.queue|LetterContent|type Letter)\b/;
/** Ways to write a time that don't know the reader's time zone. */
const OTHERWISE =
  /\bwrite(?:Zoned)?(?:Time|Date|Clock)\b|\bDateTimeFormat\b|\.toLocale(?:Date|Time)?String\(|\.to(?:UTC|Date|Time)String\(|\.toISOString\(\)\.slice\(|\bto_char\(/;

const wrong = (text: string): boolean => WRITES_LETTERS.test(text) && OTHERWISE.test(text);

test('every letter writes its moments by the one function that knows the time zone of its reader', () => {
  const files = globSync('**/*.ts', { cwd: SERVER, exclude: (name) => name === 'node_modules' }).filter(
    (path) => !/\.(?:test|testing)\.ts$/.test(path) && path !== HOME && path !== TO_DESK,
  );
  const letters = files.filter((path) => WRITES_LETTERS.test(readFileSync(join(SERVER, path), 'utf8')));
  assert.ok(letters.length >= 10, letters.join(' '));
  assert.deepEqual(
    letters.filter((path) => wrong(readFileSync(join(SERVER, path), 'utf8'))),
    [],
  );
});

test('a letter that writes a time in UTC, or by a library, is found', () => {
  for (const otherwise of [
    'writeTime(until.toISOString(), locale)',
    'writeZonedTime(at, locale, timezone)',
    'new Intl.DateTimeFormat(locale)',
    'until.toLocaleString(locale)',
    'until.toISOString().slice(0, 10)',
    'until.toUTCString()',
  ])
    assert.ok(wrong(`mail.queue(tx, { facts: [[words('when'), ${otherwise}]] })`), otherwise);
  assert.ok(!wrong(`mail.queue(tx, { key: tx.now.toISOString(), facts: [[words('when'), at(tx.now)]] })`));
});
