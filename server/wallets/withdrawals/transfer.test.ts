import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transferConfirmation } from './transfer.ts';

test('a transfer’s confirmation depends on its holder, unit, sum and receiver', () => {
  const [ann, bob] = [
    { id: 'a', email: 'ann@example.org' },
    { id: 'b', email: 'bob@example.org' },
  ];
  const one = { currency: 'BTC', amount: '0.001', to: 'carl@example.org' };
  const own = transferConfirmation(ann, one);
  assert.equal(transferConfirmation(ann, { ...one, amount: '0.00100', to: 'Carl@Example.org' }), own, 'however it is typed');
  for (const other of [{ currency: 'LTC' }, { amount: '0.0011' }, { to: 'dora@example.org' }])
    assert.notEqual(transferConfirmation(ann, { ...one, ...other }), own, JSON.stringify(other));
  assert.notEqual(transferConfirmation(bob, one), own);
});
