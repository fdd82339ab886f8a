import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { accountId } from './account-id.ts';
import { type AccountRef, accounts, accountTypeOf, accountTypeRules, readName, shownSign } from './chart.ts';

const U = 'USDT';
const A = 'a';

/** One account for each entry of the chart, all made with the same arguments. */
const chart: Record<keyof typeof accounts, AccountRef> = {
  custody: accounts.custody('USDT_ERC20', 'hot', U),
  receivable: accounts.receivable(A, U),
  spent: accounts.spent('network', U),
  orderIn: accounts.orderIn(A, U),
  orderOut: accounts.orderOut(A, U),
  orderReserve: accounts.orderReserve(A, U),
  payout: accounts.payout(A, U),
  unallocated: accounts.unallocated(A, U),
  unclaimed: accounts.unclaimed(A, U),
  frozen: accounts.frozen(A, U),
  wallet: accounts.wallet(A, U),
  walletHeld: accounts.walletHeld(A, U),
  walletUncleared: accounts.walletUncleared(A, U),
  invoiceIn: accounts.invoiceIn(A, U),
  invoiceSet: accounts.invoiceSet(A, U),
  invoiceReserve: accounts.invoiceReserve(A, U),
  merchant: accounts.merchant(A, U),
  merchantReserve: accounts.merchantReserve(A, U),
  refund: accounts.refund(A, U),
  affiliatePending: accounts.affiliatePending(A, U),
  affiliateAvailable: accounts.affiliateAvailable(A, U),
  earn: accounts.earn(A, U),
  coupon: accounts.coupon(A, U),
  owedRail: accounts.owedRail(A, U),
  deskFree: accounts.deskFree(U),
  deskFuel: accounts.deskFuel(U),
  promo: accounts.promo('late', U),
  provisionReversal: accounts.provisionReversal(U),
  income: accounts.income('spread', U),
  suspense: accounts.suspense(U),
};

test('no two accounts of the chart share a name or an id', () => {
  const names = Object.values(chart).map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  assert.equal(new Set(names.map(accountId)).size, names.length);
});

test('classes and bounds: held and spent never above zero as stored, income and suspense free, all else never below', () => {
  for (const ref of Object.values(chart)) {
    const free = /^(income|suspense):/.test(ref.name);
    const turned = /^(custody|receivable|spent):/.test(ref.name);
    assert.deepEqual([ref.floor, ref.ceiling], free ? [null, null] : turned ? [null, 0n] : [0n, null], ref.name);
    assert.equal(shownSign(ref.class), turned ? -1n : 1n, ref.name);
    const isOwn = /^(desk|promo|provision|income|spent|suspense):|^(order|invoice):[^:]+:reserve:/.test(ref.name);
    assert.equal(ref.class === 'own' || ref.class === 'spent', isOwn, ref.name);
    assert.equal(ref.unit, U);
  }
});

test('an account’s name says its account type, its unit, its class and its bounds', () => {
  for (const ref of Object.values(chart)) {
    const { rules, id, unit } = readName(ref.name) ?? assert.fail(ref.name);
    assert.deepEqual([rules.class, rules.floor, rules.ceiling], [ref.class, ref.floor, ref.ceiling], ref.name);
    assert.equal(unit, ref.name.startsWith('custody:') ? undefined : U, ref.name);
    assert.ok(id === undefined || id === A || id === 'USDT_ERC20', ref.name);
    assert.equal(
      rules.type,
      ref.name
        .split(':')
        .filter((piece) => piece !== id && piece !== U)
        .join(':'),
    );
  }
  assert.equal(accountTypeOf(accounts.walletHeld('wallet', 'held')), 'wallet:held');
  assert.equal(new Set(accountTypeRules().map(({ shape }) => shape.join(':'))).size, accountTypeRules().length);
  for (const name of [
    '',
    'wallet',
    'wallet:u',
    'wallet:u:USDT:all',
    'order:u:USDT',
    'desk:owed:USDT',
    'purse:u:USDT',
    'wallet:ü:USDT',
  ])
    assert.equal(readName(name), undefined, name);
});

test('a piece that could be read as another account is refused', () => {
  for (const piece of ['', 'a:in', 'a b', 'ä', 'a,b', 'x'.repeat(65)]) {
    assert.throws(() => accounts.orderIn(piece, U), RangeError, piece);
  }
});

test('an id is 63 bits written with 19 digits, and the same each time', () => {
  fc.assert(
    fc.property(fc.string(), (name) => {
      const id = accountId(name);
      assert.match(id, /^[0-9]{19}$/);
      assert.ok(BigInt(id) < 2n ** 63n);
      assert.equal(accountId(name), id);
    }),
  );
  assert.equal(accountId('desk:free:USDT'), '8838259664237410969');
});
