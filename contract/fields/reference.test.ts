import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clickedReference, readReference } from './reference.ts';

const AT = new Date('2026-11-26T10:00:00.900Z');
const SECONDS = '1795687200';

test('a reference is a code or an alias, a campaign, the moment of the click and what the link says', () => {
  const sub = 'a~b~c/?=&"é'.replace('é', '!');
  for (const [text, code, campaign, at, kept] of [
    ['7F3Q2M8C', '7F3Q2M8C', '', undefined, ''],
    ['7f3q2m8c.Blog', '7f3q2m8c', 'blog', undefined, ''],
    [`best-change~${SECONDS}`, 'best-change', '', '2026-11-26T10:00:00.000Z', ''],
    [`A.b~${SECONDS}~${sub}`, 'A', 'b', '2026-11-26T10:00:00.000Z', sub],
  ] as const) {
    const read = readReference(text);
    assert.deepEqual([read?.code, read?.campaign, read?.at?.toISOString(), read?.sub], [code, campaign, at, kept], text);
  }
});

test('what is none changes nothing', () => {
  for (const text of [
    '',
    ' ',
    'a b',
    'a.b.c',
    '.a',
    'a.',
    'имя',
    'a~x',
    'a~1~ ',
    `a~1~${'x'.repeat(65)}`,
    'x'.repeat(32),
    'a\n',
    '<b>',
  ])
    assert.equal(readReference(text), undefined, JSON.stringify(text));
});

test('a click is kept with its moment, and with a sub that can be kept', () => {
  assert.equal(clickedReference('7F3Q2M8C', '', AT), `7F3Q2M8C~${SECONDS}`);
  assert.equal(clickedReference('7F3Q2M8C.blog', 'post-12', AT), `7F3Q2M8C.blog~${SECONDS}~post-12`);
  assert.equal(clickedReference('a', 'x'.repeat(64), AT), `a~${SECONDS}~${'x'.repeat(64)}`);
  for (const sub of ['x'.repeat(65), 'a b', 'é', 'a\r\nb']) assert.equal(clickedReference('a', sub, AT), `a~${SECONDS}`, sub);
  for (const ref of ['', 'a~1', 'a.b.c', 'a b']) assert.equal(clickedReference(ref, '', AT), undefined, ref);
});
