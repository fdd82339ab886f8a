// No text in any field of a call can block the only thread.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { routes } from './routes/index.ts';

/** Maximum length of a body. The texts tempt patterns into backtracking. */
const LENGTH = 60_000;
const HOSTILE = ['a', '0', '-', ' ', 'a@', 'a.', '1.', 'A-', '\u00a0', 'aA0_-'].map(
  (part) => `${part.repeat(Math.floor(LENGTH / part.length))}!`,
);
const MAX_MS = 1_000;

test('checks a hostile text in every field of every call at once', () => {
  for (const [name, { input }] of Object.entries(routes)) {
    if (!(input instanceof z.ZodObject)) continue;
    for (const field of Object.keys(input.shape)) {
      const begin = performance.now();
      for (const text of HOSTILE) for (const value of [text, [text], { value: text }]) input.safeParse({ [field]: value });
      const took = performance.now() - begin;
      assert.ok(took < MAX_MS, `${name}.${field} took ${Math.round(took)} ms`);
    }
  }
});
