import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '../routes/index.ts';
import { reference } from '../wire.ts';
import { clickedReference, linkedReferences, readReference } from './reference.ts';

const AT = new Date('2026-11-26T10:00:00.900Z');
const SECONDS = '1795687200';

test('a reference is a code or an alias, a campaign, the moment of the click and what the link says', () => {
  const sub = 'a~b~c/?=&"é'.replace('é', '!');
  for (const [text, code, campaign, at, stored] of [
    ['7F3Q2M8C', '7F3Q2M8C', '', undefined, ''],
    ['7f3q2m8c.Blog', '7f3q2m8c', 'blog', undefined, ''],
    [`best-change~${SECONDS}`, 'best-change', '', '2026-11-26T10:00:00.000Z', ''],
    [`A.b~${SECONDS}~${sub}`, 'A', 'b', '2026-11-26T10:00:00.000Z', sub],
  ] as const) {
    const read = readReference(text);
    assert.deepEqual([read?.code, read?.campaign, read?.at?.toISOString(), read?.sub], [code, campaign, at, stored], text);
  }
});

test('returns text without a reference unchanged', () => {
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
    `a~1~${'x'.repeat(256)}`,
    'x'.repeat(32),
    'a\n',
    '<b>',
  ])
    assert.equal(readReference(text), undefined, JSON.stringify(text));
});

test('stores a click with its moment, and with a valid sub', () => {
  assert.equal(clickedReference('7F3Q2M8C', '', AT), `7F3Q2M8C~${SECONDS}`);
  assert.equal(clickedReference('7F3Q2M8C.blog', 'post-12', AT), `7F3Q2M8C.blog~${SECONDS}~post-12`);
  assert.equal(clickedReference('a', 'x'.repeat(255), AT), `a~${SECONDS}~${'x'.repeat(255)}`);
  for (const sub of ['x'.repeat(256), 'a b', 'é', 'a\r\nb']) assert.equal(clickedReference('a', sub, AT), `a~${SECONDS}`, sub);
  for (const ref of ['', 'a~1', 'a.b.c', 'a b']) assert.equal(clickedReference(ref, '', AT), undefined, ref);
});

test('reads the longest reference at the beginning of a shared text', () => {
  for (const [shared, ...all] of [
    ['7F3Q2M8C/', '7F3Q2M8C'],
    ['7F3Q2M8C ', '7F3Q2M8C'],
    [' 7F3Q2M8C', '7F3Q2M8C'],
    ['7F3Q2M8C.', '7F3Q2M8C'],
    ['7F3Q2M8C)', '7F3Q2M8C'],
    ['7F3Q2M8C],', '7F3Q2M8C'],
    ['«7F3Q2M8C»', '7F3Q2M8C'],
    ['7F3Q2M8C.blog/', '7F3Q2M8C.blog'],
    ['7F3Q2M8C.blog.', '7F3Q2M8C.blog'],
    ['7F3Q2M8C.blog\u200B', '7F3Q2M8C.blog'],
    ['7F3Q2M8C_', '7F3Q2M8C_', '7F3Q2M8C'],
    ['7F3Q2M8C.blog-', '7F3Q2M8C.blog-', '7F3Q2M8C.blog'],
    ['7F3Q2M8C~1', '7F3Q2M8C'],
    [`7F3Q2M8C.${'x'.repeat(33)}`, '7F3Q2M8C'],
    ['x'.repeat(32)],
    [''],
    ['/7F3Q2M8C'],
    ['<b>'],
    ['\r\nset-cookie:x=y'],
  ])
    assert.deepEqual(linkedReferences(shared ?? ''), all, shared);
});

test('calls accept a shared reference, and refuse a note that is too long', () => {
  assert.equal(reference.parse('7F3Q2M8C.blog/'), '7F3Q2M8C.blog');
  assert.equal(reference.parse(`7F3Q2M8C~1~${'x'.repeat(255)}`), `7F3Q2M8C~1~${'x'.repeat(255)}`);
  const wrong = (text: string) => reference.safeParse(text).error?.issues.map(({ message }) => message);
  assert.deepEqual(wrong(`7F3Q2M8C~1~${'x'.repeat(256)}`), ['sub_too_long']);
  assert.deepEqual(wrong('<b>'), ['reference_format']);
  const { sub } = routes.partnerOrderPlace.input.shape;
  assert.equal(sub.parse('x'.repeat(255)), 'x'.repeat(255));
  assert.deepEqual(
    sub.safeParse('x'.repeat(256)).error?.issues.map(({ message }) => message),
    ['sub_too_long'],
  );
  assert.ok(
    routes.signUpGetOtp.input.shape.referral_code.safeParse(`${'x'.repeat(31)}.${'x'.repeat(32)}~11111111111~${'x'.repeat(255)}`)
      .success,
  );
});
