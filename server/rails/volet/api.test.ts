// Calls of the SOAP service, and the handling of its odd answers.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import fastify, { type FastifyInstance } from 'fastify';
import { Unreachable } from '../provider/index.ts';
import { VoletApi } from './api.ts';
import { settings as shape } from './config.ts';
import { Fault } from './soap.ts';

let server: FastifyInstance;
let answers: { status: number; text: string }[] = [];
let requests: { body: string; headers: Record<string, unknown> }[] = [];
let api: (now?: string) => VoletApi;

before(async () => {
  server = fastify({ forceCloseConnections: true });
  server.addContentTypeParser('text/xml', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  server.post('/soap', async ({ body, headers }, reply) => {
    requests.push({ body: body as string, headers });
    const { status, text } = answers.shift() ?? { status: 500, text: '' };
    return reply.code(status).type('text/xml').send(text);
  });
  const url = `${await server.listen({ host: '127.0.0.1', port: 0 })}/soap`;
  const settings = shape.parse({
    ...{ api: url, account: 'shop@kurs.example', sciName: 'Kurs', sciPassword: 'sci secret' },
    ...{ apiName: 'payouts', apiPassword: 'api secret', wallets: { USD: 'U100000000001' } },
  });
  api = (now = '2026-07-01T23:30:00Z') => new VoletApi(settings, () => new Date(now));
});
after(() => server.close());
beforeEach(() => {
  answers = [];
  requests = [];
});

const body = (inner: string): string =>
  `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>${inner}</soap:Body></soap:Envelope>`;
const fault = (type: string) => ({
  status: 500,
  text: body(
    `<soap:Fault><faultcode>soap:Server</faultcode><detail><ns1:${type} xmlns:ns1="http://wsm.advcash/"/></detail></soap:Fault>`,
  ),
});
const good = (operation: string, inner: string) => ({
  status: 200,
  text: body(`<ns2:${operation}Response xmlns:ns2="http://wsm.advcash/">${inner}</ns2:${operation}Response>`),
});
/** Tokens computed by Python's hashlib: `sha256('api secret:20260701:23')`, and the same for the next hour. */
const [TOKEN_23, TOKEN_00] = [
  '0d2780105fa6a0b512abd538a0ea3256722098ad3e6b0d39179b808c0c1a78be',
  '86383810f8683d11bcc9e0861202da67f6055cfa9c2f28fa184fd87340612ab9',
];

test('sends the account, the token of the UTC hour and a User-Agent, and reads balances exactly', async () => {
  answers = [
    good(
      'getBalances',
      '<return><amount>10.50</amount><id>U100000000001</id></return><return><amount>3</amount><id>E1</id></return>',
    ),
  ];
  assert.deepEqual(
    [...(await api().balances())],
    [
      ['U100000000001', 1050n],
      ['E1', 300n],
    ],
  );
  const [call] = requests;
  assert.ok(call);
  assert.ok(call.body.includes(`<authenticationToken>${TOKEN_23}</authenticationToken>`));
  assert.ok(call.body.includes('<accountEmail>shop@kurs.example</accountEmail><apiName>payouts</apiName>'));
  assert.match(String(call.headers['user-agent']), /^Kurs/);
  assert.ok(!call.body.includes('api secret'));
});

test('tries the neighbouring hour’s token once, and only around a change of hour', async () => {
  answers = [fault('NotAuthException'), good('getBalances', '')];
  await api('2026-07-01T23:58:00Z').balances();
  assert.deepEqual(
    requests.map((call) => [call.body.includes(TOKEN_23), call.body.includes(TOKEN_00)]),
    [
      [true, false],
      [false, true],
    ],
  );

  answers = [fault('NotAuthException'), fault('NotAuthException'), good('getBalances', '')];
  await assert.rejects(
    api('2026-07-02T00:02:00Z').balances(),
    (error) => error instanceof Fault && error.type === 'NotAuthException',
  );
  assert.equal(requests.length, 4, 'no third try');

  answers = [fault('NotAuthException'), good('getBalances', '')];
  await assert.rejects(api('2026-07-01T23:30:00Z').balances(), Fault);
  assert.equal(requests.length, 5);
});

test('does not retry after another fault', async () => {
  answers = [fault('WrongIpException'), good('sendMoney', '<return>1</return>')];
  const order = { amount: '1.00', currency: 'USD', note: 'n', receiver: { walletId: 'U200000000002' } };
  await assert.rejects(
    api('2026-07-01T23:59:00Z').send(order),
    (error) => error instanceof Fault && error.type === 'WrongIpException',
  );
  assert.equal(requests.length, 1);
});

test('escapes a typed text, so that it can’t change the message', async () => {
  answers = [good('sendMoney', '<return>tx</return>')];
  const order = { amount: '1.00', currency: 'USD', note: '</note><amount>999.00</amount>&', receiver: { email: 'a@b.example' } };
  await api().send(order);
  assert.ok(requests[0]?.body.includes('<note>&lt;/note&gt;&lt;amount&gt;999.00&lt;/amount&gt;&amp;</note>'));
});

const unclear: readonly (readonly [string, { status: number; text: string }])[] = [
  ['breaks off', { status: 200, text: body('<ns2:getBalancesResponse><return><amount>10').slice(0, 120) }],
  ['is an HTML page', { status: 502, text: '<html><body>Bad gateway</body></html>' }],
  ['is empty', { status: 200, text: '' }],
  ['answers another call', good('history', '')],
  ['has a wrong status', { ...good('getBalances', ''), status: 503 }],
  ['is a fault without a type', { status: 500, text: body('<soap:Fault><faultstring>oops</faultstring></soap:Fault>') }],
  ['declares its own entities', { status: 200, text: `<!DOCTYPE a [<!ENTITY b "c">]>${good('getBalances', '').text}` }],
  ['has an amount in another notation', good('getBalances', '<return><amount>1e3</amount><id>U1</id></return>')],
  ['has a negative amount', good('getBalances', '<return><amount>-3.00</amount><id>U1</id></return>')],
];
for (const [words, answer] of unclear) {
  test(`throws Unreachable if the answer ${words}`, async () => {
    answers = [answer];
    await assert.rejects(api().balances(), Unreachable);
  });
}

test('reads a long history page by page, in order', async () => {
  const row = (comment: string) =>
    `<return><id>tx-${comment}</id><comment>${comment}</comment><direction>OUTGOING</direction><status>COMPLETED</status></return>`;
  answers = [good('history', row('other').repeat(100)), good('history', row('mine'))];
  const found = await api().outgoing('mine', new Date('2026-07-01T22:00:00Z'));
  assert.equal(found?.id, 'tx-mine');
  assert.ok(requests[0]?.body.includes('<from>0</from>') && requests[1]?.body.includes('<from>100</from>'));
  assert.ok(requests[0]?.body.includes('<startTimeFrom>2026-07-01T22:00:00.000Z</startTimeFrom>'));
  answers = [good('history', row('mine').replace('OUTGOING', 'INCOMING'))];
  assert.equal(await api().outgoing('mine', new Date()), undefined, 'an incoming transaction is no send of ours');
});
