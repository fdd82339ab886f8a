import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import fastify, { type FastifyReply } from 'fastify';
import { money } from '@kurs/money';
import { Unreachable } from '../provider/index.ts';
import { codeOf, partsOf, valueOf } from './amounts.ts';
import { idIn, openPayPal, refusalOf } from './client.ts';
import { settings } from './config.ts';
import * as shapes from './shapes.ts';

const closing: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of closing) await close();
});

/** Starts a fake PayPal that gives tokens and otherwise a test's answers. */
async function fake(answer: (token: string, reply: FastifyReply) => unknown, seconds = 32_400) {
  const requests: string[] = [];
  const site = fastify({ forceCloseConnections: true });
  site.removeAllContentTypeParsers();
  site.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  site.post('/v1/oauth2/token', async (request) => {
    requests.push(`${request.headers.authorization} ${String(request.body)}`);
    return { access_token: `token-${requests.length}`, expires_in: seconds };
  });
  site.get('/v2/*', async (request, reply) => answer(request.headers.authorization?.split(' ')[1] ?? '', reply));
  await site.listen({ host: '127.0.0.1', port: 0 });
  closing.push(() => site.close());
  const api = `http://127.0.0.1:${(site.server.address() as AddressInfo).port}/`;
  const said = { api, clientId: 'a', clientSecret: 'b', merchantId: '2222222222222', webhookId: 'W' };
  return { requests, client: openPayPal(settings.parse(said)) };
}

const REFUND = { id: 'R', status: 'COMPLETED', amount: { currency_code: 'USD', value: '1.00' } };

test('requests one token for all callers, and uses it until shortly before it expires', async () => {
  const { requests, client } = await fake(() => REFUND);
  await Promise.all(Array.from({ length: 10 }, () => client.read('/v2/payments/refunds/R', shapes.refund)));
  await client.read('/v2/payments/refunds/R', shapes.refund);
  assert.deepEqual(requests, [`Basic ${Buffer.from('a:b').toString('base64')} grant_type=client_credentials`]);
});

test('replaces a rejected token once, and throws at a second rejection', async () => {
  const { requests, client } = await fake((token, reply) => (token === 'token-2' ? REFUND : reply.code(401).send({})));
  assert.equal((await client.read('/v2/payments/refunds/R', shapes.refund))?.id, 'R');
  assert.equal(requests.length, 2);
  const shut = await fake((_token, reply) => reply.code(401).send({}));
  await assert.rejects(shut.client.read('/v2/payments/refunds/R', shapes.refund), Unreachable);
  assert.equal(shut.requests.length, 2);
});

test('throws Unreachable for any answer but the requested object or 404', async () => {
  const answers: [number, unknown][] = [
    [500, REFUND],
    [200, { ...REFUND, status: 'LOST' }],
    [200, 'hello'],
    [302, REFUND],
    [429, {}],
  ];
  for (const [status, body] of answers) {
    const { client } = await fake((_token, reply) => reply.code(status).send(body));
    await assert.rejects(client.read('/v2/x', shapes.refund), Unreachable, `${status} ${JSON.stringify(body)}`);
  }
  const { client } = await fake((_token, reply) => reply.code(404).send({}));
  assert.equal(await client.read('/v2/x', shapes.refund), undefined);
});

test('reads only a definite refusal as one', () => {
  const reply = (status: number, body: unknown) => ({ status, text: JSON.stringify(body), headers: new Headers() });
  const no = { name: 'UNPROCESSABLE_ENTITY', details: [{ issue: 'ORDER_NOT_APPROVED' }] };
  assert.equal(refusalOf(reply(422, no))?.reason, 'UNPROCESSABLE_ENTITY: ORDER_NOT_APPROVED');
  for (const status of [200, 201, 401, 409, 429, 500, 503]) assert.equal(refusalOf(reply(status, no)), undefined, `${status}`);
  assert.throws(() => refusalOf(reply(400, 'a proxy says hello')), Unreachable);
});

test('takes an id from the end of a link to its folder', () => {
  const links = [{ href: 'https://api.paypal.com/v2/payments/captures/2GG279541U471931P' }];
  assert.equal(idIn(links, 'captures'), '2GG279541U471931P');
  assert.equal(idIn(links, 'orders'), undefined);
  assert.equal(idIn([{ href: 'https://api.paypal.com/v2/payments/captures/2GG/refund' }], 'captures'), undefined);
  assert.equal(idIn([{ href: 'https://api.paypal.com/v2/payments/captures/../x y' }], 'captures'), undefined);
});

test('writes amounts with the decimals of PayPal’s currency, and reads only those of the same currency', () => {
  assert.equal(valueOf(money('PAYPAL_USD', 1_050n), 'USD'), '10.50');
  assert.equal(valueOf(money('PAYPAL_EUR', 5n), 'EUR'), '0.05');
  assert.equal(valueOf(money('PAYPAL_USD', 1_000n), 'JPY'), '10');
  assert.throws(() => valueOf(money('PAYPAL_USD', 1_050n), 'HUF'), RangeError);
  assert.equal(codeOf('PAYPAL_EUR'), 'EUR');
  assert.throws(() => codeOf('PAYEER_USD'));
  assert.equal(partsOf('PAYPAL_USD', 'USD', '10.50'), 1_050n);
  assert.equal(partsOf('PAYPAL_USD', 'USD', '10.5'), 1_050n);
  assert.equal(partsOf('PAYPAL_USD', 'EUR', '10.50'), undefined);
  for (const value of ['-1.00', '1e3', '', '1,00', '1.005'])
    assert.throws(() => partsOf('PAYPAL_USD', 'USD', value), Unreachable, value);
});
