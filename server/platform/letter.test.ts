import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeLetter } from './letter.ts';

test('whatever a letter says, none of it becomes a part of its HTML', () => {
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
