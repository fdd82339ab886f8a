// Only a definite refusal counts as one: an error that may follow an executed send leaves it in doubt, on any provider's rail.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MoneyGoApi, Refusal } from './moneygo/api.ts';
import { payoutOf as moneygo } from './moneygo/payout.ts';
import { PerfectMoneyRefusal } from './perfectmoney/client.ts';
import { perfectMoneyPayout } from './perfectmoney/payout.ts';
import type { Payout } from './rail.ts';
import type { VoletApi } from './volet/api.ts';
import { payoutOf as volet } from './volet/payout.ts';
import { Fault } from './volet/soap.ts';

const outcomeOf = async (payout: Pick<Payout, 'send'>, raw: object): Promise<string> => {
  const fee = { currency: 'USD', parts: 0n };
  return (await payout.send({ reference: 'ours', items: ['ours'], spends: [], raw: JSON.stringify(raw), fee })).outcome;
};

test('MoneyGo: a used reference exists, and other errors of a request are a refusal', async () => {
  const raw = { wallet_from: 'U1', wallet_to: 'U2', amount: '1', payment_id: 'ours', description: 'ours' };
  const said = (refusal: Refusal) => {
    const api = { transaction: async () => undefined, transfer: () => Promise.reject(refusal) } as unknown as MoneyGoApi;
    return outcomeOf(moneygo([], api), raw);
  };
  const words = '{"status":false,"errors":{"payment_id":["The payment id has already been taken."]}}';
  assert.equal(await said(new Refusal(422, words)), 'exists');
  assert.equal(await said(new Refusal(400, '{"status":false,"message":"Duplicate transaction"}')), 'exists');
  assert.equal(await said(new Refusal(422, '{"status":false,"errors":{"amount":["Not enough money"]}}')), 'refused');
});

test('Volet: errors about an existing transaction and internal errors leave a send unknown', async () => {
  const raw = { amount: '1', currency: 'USD', note: 'ours', receiver: { email: 'a@b.example' }, at: '2026-11-25T00:00:00.000Z' };
  const said = (type: string) => {
    const api = { outgoing: async () => undefined, send: () => Promise.reject(new Fault(type)) } as unknown as VoletApi;
    return outcomeOf(volet([], api), raw);
  };
  for (const type of ['TransactionTemporaryNotAvailableException', 'TransactionIsNotAvailableException', 'InternalException'])
    assert.equal(await said(type), 'unknown', type);
  assert.equal(await said('NotEnoughMoneyException'), 'refused');
});

test('Perfect Money: only errors about the caller, the account or the sum are a refusal', async () => {
  const raw = { currency: 'PMV_USD', account: 'U1', amount: '1.00', at: '2026-11-25T00:00:00.000Z', before: [] };
  const said = (words: string) => {
    const client = { list: async () => [], act: () => Promise.reject(new PerfectMoneyRefusal(words)) };
    return outcomeOf(perfectMoneyPayout({} as never, client), raw);
  };
  for (const words of ['Not enough money to pay', 'Can not login with passed AccountID', 'Invalid Amount'])
    assert.equal(await said(words), 'refused', words);
  for (const words of ['Internal error', 'Try again later', 'Request is being processed'])
    assert.equal(await said(words), 'unknown', words);
});
