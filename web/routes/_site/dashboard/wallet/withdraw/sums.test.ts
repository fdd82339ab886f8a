import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Withdrawal } from './statuses.ts';
import { feeOfWay, slipSums } from './sums.ts';

test('a way out of the wallet has a fixed fee or a percentage', () => {
  const of = (unit: string, [large, largeFee]: [string, string], [small, smallFee]: [string, string]) =>
    feeOfWay(unit, { amount: large, fee: largeFee }, { amount: small, fee: smallFee });
  assert.deepEqual(of('USDT', ['100', '1.12'], ['50', '1.12']), { amount: '1.12' });
  assert.deepEqual(of('USD', ['100.00', '0.95'], ['50.00', '0.48']), { percent: '0.94' });
  assert.deepEqual(of('USD', ['100.00', '0.50'], ['50.00', '0.25']), { percent: '0.5' });
  assert.deepEqual(of('USDT', ['100', '3.12'], ['50', '2.12']), { percent: '2' }, 'beside what the network takes');
  assert.deepEqual(of('USD', ['0.01', '0.01'], ['0.01', '0.01']), { amount: '0.01' }, 'nothing smaller can be sent');
});

test('the slip follows the status: money arrived only of a finished withdrawal, and is back only of a failed one', () => {
  const lines = (status: Withdrawal['status']): string[] =>
    slipSums({ status, amount: '20.00', fee: '0.19', arrives: '19.81' }).map(({ line, amount }) => `${line} ${amount}`);
  for (const status of ['approving', 'queued', 'sending', 'in_doubt', 'sent'] as const)
    assert.deepEqual(lines(status), ['leaves 20.00', 'fee 0.19', 'arrives 19.81'], status);
  assert.deepEqual(lines('done'), ['left 20.00', 'fee 0.19', 'arrived 19.81']);
  assert.deepEqual(lines('returned'), ['left 20.00', 'fee 0.19', 'back 19.81']);
  for (const status of ['failed', 'cancelled', 'rejected'] as const)
    assert.deepEqual(lines(status), ['asked 20.00', 'back 20.00'], status);
});
