import assert from 'node:assert/strict';
import { test } from 'node:test';
import en from './words/en-US.json' with { type: 'json' };
import ru from './words/ru-RU.json' with { type: 'json' };
import { PROBLEMS } from './problems.ts';
import { LOCALES, localeOf, say } from './words.ts';

function keysOf(words: object, prefix = ''): string[] {
  return Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'string' ? [prefix + key] : keysOf(value as object, `${prefix}${key}.`),
  );
}

function blanksOf(words: object, prefix = ''): string[] {
  return Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'string'
      ? (value.match(/\{[a-z_]+\}/g) ?? []).map((blank) => `${prefix}${key} ${blank}`)
      : blanksOf(value as object, `${prefix}${key}.`),
  );
}

test('both languages say the same things', () => {
  assert.deepEqual(keysOf(en).sort(), keysOf(ru).sort());
  assert.deepEqual([...new Set(blanksOf(en))].sort(), [...new Set(blanksOf(ru))].sort());
});

test('every problem has a title and a message in every language', () => {
  for (const locale of LOCALES) {
    for (const code of Object.keys(PROBLEMS)) {
      assert.ok(say(locale, `problems.${code}.title`), `${locale} ${code} has no title`);
      assert.ok(say(locale, `problems.${code}.message`), `${locale} ${code} has no message`);
    }
  }
});

test('a short Russian word is tied to the next, and a number to its unit, by a space that does not break', () => {
  const textsOf = (words: object): string[] =>
    Object.values(words).flatMap((value) => (typeof value === 'string' ? [value] : textsOf(value as object)));
  for (const text of textsOf(ru)) {
    assert.doesNotMatch(text, /(?<![\p{L}\p{N}{])[А-Яа-яё]{1,2} \S/u, text);
    assert.doesNotMatch(text, /[\d}] (?:с|мин|минут\p{L}*|USD|UTC|цифр)(?!\p{L})/u, text);
  }
});

test('short words with a hyphen are not broken at the end of a line', () => {
  const textsOf = (words: object): string[] =>
    Object.values(words).flatMap((value) => (typeof value === 'string' ? [value] : textsOf(value as object)));
  for (const text of [en, ru].flatMap(textsOf)) assert.doesNotMatch(text, /\be-\p{L}/iu, text);
});

test('the language follows Accept-Language', () => {
  assert.equal(localeOf('de, ru-RU;q=0.8, en;q=0.5'), 'ru');
  assert.equal(localeOf('fr'), 'en');
  assert.equal(localeOf(undefined), 'en');
});

test('blanks are filled, unknown ones stay visible', () => {
  assert.equal(say('en', 'fields.amount_below_min', { min: '50.00', currency: 'USDT' }), 'Minimum: 50.00 USDT');
  assert.equal(say('ru', 'fields.amount_below_min', { min: '1250.50', currency: 'USDT' }), 'Минимум: 1\u00a0250,50 USDT');
  assert.equal(
    say('en', 'fields.amount_below_min', { min: '50.00', currency: 'USDT_ERC20' }),
    'Minimum: 50.00 USDT',
    'no code of ours',
  );
  assert.equal(
    say('ru', 'fields.deposit_below_min', { min: '5.00', unit: 'MONEYGO_USD' })?.replaceAll('\u00a0', ' ').slice(-8),
    '5,00 USD',
  );
  assert.equal(say('en', 'fields.amount_below_min'), 'Minimum: {min} {currency}');
  assert.equal(say('en', 'nothing.here'), undefined);
});
