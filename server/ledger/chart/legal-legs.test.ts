import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accounts } from './chart.ts';
import { type Journal, type JournalKind, KINDS, leg } from './journal.ts';
import { assertLegal, illegalIn, legalRows } from './legal-legs.ts';

const U = 'USDT';
const [free, wallet] = [accounts.deskFree(U), accounts.wallet('u', U)];
const hot = accounts.custody('USDT_ERC20', 'hot', U);
const journal = (kind: JournalKind, ...legs: Journal['legs']): Journal => ({ id: 'i', kind, cause: 'c', legs });

test('every kind of journal has legs of its own', () => {
  const { kinds, own } = legalRows();
  for (const [kind, code] of Object.entries(KINDS))
    assert.ok(
      own.some((is, at) => is && kinds[at] === code),
      kind,
    );
});

test('nobody’s money comes out of the desk’s own by a transfer, and capital is no payment', () => {
  assert.throws(() => assertLegal(journal('transfer', leg(free, wallet, 1n))), /transfer has no leg desk:free → wallet/);
  assert.throws(() => assertLegal(journal('payin', leg(hot, free, 1n))), /nothing in it makes it of the kind payin/);
  assert.doesNotThrow(() => assertLegal(journal('capital_in', leg(hot, free, 1n))));
  for (const kind of Object.keys(KINDS) as JournalKind[]) {
    assert.ok(illegalIn(kind, [['desk:free', 'wallet']]), `${kind} takes the desk’s money into a wallet`);
    assert.ok(
      illegalIn(kind, [
        ['order:in', 'wallet'],
        ['custody:hot', 'income:fee'],
      ]),
      `${kind} does what nothing does`,
    );
  }
});

test('steps of one order’s event are one journal, named by the last of them', () => {
  const [into, out, reserve, payout] = [
    accounts.orderIn('a', U),
    accounts.orderOut('a', U),
    accounts.orderReserve('a', U),
    accounts.payout('p', U),
  ];
  const steps = [leg(hot, into, 9n), leg(into, free, 9n), leg(reserve, out, 9n), leg(out, payout, 9n)];
  assert.doesNotThrow(() => assertLegal(journal('payout_queued', ...steps)));
  assert.throws(() => assertLegal(journal('payout_queued', ...steps.slice(0, 3))), /nothing in it makes it/);
  assert.throws(() => assertLegal(journal('payout_queued', ...steps, leg(wallet, hot, 1n))), /has no leg wallet → custody:hot/);
});

test('an unallocated payment is filled by orders, invoices and the desk, and by no store', () => {
  const unallocated = accounts.unallocated('o', U);
  const from = [accounts.invoiceIn('i', U), accounts.invoiceSet('i', U), free, accounts.suspense(U), accounts.orderIn('a', U)];
  for (const account of from) assert.doesNotThrow(() => assertLegal(journal('unallocated', leg(account, unallocated, 1n))));
  for (const account of [accounts.merchant('m', U), accounts.invoiceReserve('i', U)])
    assert.throws(() => assertLegal(journal('unallocated', leg(account, unallocated, 1n))), /unallocated has no leg/);
});

test('an account that the chart doesn’t know is refused', () => {
  const purse = { ...wallet, name: 'purse:u:USDT' };
  assert.throws(() => assertLegal(journal('transfer', leg(purse, wallet, 1n))), /The chart knows no account purse:u:USDT/);
});
