// Rooms below those of orders know nothing of orders: they deal with owners, {kind, id}. Checked by names and words of SQL.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-js';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const ROOMS = [
  ...['auth', 'collecting', 'compliance', 'coupons', 'deliveries', 'ledger', 'moneyout', 'payments'],
  ...['platform', 'pots', 'pricing', 'rails', 'rates', 'signing', 'support'],
];

/** Allowed uses of the word, with the reason. */
const SAYS_ORDER: readonly (readonly [where: RegExp, what: RegExp, why: string])[] = [
  [/^auth\//, /^(order_progress|account_has_orders)$/, 'a field on the wire, and the code of an error'],
  [
    /^compliance\//,
    /^(per_order|first_orders|hold_order_percent|reversible_clearing_orders|too_many_unpaid_orders|orders)$/,
    'keys and units of settings, codes of errors and what is told of rules are data',
  ],
  [/^coupons\/late\/late-settings\.ts$/, /^order_usd$/, 'a key of a setting is data'],
  [/^ledger\/chart\/(chart|legal-legs)\.ts$/, /./, 'names of accounts are data, and the chart has all of them'],
  [/^platform\/base\/log\.ts$/, /^order$/, 'a name that no field of the log has: ids have one name each'],
  [/^platform\/http\/(calls|answers\/problem-answer)\.ts$/, /^(order|order_id)$/, 'fields on the wire'],
  [/^platform\/secrets\/macs\.ts$/, /^order$/, 'MACs are made under keys by what they are of: data'],
  [/^platform\/files\/csv\.ts$/, /^BYTE_ORDER_MARK$/, 'the order of bytes'],
  [/^pricing\/known\/purpose\.ts$/, /^orders$/, 'the purpose that directions are priced for'],
  [
    /^support\/(desk|owner-chats|ticket)\.ts$/,
    /^(order|order_fits|order_not_found|orderNumber)$/,
    'fields on the wire, and the code of an error',
  ],
  [/^rails\/paypal\//, /./, 'an order is what PayPal calls a payment'],
  [/^rails\/volet\//, /^(ac_order_id|orderId|sortOrder)$/, 'fields of Volet'],
  [/^rails\/nebulox\//, /^orderId$/, 'a field of Nebulox'],
  [/^rails\/tron\/client\.ts$/, /^order_by$/, 'a parameter of TronGrid'],
];

const isOrder = (word: string): boolean =>
  word.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/).some((piece) => /^orders?$/i.test(piece));

/** Names in code, and words of texts that are names: of several pieces (`order_id`), alone (`'order'`), or before a colon. */
function saidIn(text: string): string[] {
  const said = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && isOrder(node.text)) said.add(node.text);
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      for (const word of namesIn(node.text)) said.add(word);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('one.ts', text, ts.ScriptTarget.Latest));
  return [...said];
}

function namesIn(text: string): string[] {
  const ofPieces = (text.match(/\w+/g) ?? []).filter((word) => word.includes('_'));
  const alone = /^orders?$/.exec(text) ?? /(?<![\w-])orders?(?=:)/.exec(text) ?? [];
  return [...ofPieces, ...alone].filter(isOrder);
}

/** Names with “order” in a file of a lower room, by its path under server/, that are on no list. */
const wrongIn = (path: string, text: string): string[] =>
  saidIn(text).filter((word) => !SAYS_ORDER.some(([where, what]) => where.test(path) && what.test(word)));

const files = globSync(`server/{${ROOMS.join(',')}}/**/*.ts`, { cwd: ROOT })
  .filter((path) => !/\.(test|testing|contract)\.ts$/.test(path))
  .map((path) => ({ path: path.slice('server/'.length), text: readFileSync(join(ROOT, path), 'utf8') }));

test('rooms below those of orders don’t say “order”', () => {
  assert.ok(files.length > 200);
  assert.deepEqual(
    files.flatMap(({ path, text }) => wrongIn(path, text).map((word) => `${path}: ${word}`)),
    [],
  );
});

test('what is on the list is said where the list says', () => {
  const unused = SAYS_ORDER.filter(
    ([where, what]) => !files.some(({ path, text }) => where.test(path) && saidIn(text).some((word) => what.test(word))),
  );
  assert.deepEqual(unused, []);
});

test('names, columns and kinds are found; prose, comments and sorting are not', () => {
  const found = (text: string): string[] => wrongIn('compliance/limits.ts', text);
  assert.deepEqual(found('const orderId = one.order; interface UnpaidOrder {}'), ['orderId', 'order', 'UnpaidOrder']);
  assert.deepEqual(found('db.rows(`select order_id from limit_use where key = ${key} order by order_id`)'), ['order_id']);
  assert.deepEqual(found(`const owner = { kind: 'order', id }; const key = \`order:\${id}\`;`), ['order']);
  assert.deepEqual(found('// an order\nconst words = "orders of one customer"; const border = ordered(reorder);'), []);
  assert.deepEqual(wrongIn('compliance/level.ts', 'const { per_order } = one;'), []);
});
