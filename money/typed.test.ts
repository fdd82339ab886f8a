import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findDigitAlike, format, money, parse, readTyped } from './index.ts';

const read = (text: string, locale: 'en' | 'ru' = 'en', digits = 8): string | undefined => readTyped(text, locale, digits);

test('reads what people type and paste', () => {
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
    ['12,345', '12345', '12.345'],
    ['123,456', '123456', '123.456'],
    ['1234,567', '1234.567', '1234.567'],
    ['1,0005', '1.0005', '1.0005'],
    ['1  000', '1000', '1000'],
    ['1'.padEnd(200), '1', '1'],
    ['.5', '0.5', '0.5'],
    ['5.', '5', '5'],
    ['007', '7', '7'],
    ['0.5 BTC', '0.5', '0.5'],
    ['1_000', '1000', '1000'],
    ['USDT 12', '12', '12'],
    ['3 kg', '3', '3'],
    ['5 000 руб.', '5000', '5000'],
    ['5\u00a0000,50 руб.', '5000.50', '5000.50'],
    ['5\u202f000\u202fр.', '5000', '5000'],
    ['Rs. 500', '500', '500'],
    ['руб. 500', '500', '500'],
    ['руб.', '', ''],
    ['1’000.50', '1000.50', '1000.50'],
    ["1'000'000", '1000000', '1000000'],
    ['CHF 1’234’567.5', '1234567.5', '1234567.5'],
    ['12 345.67', '12345.67', '12345.67'],
    ['1 000 000,000', '1000000.000', '1000000.000'],
    ['1\u2009000', '1000', '1000'],
    ['₿0.5', '0.5', '0.5'],
    ['£5', '5', '5'],
    ['¥1 000', '1000', '1000'],
    ['US$ 7', '7', '7'],
    ['0.5 ₿', '0.5', '0.5'],
    ['100 USDT.', '100', '100'],
    // Isolates, marks and gaps that only affect the display.
    ['\u20681\u00a0000,5\u2069 \u2068USDT\u2069', '1000.5', '1000.5'],
    ['\u2066$\u20691\u200B2', '12', '12'],
    ['\u202A5\u202C', '5', '5'],
    ['\uFEFF5\u200E', '5', '5'],
    ['\u2068\u2069', '', ''],
    // Letters that look like digits and are units: separate from the number, or a whole word.
    ['5 l', '5', '5'],
    ['5Oz', '5', '5'],
    // Words that only begin like a sign for thousands, millions or smaller units.
    ['5 MUSK', '5', '5'],
    ['5 SUNDAE', '5', '5'],
    ['5 BPSX', '5', '5'],
    ['5 cUSD', '5', '5'],
    ['5 EOS', '5', '5'],
    ['5 SOTA', '5', '5'],
    ['5 XRP', '5', '5'],
    ['5 SATX', '5', '5'],
    ['$1 000', '1000', '1000'],
    ['USDT12', '12', '12'],
    ['5 TUSD', '5', '5'],
    ['5 kr', '5', '5'],
    ['100 рублей', '100', '100'],
    ['100 долларов США', '100', '100'],
  ];
  for (const [text, en, ru] of cases) {
    assert.equal(read(text, 'en'), en, `en ${JSON.stringify(text)}`);
    assert.equal(read(text, 'ru'), ru, `ru ${JSON.stringify(text)}`);
  }
});

test('refuses text without a safe reading', () => {
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
    '1234,567.5',
    '1234,567,890',
    '1'.padEnd(201),
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
    '5k USDT',
    '5 тыс. руб.',
    '5 тысяч',
    '2 млн руб',
    '1.5 million',
    '5т',
    '5т.р.',
    '1 23',
    '1 2',
    '12 34',
    '1 0000',
    '1000 000',
    '0 500',
    '1 000 00',
    '1 000,5 0',
    '0.001 234',
    '1 000’000',
    '1 000,000.5',
    '1’00',
    '1_0',
    '1 000 .5',
    '1\n000',
    '1\t000',
    'руб.5',
    'руб,5',
    '5 руб. 50 коп.',
    '−5',
    '(5)',
    '~5',
    '5%',
    '½',
    '10²',
    '١٠',
    '\u202E0001',
    '\u202B1 000',
    '1\u200F000',
    '1О0',
    '1O0',
    'l00',
    '5О',
    'З00',
    'О,5',
    '1 О00',
    'IOO0 USDT',
    '1'.repeat(201),
    // The digits of a token's standard, which a gap would join with those of the amount.
    'TRC20 500',
    'USDT TRC20 500',
    'ERC20\u00a0100',
    'TRC20',
    'bep 20',
    'EUR1 000',
    // Words that change the number: thousands, parts of a unit, shares, deductions.
    '5 тыщ',
    '5 штук',
    '5 трлн',
    '5 mn',
    '5 mil',
    '5 grand',
    '2 lakh',
    '3 crores',
    '5 kkk',
    '2 dozen',
    '5 kUSD',
    '5 kUSDT',
    '5 mBTC',
    '5 µBTC',
    '5 uBTC',
    '500 sats',
    'sats 500',
    '500 satoshi',
    '500 сатоши',
    '21000 gwei',
    '50 коп.',
    '50 копеек',
    '50 cents',
    '50¢',
    '50 bits',
    '5 percent',
    '5 per cent',
    '5 pct',
    '5 проц.',
    '5‰',
    '5 с половиной',
    '5 and a half',
    '2 x',
    'minus 5',
    'минус 5',
    'тыс. 3',
    'млн 2',
    'million 2',
    'dozen 2',
    '5 bil',
    '5 trln',
    '5 косых',
    '5 десятков',
    '5 sun',
    '5 finney',
    '5 nBTC',
    '5 bps',
    '5 ppm',
    '5 промилле',
    // Digits and marks of other scripts.
    '１０００',
    '۱۲۳',
    '1٫5',
    '1,00,000',
  ]) {
    assert.equal(read(text, 'en'), undefined, `en ${JSON.stringify(text)}`);
  }
  for (const text of ['-1', '1.2.3', '1,2,3', '.', ',', '1,000,00'])
    assert.equal(read(text, 'ru'), undefined, `ru ${JSON.stringify(text)}`);
});

test('cuts decimals beyond the currency’s', () => {
  assert.equal(read('1.239', 'en', 2), '1.23');
  assert.equal(read('1.239', 'en', 0), '1');
});

test('returns a canonical amount for any text it accepts, and a canonical amount unchanged', () => {
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

test('reads a number with group marks as the number', () => {
  const group = (text: string, mark: string): string => text.replace(/\B(?=(\d{3})+(?!\d))/g, mark);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 ** 9 }), fc.stringMatching(/^[0-9]{1,8}$/), (whole, behind) => {
      assert.equal(read(`${group(String(whole), ',')}.${behind}`, 'en'), `${whole}.${behind}`);
      assert.equal(read(`${group(String(whole), ' ')},${behind}`, 'ru'), `${whole}.${behind}`);
    }),
  );
});

test('names a letter typed for a digit, and the digit', () => {
  const cases: [text: string, named: string | undefined][] = [
    ['1О0', 'О 0'],
    ['1O0USDT', 'O 0'],
    ['l00', 'l 1'],
    ['З00 руб.', 'З 3'],
    ['5о', 'о 0'],
    ['О,5', 'О 0'],
    ['100 USDT', undefined],
    ['0.5BTC', undefined],
    ['5 l', undefined],
    ['1e5', undefined],
    ['OZ', undefined],
  ];
  for (const [text, named] of cases) {
    const found = findDigitAlike(text);
    assert.equal(found && `${found.letter} ${found.digit}`, named, text);
  }
});

test('no text keeps the thread busy', () => {
  for (const part of ['a', ' ', '1 ', "1'", '1,', '_', 'О', '\u00a0', 'р.', '\u2068']) {
    const begin = performance.now();
    read(part.repeat(100_000));
    assert.ok(performance.now() - begin < 1_000, JSON.stringify(part));
  }
});
