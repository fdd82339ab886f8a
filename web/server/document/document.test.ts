import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeJson } from './document.ts';

const EVIL = '</script><script>alert(1)</script><!-- \u2028 \u2029';

test('JSON in a page can end neither its script element nor a line, and parses to the same value', () => {
  const data = { [EVIL]: { [EVIL]: [EVIL, { [EVIL]: EVIL }], text: EVIL }, list: [EVIL], plain: EVIL };
  const written = escapeJson(data);
  assert.doesNotMatch(written, /[<\u2028\u2029]/);
  assert.deepEqual(JSON.parse(written), data);
});
