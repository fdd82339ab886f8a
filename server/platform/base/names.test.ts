import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openNames } from './names.ts';

test('knows the names that rooms have defined, and no other, in alphabetical order', () => {
  const kinds = openNames('kind of fruit');
  assert.throws(() => kinds.require('apple'), /No room has defined the kind of fruit apple/);
  kinds.define('pear');
  assert.equal(kinds.define('apple'), 'apple');
  kinds.define('apple');
  kinds.require('apple');
  assert.deepEqual(kinds.all(), ['apple', 'pear']);
  assert.throws(() => kinds.require('toString'));
});
