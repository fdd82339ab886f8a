// Only a provider's own folder and the lists of providers and units name it. Others know it by data, or by a fact of its rail.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
/** Files that list providers and their units. */
const LISTS = ['server/rails/providers.ts', 'money/units.ts'];

/** Pages and rules about one provider, whose name people know. */
const ABOUT: Readonly<Record<string, RegExp>> = {
  // It can be taken back and has pages of its own. A reference that only PayPal gives is named where it is read.
  paypal:
    /^(web\/|server\/(compliance\/settings|gate\/(settings|businesses\/reversible)|terminal\/commands\/desk-businesses|exchange\/order\/order|rails\/rail|bin\/seed\/directions)\.ts|server\/payments\/(payins\/webhook|rails\/(settings|written-money))\.ts)/,
  // Its vouchers have a page.
  perfectmoney: /^web\/routes\//,
};

const files = ['server', 'contract', 'web', 'money'].flatMap((room) =>
  globSync(`${room}/**/*.{ts,tsx}`, {
    cwd: ROOT,
    exclude: (path) => /node_modules|(^|\/)(dist|paraglide|tests|testing)$/.test(String(path)),
  }),
);
const product = files.filter((path) => !LISTS.includes(path) && !/\.(test|testing|contract)\.ts/.test(path));

/** The folders of rails that are providers. */
const PROVIDERS = globSync('server/rails/*/index.ts', { cwd: ROOT })
  .filter((path) => /^export const provider\b/m.test(readFileSync(join(ROOT, path), 'utf8')))
  .map((path) => path.split('/').at(-2)!);

test('the providers were found', () => assert.ok(PROVIDERS.length >= 7, PROVIDERS.join()));

for (const name of PROVIDERS)
  test(`${name} is named nowhere but in its folder and the lists`, () => {
    const naming = product.filter(
      (path) =>
        !path.startsWith(`server/rails/${name}/`) &&
        !ABOUT[name]?.test(path) &&
        readFileSync(join(ROOT, path), 'utf8').toLowerCase().includes(name),
    );
    assert.deepEqual(naming, []);
  });

test('every product file is looked at', () => assert.ok(product.length > 700, String(product.length)));
