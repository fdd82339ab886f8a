import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { format, money, parse, readTyped } from './index.ts';

const read = (text: string, locale: 'en' | 'ru' = 'en', digits = 8): string | undefined => readTyped(text, locale, digits);

test('what people type and paste is read', () => {
  const cases: [text: string, en: string | undefined, ru: string | undefined][] = [
    ['', '', ''],
    ['  ', '', ''],
    ['USDT', '', ''],
    ['1000', '1000', '1000'],
    ['1 000,5', '1000.5', '1000.5'],
    ['1 000,5', '1000.5', '1000.5'],
    ['1,000.50', '1000.50', '1000.50'],
    ['1.000,50', '1000.50', '1000.50'],
    ['1000 USDT', '1000', '1000'],
    ['$1,000', '1000', '1.000'],
    ['1,000', '1000', '1.000'],
    ['0,015', '0.015', '0.015'],
    ['1,5', '1.5', '1.5'],
    ['1.000', '1.000', '1.000'],
    ['1,000,000', '1000000', '1000000'],
    ['1.000.000', '1000000', '1000000'],
    ['.5', '0.5', '0.5'],
    ['5.', '5', '5'],
    ['007', '7', '7'],
    ['0.5 BTC', '0.5', '0.5'],
    ['1_000', '1000', '1000'],
    ['USDT 12', '12', '12'],
    ['3 kg', '3', '3'],
  ];
  for (const [text, en, ru] of cases) {
    assert.equal(read(text, 'en'), en, `en ${JSON.stringify(text)}`);
    assert.equal(read(text, 'ru'), ru, `ru ${JSON.stringify(text)}`);
  }
});

test('what has no safe reading is not read', () => {
  for (const text of [
    '-1',
    '+1',
    '1-2',
    '1.2.3',
    '1,2,3',
    '1,00.5',
    '1.5,000.5',
    '1,000,00',
    '.',
    ',',
    '5%',
    '1/2',
    '1.000,000.5',
    '1,0000.5',
    ',000.5',
    '1e5',
    '1E-7',
    '2x3',
    '0x10',
    '10 USDT 20',
    '100 USDT ERC20',
    '5k',
    '5 к',
    '2тыс.',
    '1.5 млн',
    '1m',
  ]) {
    assert.equal(read(text, 'en'), undefined, `en ${JSON.stringify(text)}`);
  }
  for (const text of ['-1', '1.2.3', '1,2,3', '.', ',', '1,000,00'])
    assert.equal(read(text, 'ru'), undefined, `ru ${JSON.stringify(text)}`);
});

test('decimals beyond the currency’s are cut', () => {
  assert.equal(read('1.239', 'en', 2), '1.23');
  assert.equal(read('1.239', 'en', 0), '1');
});

test('whatever is read is a canonical amount; a canonical amount is read as itself', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'0123456789.,  -+ BTC$_'), maxLength: 20 }),
      fc.constantFrom('en', 'ru'),
      (text, locale) => {
        const found = read(text, locale as 'en' | 'ru');
        if (found !== undefined && found !== '') assert.ok(parse('BTC', found).parts >= 0n);
      },
    ),
    { numRuns: 2_000 },
  );
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.constantFrom('en', 'ru'), (parts, locale) => {
      const text = format(money('BTC', parts));
      assert.equal(read(text, locale as 'en' | 'ru'), text);
    }),
  );
});

test('a number written with groups is read as the number', () => {
  const group = (text: string, mark: string): string => text.replace(/\B(?=(\d{3})+(?!\d))/g, mark);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 ** 9 }), fc.stringMatching(/^[0-9]{1,8}$/), (whole, behind) => {
      assert.equal(read(`${group(String(whole), ',')}.${behind}`, 'en'), `${whole}.${behind}`);
      assert.equal(read(`${group(String(whole), ' ')},${behind}`, 'ru'), `${whole}.${behind}`);
    }),
  );
});
