import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMPTY, type OrderView, type Payment } from '../order/order.ts';
import { repayable } from './repay-debt.ts';

const final = (parts: bigint): Payment => ({ status: 'final', parts }) as Payment;
const order = (given: Partial<OrderView>): OrderView =>
  ({ id: 'from', state: 'choosing', give: { unit: 'BTC', parts: 20n }, positions: EMPTY, payments: [], ...given }) as OrderView;

test('a payment settles a debt in its unit up to its amount; money from other payments settles nothing', () => {
  const debt = order({ id: 'debt', state: 'charged_back', positions: { ...EMPTY, receivable: 12n } });
  const paid = order({ positions: { ...EMPTY, in: 20n }, payments: [final(20n)] });
  assert.equal(repayable(debt, paid), 12n);
  assert.equal(repayable(debt, order({ positions: { ...EMPTY, in: 5n }, payments: [final(5n)] })), 5n);
  assert.equal(repayable(debt, { ...paid, state: 'paying' }), 0n);
  assert.equal(repayable(debt, { ...paid, give: { ...paid.give, unit: 'LTC' } }), 0n);
  assert.equal(repayable(debt, debt), 0n);
  assert.equal(repayable(debt, { ...paid, payments: [final(8n)] }), 0n, 'its own debt was settled by another');
});
