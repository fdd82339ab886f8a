import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeJson, jsonPieces } from './pieces.ts';

const EVIL = '</script><script>alert(1)</script><!-- \u2028 \u2029';

test('data in a page ends no element and no line of a script, in values, names and lists, and reads back as it was', () => {
  const data = { [EVIL]: { [EVIL]: [EVIL, { [EVIL]: EVIL }], text: EVIL }, list: [EVIL], plain: EVIL };
  const pieces = jsonPieces(data)
    .map((piece) => (typeof piece === 'string' ? piece : Buffer.from(piece).toString('utf8')))
    .join('');
  for (const written of [escapeJson(data), pieces]) {
    assert.doesNotMatch(written, /[<\u2028\u2029]/);
    assert.deepEqual(JSON.parse(written), data);
  }
});
