import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countryName, servedCountries } from './countries.ts';

test('countries are named and sorted in the reader’s language, without those that the desk refuses', () => {
  const english = servedCountries('en', ['KP', 'IR']);
  const russian = servedCountries('ru', []);
  assert.equal(russian.length - english.length, 2);
  assert.equal(russian.length, 249);
  assert.equal(new Set(russian.map(({ code }) => code)).size, 249);
  assert.deepEqual([english[0]?.name, russian[0]?.name], ['Afghanistan', 'Австралия']);
  assert.ok(!english.some(({ code }) => code === 'KP'));
  for (const { code, name } of russian) assert.notEqual(name, code);
  assert.deepEqual([countryName('RS', 'en'), countryName('RS', 'ru')], ['Serbia', 'Сербия']);
});
