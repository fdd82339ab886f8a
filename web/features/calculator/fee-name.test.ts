// Checks that the site names price components as letters do.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

/** Keys of names on the site that differ from the contract's; all others are prefixed by `fee_`. */
const OTHERWISE: Readonly<Record<string, string>> = {
  ...{ fee: 'fee_own', fee_least: 'fee_own_least', discount: 'slip_discount' },
};
const read = <T>(path: string): T => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as T;
/** Removes the percent sign of the site's names, which letters write separately. */
const plain = (text: string | undefined): string | undefined => text?.replace(/\s?%$/, '');

test('the site names each component as letters do, in both languages', () => {
  for (const language of ['en-US', 'ru-RU']) {
    const { fees } = read<{ fees: Record<string, string> }>(`../../../contract/words/${language}.json`);
    const site = read<Record<string, string>>(`../../locales/${language}.json`);
    const { rate: _, ...names } = fees;
    assert.ok(Object.keys(names).length > 9);
    for (const [words, name] of Object.entries(names))
      assert.equal(plain(site[OTHERWISE[words] ?? `fee_${words}`]), plain(name), `${words}, ${language}`);
  }
});
