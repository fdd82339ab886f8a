import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownCurrencies } from '../../server/document/currencies.ts';
import { WORLD, WORLD_DIRECTIONS } from '../../testing/world.ts';
import { currencyOf, rowOf } from '../currency-rows.ts';
import { packPairs, unpackPairs } from './offers.ts';

test('unpacking returns the same pairs, open and closed, from less than a tenth of the size', () => {
  const pairs = (all: readonly { from: string; to: string; open: boolean }[]): string[] =>
    all.map(({ from, to, open }) => `${from} ${to} ${open}`).sort();
  const packed = packPairs(WORLD_DIRECTIONS);
  assert.deepEqual(pairs(unpackPairs(packed)), pairs(WORLD_DIRECTIONS));
  assert.ok(WORLD_DIRECTIONS.some(({ open }) => open) && WORLD_DIRECTIONS.some(({ open }) => !open));
  assert.ok(JSON.stringify(packed).length * 10 < JSON.stringify(WORLD_DIRECTIONS).length);
  assert.deepEqual(unpackPairs(packPairs([])), []);
});

test('a currency survives its row form, with or without a level for payers', () => {
  const shown = shownCurrencies([...WORLD]);
  assert.deepEqual(JSON.parse(JSON.stringify(shown.map(rowOf))).map(currencyOf), shown);
  assert.ok(shown.some(({ payerLevel }) => payerLevel !== undefined) && shown.some(({ payerLevel }) => payerLevel === undefined));
});
