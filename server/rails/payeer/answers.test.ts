import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Unreachable } from '../provider/index.ts';
import { jsonNumber } from '../provider/exact-json.ts';
import type { Attempt, Rail } from '../rail.ts';
import { PayeerRefusal } from './client.ts';
import { provider } from './index.ts';

/** The item that Payeer's documents show (rest-api, "Payment details"). */
const ITEM = {
  ...{ amount: 1, currency: 'USD', description: 'Test payment', referenceId: 'REF1', created: '2020-01-20 14:05:30' },
  ...{ processed: '2020-01-20 14:05:48', paySystemName: 'Payeer', paySystemId: '2609', clientAmount: 1, clientCurrency: 'USD' },
  ...{ clientAccount: 'P1000001', clientEmail: 'client@payeer.com', profitAmount: 0.99, profitCurrency: 'USD' },
  ...{ profitTransactionId: '928562504', merchantTransactionId: '928562360', created_ts: 1579518330, processed_ts: 1579518348 },
  ...{ merchantFee: 0.01, merchantCurrency: 'USD' },
};

/** A row of the history in the documents' fields. */
const ROW = {
  ...{ id: '925947210', date: '2020-01-20 14:05:48', type: 'transfer', status: 'success', from: 'P1000000', to: 'P1000001' },
  ...{ debitedAmount: '1.01', debitedCurrency: 'USD', creditedAmount: '1', creditedCurrency: 'USD', payeerFee: 0.01, gateFee: 0 },
  ...{ comment: 'payout-1', referenceId: 'payout-1', exchangeRate: 1, protect: 'N', protectDay: null, isApi: 'Y' },
};

const ATTEMPT: Attempt = {
  ...{ reference: 'payout-1', items: ['payout-1'], spends: [], fee: { currency: 'PAYEER_USD', parts: 0n } },
  raw: JSON.stringify({
    curIn: 'USD',
    curOut: 'USD',
    sumOut: '1.00',
    to: 'P1000001',
    comment: 'payout-1',
    referenceId: 'payout-1',
  }),
};

describe('Payeer’s answers', () => {
  let answers: Record<string, unknown> = {};
  const requests: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      const form = new URLSearchParams(body);
      requests.push(form);
      const answer = answers[form.get('action') ?? ''];
      response.end(typeof answer === 'string' ? answer : JSON.stringify({ auth_error: '0', errors: [], ...(answer as object) }));
    });
  });
  let rail: Rail;
  before(async () => {
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api.php`;
    const said = provider.settings.parse({
      apiUrl,
      account: 'P1000000',
      apiId: '12345',
      apiPass: 'qwerty',
      shop: '777',
      secret: 's',
    });
    rail = provider.open(said, { reference: String, webhookUrl: '', siteUrl: (path: string) => path });
  });
  after(() => server.close());
  beforeEach(() => {
    answers = {};
    requests.length = 0;
  });

  const observe = async (...items: readonly unknown[]) => {
    answers = { paymentDetails: { success: true, items } };
    return (await rail.payin?.observe([{ currency: 'PAYEER_USD', to: 'REF1', sinceHeight: 0 }])) ?? [];
  };

  it('are read as the documents show them', async () => {
    assert.deepEqual(await observe(ITEM), [
      {
        ...{ key: '928562504', txid: '928562504', currency: 'PAYEER_USD', to: 'REF1', parts: 100n, fee: 1n, from: ['P1000001'] },
        source: { fields: { account: 'P1000001' }, key: 'P1000001' },
        status: {
          ...{ at: 'block', height: 0, hash: '', confirmations: 1, isFinalised: true },
          minedAt: new Date('2020-01-20T11:05:48Z'),
        },
      },
    ]);
    const form = requests[0];
    const sent = ['account', 'apiId', 'apiPass', 'merchantId', 'referenceId'].map((name) => form?.get(name));
    assert.deepEqual(sent, ['P1000000', '12345', 'qwerty', '777', 'REF1']);
  });

  it('count only if they show a payment of the requested reference', async () => {
    assert.deepEqual(await observe({ ...ITEM, referenceId: 'REF2' }), []);
    assert.deepEqual(await observe({ ...ITEM, processed: null, processed_ts: null, profitTransactionId: null }), []);
    assert.deepEqual(await observe({ ...ITEM, processed_ts: 0 }), []);
    assert.equal((await observe(ITEM, { ...ITEM, profitTransactionId: '928562505' })).length, 2);
  });

  it('keep each digit of an amount and of an id', async () => {
    const [large] = await observe({
      ...{ ...ITEM, amount: jsonNumber('90071992547409.93'), profitAmount: jsonNumber('90071992547409.93') },
      profitTransactionId: jsonNumber('9007199254740993'),
    });
    assert.deepEqual([large?.parts, large?.txid], [9_007_199_254_740_993n, '9007199254740993']);
  });

  it('show a payment in the currency that was credited, and no source for a refund without an account', async () => {
    const [exchanged] = await observe({ ...ITEM, profitCurrency: 'EUR', profitAmount: 0.9 });
    assert.deepEqual([exchanged?.currency, exchanged?.parts, exchanged?.fee], ['PAYEER_EUR', 90n, 0n]);
    const [request] = await observe({ ...ITEM, currency: 'EUR', amount: 100, profitAmount: 0.9 });
    assert.deepEqual(
      [request?.currency, request?.parts, request?.fee],
      ['PAYEER_USD', 90n, 0n],
      'a sum in euros is none in dollars',
    );
    assert.deepEqual(await observe({ ...ITEM, profitCurrency: 'BTC' }), [], 'one in none of ours is left out and reported');
    const [card] = await observe({ ...ITEM, clientAccount: null, paySystemId: '1' });
    assert.deepEqual([card?.from, card?.source], [[], undefined]);
  });

  it('prove nothing if they have errors in any form, or another shape', async () => {
    const observed = () => rail.payin?.observe([{ currency: 'PAYEER_USD', to: 'REF1', sinceHeight: 0 }]) ?? assert.fail();
    for (const errors of [['x'], { a: 'x' }, 'x', true]) {
      answers = { paymentDetails: { errors, items: [] } };
      await assert.rejects(observed(), PayeerRefusal, JSON.stringify(errors));
    }
    for (const answer of [
      '',
      '<html>Just a moment…</html>',
      '[]',
      '{"errors":[]}',
      '{"auth_error":"0","errors":[],"items":"x"}',
    ]) {
      answers = { paymentDetails: answer };
      await assert.rejects(observed(), Unreachable, answer);
    }
    answers = { paymentDetails: { auth_error: '1', errors: ['IP 1.2.3.4 does not satisfy the security settings'] } };
    await assert.rejects(observed(), PayeerRefusal);
  });

  const found = async (status: string) => {
    answers = { payoutDetails: { history: { '925947210': { ...ROW, status } } } };
    return rail.payout?.find(ATTEMPT);
  };

  it('show the outcome of a transfer by its status', async () => {
    const end = { height: 0, confirmations: 1, isFinalised: true };
    assert.deepEqual(await found('success'), { outcome: 'mined', txid: '925947210', ok: true, ...end, fee: 1n });
    assert.deepEqual(await found('canceled'), { outcome: 'mined', txid: '925947210', ok: false, ...end, fee: 0n });
    for (const status of ['processing', 'pending', 'waiting']) {
      assert.deepEqual(await found(status), { outcome: 'pending', txid: '925947210' });
    }
  });

  it('are searched by the comment if the reference shows nothing', async () => {
    answers = { payoutDetails: { history: [] }, history: { history: { 1: { ...ROW, referenceId: null } } } };
    assert.equal((await rail.payout?.find(ATTEMPT))?.outcome, 'mined');
    answers = {
      payoutDetails: { history: [] },
      history: { history: { 1: { ...ROW, referenceId: null, comment: 'payout-10' } } },
    };
    assert.deepEqual(await rail.payout?.find(ATTEMPT), { outcome: 'absent', isConclusive: false });
  });

  it('to a transfer are a definite refusal only if the documents name their error', async () => {
    const outcome = async (transfer: unknown) => {
      answers = { payoutDetails: { history: [] }, history: { history: [] }, transfer };
      return (await rail.payout?.send(ATTEMPT))?.outcome;
    };
    assert.equal(await outcome({ errors: false, success: true, historyId: 925947210 }), 'accepted');
    for (const error of ['balanceError', 'toError', 'outputHold', 'transferToForbiddenCountry']) {
      assert.equal(await outcome({ errors: [error], success: false }), 'refused', error);
    }
    for (const error of ['referenceIdExist', 'The transfer already exists'])
      assert.equal(await outcome({ errors: [error, 'balanceError'], success: false }), 'exists', error);
    for (const answer of [
      { errors: ['transferError'] },
      { errors: ['somethingNew'] },
      { success: true },
      { success: false },
      '',
      '<html>',
    ]) {
      assert.equal(await outcome(answer), 'unknown', JSON.stringify(answer));
    }
  });
});
