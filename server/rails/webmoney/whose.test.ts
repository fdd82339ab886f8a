// Tests that a used number alone doesn't prove a transfer to be ours: purse, reference and number must match together.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unreachable } from '../provider/index.ts';
import { type Operation, Refusal, type WebMoneyApi } from './api.ts';
import type { WebMoneyCurrency } from './config.ts';
import { payoutOf, tranidOf } from './payout.ts';

const TRANID = tranidOf('ours');
const DONE: Operation = {
  ...{ id: '5', tranid: TRANID, from: 'Z1', to: 'Z200000000000', parts: 100n, fee: 1n, kind: '0', description: 'ours' },
};
const order = { currency: 'WMZ', tranid: TRANID, to: DONE.to, amount: '1', description: 'ours' };
const attempt = {
  ...{ reference: 'ours', items: ['ours'], spends: [], raw: JSON.stringify(order) },
  fee: { currency: 'WMZ', parts: 1n },
};

async function checked(change: Partial<Operation>) {
  const api = { operation: async () => ({ ...DONE, ...change }), transfer: () => assert.fail() } as unknown as WebMoneyApi;
  const payout = payoutOf([{ code: 'WMZ', letter: 'Z', purse: 'Z1' } as WebMoneyCurrency], api);
  return [(await payout.send(attempt)).outcome, (await payout.find(attempt)).outcome];
}

test('recognizes our transfer by its purse, reference and number', async () => {
  assert.deepEqual(await checked({}), ['accepted', 'mined']);
  for (const change of [{ to: 'Z300000000000' }, { description: 'another' }, { tranid: '1' }])
    assert.deepEqual(await checked(change), ['exists', 'absent'], JSON.stringify(change));
});

test('a used number is no refusal, since our transfer may have used it', async () => {
  for (const shown of [() => [], () => [{ ...DONE, to: 'Z300000000000' }], () => assert.fail(new Unreachable('silent'))]) {
    let polls = 0;
    const api = {
      operation: async () => ((polls += 1) === 1 ? undefined : shown()[0]),
      transfer: async () => Promise.reject(new Refusal('103')),
    } as unknown as WebMoneyApi;
    const payout = payoutOf([{ code: 'WMZ', letter: 'Z', purse: 'Z1' } as WebMoneyCurrency], api);
    assert.equal((await payout.send(attempt)).outcome, 'exists');
  }
});
