// Explores every sequence of events of an invoice in wider worlds than invoice.exhaustive.test.ts.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { explore } from './exploration.testing.ts';
import { WIDE, worldWords } from './invoice-worlds.testing.ts';

describe('an invoice with its payments, in wide worlds', { timeout: 900_000 }, () => {
  for (const world of WIDE)
    test(worldWords(world), (t) => {
      const found = explore(world);
      t.diagnostic(`${found.nodes} nodes`);
      assert.equal(found.fault, undefined);
    });
});
