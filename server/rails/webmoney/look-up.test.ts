// Tests interface X18, with answers from its documentation and public clients, and the JSON interfaces.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import fastify, { type FastifyInstance } from 'fastify';
import { Unreachable } from '../provider/index.ts';
import { Refusal, WebMoneyApi } from './api.ts';
import { type WebMoneyCurrency, currenciesOf, settings as shape } from './config.ts';
import { merchantPayment } from './look-up.ts';

let server: FastifyInstance;
let answer = { status: 200, text: '' };
let request = { body: '', token: '' };
let settings: ReturnType<typeof shape.parse>;
let wmz: WebMoneyCurrency;

before(async () => {
  server = fastify({ forceCloseConnections: true });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  server.post('/*', async ({ body, headers }, reply) => {
    request = { body: body as string, token: headers.authorization ?? '' };
    return reply.code(answer.status).send(answer.text);
  });
  const base = await server.listen({ host: '127.0.0.1', port: 0 });
  settings = shape.parse({
    ...{ lookUp: `${base}/conf/xml/XMLTransGet.asp`, api: `${base}/json/V1/`, wmid: '123456789012', firstNumber: 1 },
    purses: { WMZ: { purse: 'Z100000000001', secretKey: 'the key', secretX20: 'x20 secret', token: 'a.b.c' } },
  });
  [wmz] = currenciesOf(settings) as [WebMoneyCurrency];
});
after(() => server.close());
beforeEach(() => {
  answer = { status: 200, text: '' };
});

const says = (retval: string, inner = ''): { status: number; text: string } => ({
  status: 200,
  text: `<?xml version="1.0" encoding="windows-1251"?><merchant.response>${inner}<retval>${retval}</retval><retdesc></retdesc></merchant.response>`,
});
const operation = (changes: Readonly<Record<string, string>> = {}): string => {
  const { id = '987', ...fields } = {
    amount: '10.5',
    operdate: '20261122 13:00:00',
    pursefrom: 'Z200000000002',
    hold_period: '',
    ...changes,
  };
  const inner = Object.entries(fields).map(([name, value]) => `<${name}>${value}</${name}>`);
  return `<operation wmtransid="${id}" wminvoiceid="654">${inner.join('')}<capitallerflag>0</capitallerflag></operation>`;
};
const poll = () => merchantPayment(settings, wmz, '1000007');

test('looks a payment up by purse and number, signs with the purse’s key, and reads Moscow’s time', async () => {
  answer = says('0', operation());
  assert.deepEqual(await poll(), {
    id: '987',
    parts: 1050n,
    at: new Date('2026-11-22T10:00:00Z'),
    from: 'Z200000000002',
    isHeld: false,
  });
  // Made by Python: sha256('123456789012' + 'Z100000000001' + '1000007' + 'the key')
  assert.match(request.body, /<sha256>143d78fa7eccfe810d906787cd120b282b88b4066122d182a7a53deae54c30c4<\/sha256>/);
  assert.match(request.body, /<lmi_payment_no>1000007<\/lmi_payment_no><lmi_payment_no_type>1</);
  assert.doesNotMatch(request.body, /the key/);
});

test('shows a payment with any days of hold as held', async () => {
  answer = says('0', operation({ hold_period: '0' }));
  assert.equal((await poll())?.isHeld, false);
  answer = says('0', operation({ hold_period: '30' }));
  assert.equal((await poll())?.isHeld, true);
});

test('returns nothing for an unknown, unpaid or rejected payment', async () => {
  for (const retval of ['7', '8', '9', '13']) {
    answer = says(retval);
    assert.equal(await poll(), undefined, retval);
  }
});

test('throws for every other answer', async () => {
  const unclear = [
    ...['-100', '-2', '-7', '-8', '1', '2', '4', '6', '10', '12', ''].map((retval) => says(retval)),
    ...[says('0'), says('0', operation({ id: '0' })), says('0', operation() + operation())],
    ...[says('0', operation({ amount: '-1' })), says('0', operation({ operdate: '22.11.2026' }))],
    ...[
      { status: 200, text: says('0', operation()).text.slice(0, 200) },
      { ...says('8'), status: 503 },
    ],
    ...[
      { status: 200, text: '<html><body>Service is unavailable</body></html>' },
      { status: 200, text: '' },
    ],
  ];
  for (const each of unclear) {
    answer = each;
    await assert.rejects(poll(), Unreachable, each.text);
  }
});

test('sends a transfer with exact numbers and the purse’s token, and reads exact numbers', async () => {
  const row = { id: 1, ts: 1, pursesrc: 'Z100000000001', pursedest: 'Z200000000002', opertype: 0, desc: 'ref' };
  answer.text = `{"reqn":1,"retval":0,"retdesc":"OK","operation":${JSON.stringify(row).slice(0, -1)},"tranid":4503599627370496,"amount":90071992547409.90,"comiss":50}}`;
  const order = { tranid: '4503599627370496', to: 'Z200000000002', amount: '90071992547409.9', description: 'ref' };
  const done = await new WebMoneyApi(settings).transfer(wmz, order);
  assert.deepEqual([done.tranid, done.parts, done.fee], ['4503599627370496', 9_007_199_254_740_990n, 5_000n]);
  assert.equal(request.token, 'Bearer a.b.c');
  assert.match(request.body, /"tranid":4503599627370496,"pursedest":"Z200000000002","amount":90071992547409.9,/);
  assert.match(request.body, /"onlyauth":1}$/);
});

test('reads a list that ends in an error as a refusal, and throws Unreachable for other text', async () => {
  const api = new WebMoneyApi(settings);
  answer.text = '{"reqn":1,"operations":[{"id":1}],"retval":-1,"retdesc":"x"}';
  await assert.rejects(api.operation(wmz, '5'), (error) => error instanceof Refusal && error.code === '-1');
  answer = { status: 401, text: '{"retval":401,"retdesc":"Authorization error"}' };
  await assert.rejects(api.balance(wmz), (error) => error instanceof Refusal && error.code === '401');
  for (const each of [
    { status: 200, text: '{"reqn":1,"operations":[{"id":1}' },
    { status: 502, text: '{"retval":0}' },
    { status: 200, text: '{"retval":0}' },
  ]) {
    answer = each;
    await assert.rejects(api.operation(wmz, '5'), Unreachable, each.text);
  }
});
