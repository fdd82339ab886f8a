import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minDigits, trimZeros, writeAmount, writeClock, writeDate, writeDecimal, writeTime, writeZonedTime } from './index.ts';

test('writes a number in groups of three, in the format of a language', () => {
  const table: [plain: string, en: string, ru: string][] = [
    ['0', '0', '0'],
    ['999', '999', '999'],
    ['1000', '1,000', '1\u00a0000'],
    ['1234567', '1,234,567', '1\u00a0234\u00a0567'],
    ['1234.5678', '1,234.5678', '1\u00a0234,5678'],
    ['0.0001', '0.0001', '0,0001'],
    ['5.', '5.', '5,'],
  ];
  for (const [plain, en, ru] of table) {
    assert.equal(writeDecimal(plain, 'en'), en);
    assert.equal(writeDecimal(plain, 'ru'), ru);
  }
});

test('cuts or adds trailing zeros to a number of digits', () => {
  const table: [amount: string, min: number, trimmed: string][] = [
    ['5', 0, '5'],
    ['5', 2, '5.00'],
    ['5.10', 0, '5.1'],
    ['5.00', 0, '5'],
    ['5.1000', 2, '5.10'],
    ['5.1234', 2, '5.1234'],
    ['5.1030', 2, '5.103'],
    ['100', 0, '100'],
  ];
  for (const [amount, min, trimmed] of table) assert.equal(trimZeros(amount, min), trimmed);
  assert.equal(writeAmount('1000.5', 2, 'en'), '1,000.50');
  assert.equal(writeAmount('1000.5', 2, 'ru'), '1\u00a0000,50');
});

test('shows at least four decimals for a currency with eight, two for others', () => {
  assert.deepEqual([2, 7, 8, 18].map(minDigits), [2, 2, 4, 4]);
});

test('writes a time in UTC or in a time zone', () => {
  const at = '2026-01-02T03:04:05Z';
  assert.equal(writeClock(at), '03:04');
  assert.equal(writeClock(at, true), '03:04:05');
  assert.equal(writeDate(at, 'en'), 'Jan\u00a02, 2026');
  assert.equal(writeDate(at, 'ru'), '2\u00a0янв.\u00a02026');
  assert.equal(writeTime(at, 'en'), 'Jan\u00a02, 2026, 03:04\u00a0UTC');
  const zones: [zone: string, written: string][] = [
    ['UTC', 'Jan\u00a02, 2026, 03:04\u00a0UTC'],
    ['Europe/Berlin', 'Jan\u00a02, 2026, 04:04\u00a0GMT+1'],
    ['America/New_York', 'Jan\u00a01, 2026, 22:04\u00a0GMT-5'],
    ['Asia/Kathmandu', 'Jan\u00a02, 2026, 08:49\u00a0GMT+5:45'],
    ['America/St_Johns', 'Jan\u00a01, 2026, 23:34\u00a0GMT-3:30'],
    ['Australia/Brisbane', 'Jan\u00a02, 2026, 13:04\u00a0GMT+10'],
    ['Pacific/Honolulu', 'Jan\u00a01, 2026, 17:04\u00a0GMT-10'],
    ['Pacific/Auckland', 'Jan\u00a02, 2026, 16:04\u00a0GMT+13'],
  ];
  for (const [zone, written] of zones) assert.equal(writeZonedTime(at, 'en', zone), written);
});

test('each month has its name in each language', () => {
  const months = (locale: 'en' | 'ru'): string[] =>
    Array.from({ length: 12 }, (_, month) => {
      const written = writeDate(new Date(Date.UTC(2026, month, 15)).toISOString(), locale);
      return written.split('\u00a0')[locale === 'en' ? 0 : 1] as string;
    });
  assert.equal(months('en').join(' '), 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec');
  assert.equal(months('ru').join(' '), 'янв. февр. мар. апр. мая июн. июл. авг. сент. окт. нояб. дек.');
});
