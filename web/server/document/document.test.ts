import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeJson } from './document.ts';

const EVIL = '</script><script>alert(1)</script><!-- \u2028 \u2029';

test('data in a page ends no element and no line of a script, in values, names and lists, and reads back as it was', () => {
  const data = { [EVIL]: { [EVIL]: [EVIL, { [EVIL]: EVIL }], text: EVIL }, list: [EVIL], plain: EVIL };
  const written = escapeJson(data);
  assert.doesNotMatch(written, /[<\u2028\u2029]/);
  assert.deepEqual(JSON.parse(written), data);
});
