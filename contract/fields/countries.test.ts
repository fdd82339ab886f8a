import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COUNTRIES, isCountry } from './countries.ts';

test('the list has the 249 countries of ISO 3166-1, each with a name, and no other region', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  assert.equal(new Set(COUNTRIES).size, 249);
  assert.deepEqual([...COUNTRIES].sort(), COUNTRIES);
  assert.deepEqual(
    COUNTRIES.filter((code) => names.of(code) === undefined),
    [],
  );
  for (const region of ['EU', 'UK', 'XK', 'ZZ', 'AN', 'SU']) assert.equal(isCountry(region), false, region);
});
