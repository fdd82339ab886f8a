// People copy the codes of coupons with spaces, quotes and look-alike letters. Each place where a code is typed finds the right coupon.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Problem } from '@kurs/contract';
import { parse } from '@kurs/money';
import { type Db, newId } from '../platform/index.ts';
import { testDb } from '../platform/testing.ts';
import { askCoupon, couponsByCode } from './coupon-request.ts';
import { addOwnCoupon } from './own-coupons.ts';
import { stopCoupon } from './end-coupons.ts';
import { makePlain } from './testing.ts';

const max = parse('USDT', '9').parts;
const plain = { kind: 'percent', percent: '10', value: undefined, max, uses: 9 } as const;
let db: Db;
let drop: () => Promise<void>;
before(async () => {
  ({ db, drop } = await testDb());
  const codes = ['W10L-O0', 'WELCOME', '7A0K1BCDEH', 'OLD-1', '0LD-1'];
  await db.tx((tx) => makePlain(tx, ...codes.map((code) => ({ ...plain, code }))));
});
after(() => drop());

const COPIED = [
  ['w10l–o0', 'W10L-O0'],
  ['«W10L-O0».', 'W10L-O0'],
  ['ＷＥＬＣＯＭＥ', 'WELCOME'],
  ['WЕLСОМЕ', 'WELCOME'],
  ['7AOK IBCDEH', '7A0K1BCDEH'],
  ['7аоklвсdен', '7A0K1BCDEH'],
  ['old-1', 'OLD-1'],
  ['0ld-1', '0LD-1'],
] as const;
const UNKNOWN = ['WELC0ME', '“”', 'ЖЩЭЮ', 'NOBODYS', '----------------------------------------'];
const isUnknown = (error: unknown): boolean => error instanceof Problem && error.code === 'coupon_unknown';

test('a code is known as people copy it: its own form first, then by signs that look the same', async () => {
  const ask = (text: string) => db.tx((tx) => askCoupon(tx, text, { direction: 'btc-usdt', now: tx.now }));
  for (const [typed, code] of COPIED) assert.equal((await ask(typed)).coupon.code, code, typed);
  for (const typed of UNKNOWN) await assert.rejects(ask(typed), isUnknown, typed);
});

test('codes that are read together are known the same way', async () => {
  const found = await couponsByCode(db, [...COPIED.map(([typed]) => typed), ...UNKNOWN]);
  assert.deepEqual(
    [...found].map(([typed, { code }]) => [typed, code]),
    COPIED,
  );
});

test('a code is kept, and stopped, as it was copied', async () => {
  const holderId = newId();
  await db.run(
    `insert into account_holder (id, email, email_key, locale, created_at) values ($1, 'a@example.org', 'a@example.org', 'en', now())`,
    [holderId],
  );
  const owner = { holderId, emailKey: undefined, shown: [], typed: [] } as unknown as Parameters<typeof addOwnCoupon>[2];
  await db.tx((tx) => addOwnCoupon(tx, '“7аоklвсdен”', owner));
  assert.equal((await db.rows('select from coupon_kept')).length, 1);
  await db.tx((tx) => stopCoupon(tx, '7AOKIBCDEH', newId()));
  assert.deepEqual(await db.rows(`select code from coupon where state = 'stopped'`), [{ code: '7A0K1BCDEH' }]);
});
