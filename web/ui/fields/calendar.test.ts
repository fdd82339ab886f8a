import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monthOf, monthsOn, readDay, weeksOf, writeTypedDay } from './calendar.ts';

test('a typed day is month, day and year, and must exist between 1900 and 2100', () => {
  assert.equal(readDay('11/22/2026'), '2026-11-22');
  assert.equal(readDay(' 2/3/2024 '), '2024-02-03');
  assert.equal(readDay('02/29/2024'), '2024-02-29');
  assert.equal(readDay('22.11.2026'), '2026-11-22');
  assert.equal(readDay(' 3.2.2024 '), '2024-02-03');
  for (const text of [
    '',
    '02/29/2026',
    '13/01/2026',
    '22/11/2026',
    '11/31/2026',
    '11.22.2026',
    '22.11/2026',
    '31.11.2026',
    '12/31/1899',
    '01/01/2101',
    '1/1/26',
  ])
    assert.equal(readDay(text), undefined, text);
  for (const text of ['01/01/1900', '12/31/2100']) assert.equal(writeTypedDay(readDay(text) ?? ''), text);
});

test('weeks begin on Monday and hold each day of their month once', () => {
  // November 1, 2026 is a Sunday.
  assert.deepEqual(weeksOf({ year: 2026, month: 11 })[0], [...Array.from({ length: 6 }, () => undefined), '2026-11-01']);
  assert.deepEqual(weeksOf({ year: 2026, month: 6 })[0]?.[0], '2026-06-01');
  const days = weeksOf({ year: 2024, month: 2 })
    .flat()
    .filter((day) => day !== undefined);
  assert.equal(days.length, 29);
  assert.equal(days.at(-1), '2024-02-29');
});

test('months continue across years, up to the first and the last one', () => {
  assert.deepEqual(monthsOn(monthOf('2026-12-05'), 1), { year: 2027, month: 1 });
  assert.deepEqual(monthsOn({ year: 2026, month: 1 }, -1), { year: 2025, month: 12 });
  assert.deepEqual(monthsOn({ year: 2100, month: 12 }, 1), { year: 2100, month: 12 });
  assert.deepEqual(monthsOn({ year: 1900, month: 1 }, -1), { year: 1900, month: 1 });
});
