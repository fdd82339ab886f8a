// Reading of providers' answers: no amount becomes a float, and an unreadable answer counts as none.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { momentRead, partsRead } from './amounts.ts';
import { exactJsonOf, jsonNumber } from './exact-json.ts';
import { Unreachable } from './http.ts';
import { allOf, oneOf, textOf, xmlOf, xmlText, xmlWithAttributes } from './xml.ts';

const reply = (text: string) => ({ status: 200, text, headers: new Headers() });

test('amounts are read to the minor unit, finer ones are rounded down, and any other text is refused', () => {
  for (const [text, parts] of [
    ['10', 1000n],
    ['10.5', 1050n],
    ['10.50', 1050n],
    ['10.509', 1050n],
    ['0.009', 0n],
    ['007.1', 710n],
  ] as const)
    assert.equal(partsRead(text, 2), parts, text);
  assert.equal(partsRead('90071992547409.93', 2), 9_007_199_254_740_993n, 'beyond what a float holds');
  for (const text of ['', ' 1', '-1', '+1', '1e3', '1,000.00', '.5', '1.', '1.2.3', 'NaN', '0x10'])
    assert.throws(() => partsRead(text, 2), Unreachable, text);
});

test('moments are read only with an offset', () => {
  assert.equal(momentRead('2018-07-12T22:08:44.085Z').getTime(), Date.UTC(2018, 6, 12, 22, 8, 44, 85));
  assert.equal(momentRead('2018-07-12T22:08:44+03:00').getTime(), Date.UTC(2018, 6, 12, 19, 8, 44));
  for (const text of ['', '2018-07-12', '2018-07-12T22:08:44', 'yesterdayZ', '2018-13-12T22:08:44Z'])
    assert.throws(() => momentRead(text), Unreachable, text);
});

test('numbers of JSON stay their original text, and are written with exactly these digits', () => {
  const shape = z.object({ id: z.string(), amount: z.string(), list: z.array(z.string()), flag: z.boolean() });
  const read = exactJsonOf(reply('{"id":12345678901234567890,"amount":10.50,"list":[1,"2"],"flag":true}'), shape);
  assert.deepEqual(read, { id: '12345678901234567890', amount: '10.50', list: ['1', '2'], flag: true });
  assert.equal(JSON.stringify({ amount: jsonNumber('90071992547409.93') }), '{"amount":90071992547409.93}');
  assert.throws(() => jsonNumber('1}'), SyntaxError);
  for (const text of ['', '{', '{"id":1}', '[]']) assert.throws(() => exactJsonOf(reply(text), shape), Unreachable, text);
});

test('XML is read as texts, lists and attributes; a broken document or one with declarations is refused', () => {
  const xml = xmlOf(
    '<?xml version="1.0" encoding="windows-1251"?><a xmlns:n="u"><n:b>010</n:b><b>1.50</b><c x="1"> &lt;&#38; </c></a>',
  );
  const a = oneOf(xml, 'a');
  assert.deepEqual(allOf(a, 'b'), ['010', '1.50']);
  assert.equal(textOf(a, 'c'), '<&');
  assert.equal(textOf(a, 'd'), '');
  assert.throws(() => oneOf(a, 'b'), Unreachable);
  const attributes = oneOf(xmlWithAttributes('<a><b id="007">x</b></a>'), 'a');
  assert.equal(textOf(oneOf(attributes, 'b'), '@id'), '007');
  for (const text of ['', '<a><b></a>', '<a>', 'nothing', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', '<a/><!doctype a>'])
    assert.throws(() => oneOf(xmlOf(text), 'a') ?? assert.fail(), text === '' || text === 'nothing' ? Error : Unreachable, text);
  assert.equal(textOf(xmlOf('<a>__proto__</a>'), '__proto__'), '');
  assert.equal(xmlText('a & b < c > d'), 'a &amp; b &lt; c &gt; d');
});
