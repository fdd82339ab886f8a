import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeLetter } from './letter.ts';

test('escapes all content of a letter in its HTML', () => {
  const evil = `</title><img src=x onerror="alert('1')">&`;
  const { html, text } = writeLetter({
    locale: 'en',
    name: evil,
    subject: evil,
    paragraphs: [evil],
    code: evil,
    facts: [[evil, evil]],
    link: { url: `https://kurs.example/?a="${evil}`, words: evil },
    keep: evil,
  });
  assert.doesNotMatch(html, /<img|onerror="/);
  assert.equal(html.match(/<\/title>/g)?.length, 1);
  assert.doesNotMatch(html, /&(?!(amp|lt|gt|quot);)/, 'what looks like a sign stays the letters that it is');
  assert.match(text, /<img/, 'as text it stands as it is');
});

test('removes characters from people’s texts that would move the words and figures around them', () => {
  const letter = writeLetter({
    locale: 'en',
    name: 'Kurs',
    subject: 'From Ann\u202E\r\nBcc: all@example.org',
    paragraphs: ['One\u2028\u202Etwo'],
    facts: [['From', 'Ann\u2067\u0001 Lee\n9 BTC']],
    keep: 'Keep it.',
  });
  assert.equal(letter.subject, 'From Ann Bcc: all@example.org');
  assert.match(letter.text, /^One\ntwo\n\nFrom: Ann Lee 9 BTC\n/);
  for (const sign of '\u0001\u202E\u2067') assert.ok(!letter.html.includes(sign));
});
