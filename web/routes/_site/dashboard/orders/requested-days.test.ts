import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDays } from './requested-days.ts';

test('a last day before the first is reported at its field, and not requested', () => {
  assert.deepEqual(readDays({ from: '11/22/2026', to: '21.11.2026' }), {
    days: { from: '2026-11-22' },
    wrongDays: { to: 'order' },
  });
});

test('requests a single day, the same day twice, and days in order', () => {
  assert.deepEqual(readDays({ from: '', to: '11/22/2026' }), { days: { to: '2026-11-22' }, wrongDays: {} });
  assert.deepEqual(readDays({ from: '11/22/2026', to: '11/22/2026' }).wrongDays, {});
  assert.deepEqual(readDays({ from: '12/31/2026', to: '01/01/2027' }), {
    days: { from: '2026-12-31', to: '2027-01-01' },
    wrongDays: {},
  });
});

test('reports an unreadable day at its own field', () => {
  assert.deepEqual(readDays({ from: 'soon', to: '13/40/2026' }), { days: {}, wrongDays: { from: 'day', to: 'day' } });
});
