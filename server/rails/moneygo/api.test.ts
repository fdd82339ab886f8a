// Tests the client of MoneyGo's API with the answers of docs.money-go.com.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import fastify, { type FastifyInstance } from 'fastify';
import { Unreachable } from '../provider/index.ts';
import { MoneyGoApi, Refusal } from './api.ts';
import { settings as shape } from './config.ts';

let server: FastifyInstance;
let api: MoneyGoApi;
let answers: { status: number; text: string }[] = [];
let requests: { method: string; url: string; body: string; token: string }[] = [];

before(async () => {
  server = fastify({ forceCloseConnections: true });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  server.all('/*', async ({ method, url, body, headers }, reply) => {
    requests.push({ method, url, body: (body ?? '') as string, token: headers.authorization ?? '' });
    if (url === '/token') return { token_type: 'Bearer', expires_in: 3600, access_token: `t${requests.length}` };
    const { status, text } = answers.shift() ?? { status: 500, text: '' };
    return reply.code(status).send(text);
  });
  const base = await server.listen({ host: '127.0.0.1', port: 0 });
  const given = { clientId: 'id', clientSecret: 'client secret', formSecret: 'c0ffee', wallets: { USD: 'U378031' } };
  api = new MoneyGoApi(shape.parse({ api: `${base}/`, ...given }));
});
after(() => server.close());
beforeEach(() => {
  answers = [];
  requests = [];
});
const says = (data: unknown, status = 200) => ({ status, text: JSON.stringify({ status: true, data }) });

/** The documents' example of a look-up. */
const SHOWN = {
  ...{ id: 1, external_id: '12413214241', amount: '1.00', commission: '0.00', type: 'DEPOSIT', status: 'SUCCESS' },
  currency: { id: 1, code: 'USD', precession: 2 },
  processing_pay: {
    ...{ payment_id: '12413214241', signature: 'SIGNATURE', transaction_id: 1, wallet_from: 'U41', wallet_to: 'U378031' },
    ...{ currency_to: 'USD', currency_from: 'USD', amount: 1, status: 'SUCCESS', cancel: false },
  },
};

test('a checkout sends only texts, signed in the order of the documents', async () => {
  answers = [says({ url: 'https://money-go.com/pay/1', expired_at: '2026-11-22' })];
  const urls = { success_url: 'https://k.example/s', cancel_url: 'https://k.example/c', status_url: 'https://k.example/m' };
  const what = { wallet_to: 'U378031', wallet_from: 'U41', amount: '10.50', id: '7K3M9Q2XW4TB8ZND', user_info: 'U41' };
  assert.equal(await api.checkout({ ...what, ...urls }), 'https://money-go.com/pay/1');
  const sent = JSON.parse(requests.at(-1)?.body ?? '') as Record<string, unknown>;
  // By Python's json and hashlib over {"wallet_to":…,"wallet_from":…,"amount":…,"id":…,"secret":"c0ffee"}.
  assert.equal(sent['signature'], 'cd2a3eaa425ffeb4ca16234946688877feff4fe8e1dc5f62692f1d5568188bb6');
  assert.equal(sent['amount'], '10.50');
  assert.ok(!requests.at(-1)?.body.includes('c0ffee'));
});

test('a token is requested once, and reused', async () => {
  answers = [says([]), says([])];
  await api.wallets();
  await api.wallets();
  assert.ok(requests.filter(({ url }) => url === '/token').length <= 1);
  assert.equal(new Set(requests.filter(({ url }) => url !== '/token').map(({ token }) => token)).size, 1);
});

test('the documents’ examples are read: wallets to the minor unit, a movement by our reference', async () => {
  answers = [
    says([{ id: 8031, amount: 1698.1, amountLimit: 100, status: 0, number: 'U378031', active_amount: 1698 }]),
    says(SHOWN),
  ];
  assert.deepEqual([...(await api.wallets())], [['U378031', { amount: '1698.1', active: '1698' }]]);
  assert.deepEqual(await api.transaction('12413214241'), {
    ...{ id: '1', reference: '12413214241', amount: '1.00', fee: '0.00', type: 'DEPOSIT', status: 'SUCCESS', currency: 'USD' },
    form: { from: 'U41', to: 'U378031', isCancelled: false },
  });
  assert.equal(requests.at(-1)?.url, '/api/transaction/show?external_id=12413214241');
});

test('a 404 or an empty answer means an unknown reference', async () => {
  answers = [{ status: 404, text: '{"status":false,"message":"Not found"}' }, says(null)];
  assert.equal(await api.transaction('a'), undefined);
  assert.equal(await api.transaction('a'), undefined);
});

test('an answer about another movement, and an unclear one, count as no answer', async () => {
  const unclear = [
    says({ ...SHOWN, external_id: 'another' }),
    says({ ...SHOWN, amount: null }),
    { status: 200, text: '{"status":true' },
  ];
  const statuses = [408, 409, 425, 429, 500, 502, 302].map((status) => ({ status, text: '{"status":false}' }));
  for (const each of [...unclear, ...statuses, { status: 200, text: '<html></html>' }, { status: 404, text: '<html></html>' }]) {
    answers = [each];
    await assert.rejects(api.transaction('12413214241'), Unreachable, JSON.stringify(each));
  }
});

test('an answer in the service’s own form of a refusal is a refusal', async () => {
  for (const each of [
    { status: 422, text: '{"status":false}' },
    { status: 400, text: '{}' },
    { status: 200, text: '{"status":false}' },
  ]) {
    answers = [each];
    const order = { wallet_from: 'U378031', wallet_to: 'U41', amount: '1.00', payment_id: 'x', description: 'x' };
    await assert.rejects(api.transfer(order), Refusal);
  }
});
