// Free text: nothing that one person writes moves or hides the text that others read around it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { manyLines, oneLine, readable } from './free-text.ts';
import { isFor } from '../permissions.ts';
import type { Route } from '../route.ts';
import { routes } from '../routes/index.ts';

test('a line has no breaks, no direction and nothing unseen', () => {
  const cases: [text: string, line: string][] = [
    ['  Ann   Lee ', 'Ann Lee'],
    ['Ann\u202Eeel', 'Anneel'],
    ['\u202A\u202B\u2066\u2067\u2068Ann\u2069\u202C\u200E\u200F\u061C', 'Ann'],
    ['Ann\r\n\tLee\u2028Smith\u2029!', 'Ann Lee Smith !'],
    ['Ann\u0001Lee\u009Bx\u007F', 'Ann Lee x'],
    ['A\u200Bn\u00ADn\u2060\uFEFF\u{E0041}', 'Ann'],
    ['\u200B\u2800\u3164\u115F\u00A0', ''],
    // As in dates and figures.
    ['1\u00A0000,50\u202FUSD', '1\u00A0000,50\u202FUSD'],
    ['a\u00A0\u00A0b\u00A0 c', 'a b c'],
    ['\uFFF9Ann\uFFFB', 'Ann'],
    ['\uD800Ann', '\uFFFDAnn'],
    [`a${'\u0301'.repeat(50)}b`, `a${'\u0301'.repeat(4)}b`],
    ['Ёж Ünal 李 שלום नमस्ते', 'Ёж Ünal 李 שלום नमस्ते'],
    ['👩‍💻 ❤️ 👨‍👩‍👧 🏳️‍🌈 👍🏽', '👩‍💻 ❤️ 👨‍👩‍👧 🏳️‍🌈 👍🏽'],
    ['a\u200Db\uFE0F', 'ab'],
    // Blank characters that no standard calls ignorable: fillers, object replacement, private use.
    ['\u{1D159}\u{16FE4}\uFFFC', ''],
    ['\uE000\u{F0000}\uFDD0\uFFFE', ''],
    ['Ann\uFFFCLee', 'Ann Lee'],
    // Marks that would attach to the text before.
    ['\u0338\u0336100', '100'],
    ['\u0301', ''],
  ];
  for (const [text, line] of cases) assert.equal(oneLine(text), line, JSON.stringify(text));
});

test('of many lines each is one, and the breaks between them stay', () => {
  assert.equal(manyLines(' one\u202E\r\n two \u2028three\n\n\n\n\u200Bfour\n\n'), 'one\ntwo\nthree\n\nfour');
  assert.equal(manyLines('\n \u200B\n'), '');
});

test('cleans every text in answers to the desk', () => {
  const at = new Date(0);
  const shown = { rows: [{ why: 'a\u202Eb', at, sums: 5n, none: null, details: { evidence: 'x\u0001y\nz' } }], amount: '1.00' };
  assert.deepEqual(readable(shown), {
    rows: [{ why: 'ab', at, sums: 5n, none: null, details: { evidence: 'x y\nz' } }],
    amount: '1.00',
  });
});

test('accepts a postback address only if the campaign and note alone are filled in', () => {
  const isTaken = (postback: string): boolean => routes.affiliateCampaign.input.safeParse({ name: 'blog', postback }).success;
  for (const good of ['https://a.example/?c={campaign}&s={sub}', 'http://пример.рф:8080/x@y', 'https://a.example'])
    assert.ok(isTaken(good), good);
  for (const bad of [
    'https://u:p@a.example/',
    'https://u@a.example',
    'https://a.example/\u202Egnp',

    'https://a.example/a b',
    'https://{sub}.a.example/',
    'https://{campaign}.example',
    'https://a.example.{sub}',
    'https://a{sub}/x',
    'https://%7Bsub%7D.a.example/',
    'https://a.example/?c={clickid}',
    'https://a.example/?c={SUB}',
    'https://a.example/?c={ sub }',
    'https://a.example/?c={{sub}}',
    'https://a.example/?c={sub',
    'https://a.example/{}/x?s={sub}',
    'https://a.example/?c=%7bsub%7d',
    'https://a.example/?c=%7Bclick-id%7D',
    'https://a.example/?c=%7Bclick.id%7D',
    'https://a.example/?c=%7Bsub}',
    'https://a.example:{sub}/',
    'https://{sub}@a.example/',
    'https://u:{sub}@a.example/',
    'https://a.example\\{sub}',
    'ftp://a.example',
    'https:a.example',
  ])
    assert.ok(!isTaken(bad), JSON.stringify(bad));
});

/** Fields of free text that nobody else sees: secrets, searches, and values with rules of their own. */
const UNSHOWN = new Set([
  ...['password', 'current_password', 'bot_token', 'token_id', 'nonce_key', 'handle', 'q', 'data', 'timezone', 'who'],
  // Accounts and vouchers are decoded by their rails; names of rails, gateways, settings and currencies are looked up.
  ...['receive', 'refund', 'account', 'to', 'payer', 'fields', 'gateway', 'rail', 'currency', 'key', 'slug', 'code'],
  // A setting's value is parsed by the setting's schema. `by` and `subject` filter the audit; `after` is a cursor.
  ...['value', 'by', 'subject', 'after'],
  // An address that is parsed. Buyers see a link to it, and its text is shown to the store's own members alone.
  'return_url',
]);
/** Fields of answers with text by people or outsiders. */
const WRITTEN = new Set(['name', 'label', 'note', 'person', 'device', 'text']);

type Check = { readonly _zod: { readonly def: { readonly check: string; readonly tx?: unknown } } };
const isTidied = (schema: z.ZodType): boolean =>
  ((schema._zod.def as { checks?: readonly Check[] }).checks ?? []).some(({ _zod: { def } }) =>
    [oneLine, manyLines].includes(def.tx as typeof oneLine),
  );

test('cleans every field of free text in calls', () => {
  for (const [name, { input }] of Object.entries(routes)) {
    for (const { path, schema } of texts(input)) {
      const { format, checks = [] } = schema._zod.def as {
        format?: string;
        checks?: readonly { _zod: { def: { format?: string } } }[];
      };
      const isFormed = format !== undefined || checks.some(({ _zod }) => _zod.def.format === 'regex');
      const isUnshown = path.some((part) => UNSHOWN.has(part));
      if (!isFormed && !isUnshown) assert.ok(isTidied(schema), `${name} ${path.join('.')}`);
    }
  }
});

test('cleans people’s text in answers, so that older rows are clean, too', () => {
  for (const [name, one] of Object.entries<Route>(routes)) {
    // All answers to the desk pass through `readable`.
    if (isFor(one, 'operator') || isFor(one, 'sandbox')) continue;
    for (const { path, schema } of texts(one.output)) {
      const last = path.at(-1) ?? '';
      if (WRITTEN.has(last) && !OURS.test(`${name} ${path.join('.')}`)) assert.ok(isTidied(schema), `${name} ${path.join('.')}`);
    }
  }
});

/** Such fields with the product's own words. */
const OURS =
  /^(?:currencies|gateways) name$|fields\.(?:name|label)$|(?:pay|option)\.code\.text$|^(?:payment\w+|storePreview|refund(?:Page|Claim)) methods\.name$/;

interface Text {
  readonly path: readonly string[];
  readonly schema: z.ZodType;
}

/** Returns every text in a schema, with the path of its fields. */
function texts(schema: z.ZodType, path: readonly string[] = []): Text[] {
  if (schema instanceof z.ZodString || schema._zod.def.type === 'string') return [{ path, schema }];
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, part]) => texts(part as z.ZodType, [...path, name]));
  const {
    innerType,
    element,
    valueType,
    options,
    in: from,
  } = schema._zod.def as unknown as Record<string, z.ZodType | undefined> & {
    options?: readonly z.ZodType[];
  };
  const inner = [innerType, element, valueType, from, ...((Array.isArray(options) ? options : []) as z.ZodType[])];
  return inner.flatMap((part) => (part instanceof z.ZodType ? texts(part, path) : []));
}
