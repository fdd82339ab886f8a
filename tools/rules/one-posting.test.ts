// Above payments only the unit of work posts: anyone who posts beside it posts twice in one transaction, or before its rows.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const BELOW = /^server\/(ledger|payments|node_modules)\//;
const POSTS = /import \{[^}]*\bpost\b[^}]*\} from '[./]+\/ledger\/index\.ts'/;

test('above payments only the unit of work posts', () => {
  const posting = globSync('server/**/*.ts', { cwd: ROOT })
    .filter((path) => !BELOW.test(path) && !/\.(test|testing)\.ts$|^server\/simulation\//.test(path))
    .filter((path) => POSTS.test(readFileSync(join(ROOT, path), 'utf8')));
  assert.deepEqual(posting, ['server/collecting/unit-of-work.ts']);
  assert.match(`import { type Leg, post } from '../../ledger/index.ts'`, POSTS);
});
