// Alarms of payments name the payment system, so that their reader knows where to check.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');

/** Alarms that are about no single payment system, by their words. */
const OF_NONE: ReadonlySet<string> = new Set([
  'RESTORED_ALARM',
  'payment event could not be posted',
  'a payout’s voucher can’t be decrypted: is a key of the server missing?',
  'the signer’s journal can’t be written: nothing is signed until it can',
]);

test('each alarm of payments names its rail', () => {
  const nameless = globSync('server/{payments,rails,signing}/**/*.ts', { cwd: ROOT })
    .filter((file) => !/\.(test|testing)\.ts$/.test(file))
    .flatMap((file) =>
      [
        ...readFileSync(join(ROOT, file), 'utf8').matchAll(/log\.alarm\(\s*(?:'(?<words>[^']*)'|(?<name>\w+))(?<fields>[^;]*);/g),
      ].flatMap(({ groups: { words, name, fields } = {} }) =>
        OF_NONE.has(words ?? name ?? '') || /\brail\b|\babout\b/.test(fields ?? '') ? [] : [`${file}: ${words ?? name}`],
      ),
    );
  assert.deepEqual(nameless, []);
});
