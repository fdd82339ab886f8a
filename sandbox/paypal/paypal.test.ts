import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { routes } from '@kurs/contract';
import fastify from 'fastify';
import type { Counterpart } from '../counterpart.ts';
import { openPaypal } from './index.ts';
import { memberText } from './messages.ts';

interface World {
  readonly paypal: Counterpart;
  readonly base: string;
  readonly settings: Readonly<Record<string, string>>;
  call(
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: Record<string, unknown> }>;
  close(): Promise<void>;
}

const folder = mkdtempSync(join(tmpdir(), 'paypal-'));
const open: World[] = [];
const closing: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of closing) await close();
  for (const world of open) await world.close();
  rmSync(folder, { recursive: true });
});

async function start(options: Parameters<typeof openPaypal>[0] = {}): Promise<World> {
  const paypal = await openPaypal(options);
  const site = fastify({ forceCloseConnections: true });
  await site.register(async (scope) => paypal.mount(scope), { prefix: '/sandbox/paypal' });
  await site.listen({ host: '127.0.0.1', port: 0 });
  const base = `http://127.0.0.1:${(site.server.address() as AddressInfo).port}/sandbox/paypal`;
  const settings = paypal.provider?.({ base, pages: base }) as Record<string, string>;
  const basic = Buffer.from(`${settings['clientId']}:${settings['clientSecret']}`).toString('base64');
  const reply = await fetch(`${base}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  });
  const { access_token: token } = (await reply.json()) as { access_token: string };
  const world: World = {
    ...{ paypal, base, settings },
    call: async (path, body, headers = {}) => {
      const answer = await fetch(base + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    },
    close: async () => {
      await paypal.close();
      await site.close();
      assert.deepEqual(await paypal.tricks?.['flaws']?.({}), [], 'every answer was one that PayPal’s files allow');
    },
  };
  open.push(world);
  return world;
}

const ORDER = {
  intent: 'CAPTURE',
  purchase_units: [{ amount: { currency_code: 'USD', value: '12.50' }, custom_id: 'ONE' }],
  payment_source: {
    paypal: { experience_context: { return_url: 'https://shop.example/done?a=1', cancel_url: 'https://shop.example/no' } },
  },
};
const PAYOUT = {
  sender_batch_header: { sender_batch_id: 'batch-1', email_subject: 'Hello' },
  items: [
    { recipient_type: 'EMAIL', amount: { currency: 'USD', value: '5.00' }, receiver: 'a@example.com', sender_item_id: 'item-1' },
  ],
};

/** Opens an order and returns its page's address. */
async function order({ call }: World): Promise<{ id: string; page: string }> {
  const { status, body } = await call('/v2/checkout/orders', ORDER);
  assert.equal(status, 201);
  const links = body['links'] as { rel: string; href: string }[];
  return { id: String(body['id']), page: links.find(({ rel }) => rel === 'payer-action')?.href ?? '' };
}

/** Posts the form of a page that leads to `action`, as a browser without scripts would. */
async function submit(from: string, html: string, action: string, nth = 0): Promise<Response> {
  const form = [...html.matchAll(/<form[^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].filter(([, to]) => to === action)[nth];
  assert.ok(form, `the page has a form to ${action}`);
  const fields = [...(form[2] ?? '').matchAll(/<input[^>]*name="([^"]*)"[^>]*value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  return fetch(new URL(action, from), {
    method: 'POST',
    body: new URLSearchParams(fields as [string, string][]),
    redirect: 'manual',
  });
}

test('a payer logs in, pays, and returns to the shop with PayPal’s parameters', async () => {
  const world = await start();
  const { id, page } = await order(world);
  const login = await (await fetch(page)).text();
  assert.match(login, /12\.50 USD/);
  assert.match(login, /no real money/);
  const review = await submit(page, login, 'review');
  assert.equal(review.status, 200);
  const done = await submit(page, await review.text(), 'approve');
  assert.equal(done.status, 303);
  const back = new URL(done.headers.get('location') ?? '');
  assert.equal(back.origin + back.pathname, 'https://shop.example/done');
  assert.deepEqual([back.searchParams.get('a'), back.searchParams.get('token')], ['1', id]);
  assert.match(back.searchParams.get('PayerID') ?? '', /^[2-9A-HJ-NP-Z]{13}$/);
  assert.equal((await world.call(`/v2/checkout/orders/${id}`)).body['status'], 'APPROVED');
  assert.equal((await fetch(page)).status, 409, 'nothing is left to pay');
  const payer = (text: string): string | undefined => /type="email" value="([^"]+)"/.exec(text)?.[1];
  const next = await order(world);
  const cookie = done.headers.get('set-cookie')?.split(';')[0] ?? '';
  assert.equal(
    payer(await (await fetch(next.page, { headers: { cookie } })).text()),
    payer(login),
    'the same browser, the same payer',
  );
  assert.notEqual(payer(await (await fetch(next.page)).text()), payer(login));
  assert.equal((await fetch(`${world.base}/checkoutnow?token=NONE`)).status, 404);
});

test('a payer may cancel, and then nothing is approved', async () => {
  const world = await start();
  const { id, page } = await order(world);
  const gone = await submit(page, await (await fetch(page)).text(), 'cancel');
  assert.equal(gone.headers.get('location'), `https://shop.example/no?token=${id}`);
  assert.equal((await world.call(`/v2/checkout/orders/${id}/capture`, {})).status, 422);
});

test('requests are checked against PayPal’s schemas', async () => {
  const { call, base } = await start();
  const wrong: [string, unknown, number][] = [
    ['/v2/checkout/orders', { intent: 'CAPTURE' }, 400],
    ['/v2/checkout/orders', { ...ORDER, intent: 'STEAL' }, 400],
    ['/v2/checkout/orders', { ...ORDER, purchase_units: [{ amount: { currency_code: 'USD', value: 12.5 } }] }, 400],
    ['/v2/checkout/orders', { ...ORDER, purchase_units: [{ ...ORDER.purchase_units[0], custom_id: 'x'.repeat(128) }] }, 400],
    ['/v2/checkout/orders', { ...ORDER, purchase_units: [{ amount: { currency_code: 'USD', value: '12.505' } }] }, 422],
    ['/v2/checkout/orders', '{"intent":', 400],
    ['/v1/payments/payouts', { ...PAYOUT, items: [] }, 400],
    [
      '/v1/payments/payouts',
      { ...PAYOUT, items: [{ ...PAYOUT.items[0], amount: { currency_code: 'USD', value: '5.00' } }] },
      400,
    ],
    ['/v1/payments/payouts', { ...PAYOUT, items: [{ ...PAYOUT.items[0], receiver: 'nobody' }] }, 400],
    ['/v1/payments/payouts', PAYOUT, 422],
    ['/v1/notifications/verify-webhook-signature', { webhook_id: 'X' }, 400],
  ];
  for (const [path, body, status] of wrong) {
    assert.equal((await call(path, body)).status, status, `${path} ${JSON.stringify(body)}`);
  }
  assert.equal((await call('/v2/checkout/orders/NONE')).status, 404);
  assert.equal((await call('/v2/checkout/orders/NONE', undefined, { authorization: 'Bearer A21NONE' })).status, 401);
  const form = {
    method: 'POST',
    headers: { authorization: 'Basic bm86bm8=', 'content-type': 'application/x-www-form-urlencoded' },
  };
  assert.equal((await fetch(`${base}/v1/oauth2/token`, { ...form, body: 'grant_type=client_credentials' })).status, 401);
});

test('a repeated request id returns the same order, a repeated batch id is refused with a link to the first', async () => {
  const { call, paypal } = await start();
  const again = { 'paypal-request-id': 'once' };
  const [first, second] = [await call('/v2/checkout/orders', ORDER, again), await call('/v2/checkout/orders', ORDER, again)];
  assert.deepEqual([first.status, second.status, second.body['id']], [201, 200, first.body['id']]);
  await paypal.fund({ currency: 'PAYPAL_USD', to: '', amount: '100.00' });
  const made = await call('/v1/payments/payouts', PAYOUT);
  assert.equal(made.status, 201);
  const refused = await call('/v1/payments/payouts', PAYOUT, { 'paypal-request-id': 'another' });
  assert.equal(refused.status, 400);
  const [detail] = refused.body['details'] as { link: { href: string }[] }[];
  const { payout_batch_id: id } = made.body['batch_header'] as { payout_batch_id: string };
  assert.match(detail?.link[0]?.href ?? '', new RegExp(`/v1/payments/payouts/${id}$`));
  assert.equal(await paypal.balance('PAYPAL_USD', 'desk@business.example.com'), '94.90');
});

test('an account whose payer takes back what was spent is below zero, and the sandbox’s call says so', async () => {
  const world = await start();
  const { id, page } = await order(world);
  const way = { method: 'GET', url: page, fields: {} } as const;
  const paid = { way, to: '', amount: '12.50', currency: 'PAYPAL_USD', fee: 'normal', isReplaceable: false } as const;
  const { txid: to } = await world.paypal.pay(paid);
  const { body } = await world.call(`/v2/checkout/orders/${id}/capture`, {});
  assert.deepEqual([to, body['status']], [id, 'COMPLETED']);
  const [capture] = (body['purchase_units'] as { payments: { captures: { id: string }[] } }[])[0]?.payments.captures ?? [];
  await world.paypal.tricks?.['chargeback']?.({ key: capture?.id });
  const amount = await world.paypal.balance('PAYPAL_USD', 'desk@business.example.com');
  assert.match(amount, /^-[0-9]/);
  assert.deepEqual(routes.sandboxBalance.output.parse({ amount, currency: 'PAYPAL_USD' }), { amount, currency: 'PAYPAL_USD' });
});

test('a restart retains everything, and processes accepted payouts', async () => {
  const first = await start({ folder, payoutMs: 60_000 });
  await first.paypal.fund({ currency: 'PAYPAL_EUR', to: '', amount: '50.00' });
  const { id } = await order(first);
  const item = { ...PAYOUT.items[0], amount: { currency: 'EUR', value: '20.00' } };
  const { body } = await first.call('/v1/payments/payouts', { ...PAYOUT, items: [item] });
  const { payout_batch_id: batch } = body['batch_header'] as { payout_batch_id: string };
  const second = await start({ folder });
  assert.deepEqual(
    [second.settings['clientId'], second.settings['merchantId']],
    [first.settings['clientId'], first.settings['merchantId']],
  );
  assert.equal((await second.call(`/v2/checkout/orders/${id}`)).body['status'], 'PAYER_ACTION_REQUIRED');
  const paid = await second.call(`/v1/payments/payouts/${batch}`);
  assert.equal((paid.body['batch_header'] as Record<string, unknown>)['batch_status'], 'SUCCESS');
  assert.equal(await second.paypal.balance('PAYPAL_EUR', 'a@example.com'), '20.00');
});

test('people trigger the remaining actions on a page', async () => {
  const world = await start({ payoutMs: 0 });
  await world.paypal.fund({ currency: 'PAYPAL_USD', to: '', amount: '100.00' });
  const { id, page } = await order(world);
  const login = await (await fetch(page)).text();
  await submit(page, await (await submit(page, login, 'review')).text(), 'approve', 1);
  await world.call(`/v2/checkout/orders/${id}/capture`, {});
  await world.call('/v1/payments/payouts', { ...PAYOUT, items: [{ ...PAYOUT.items[0], receiver: 'unclaimed@example.com' }] });
  const home = `${world.base}/`;
  const shown = async (): Promise<string> => (await fetch(home)).text();
  assert.match(await shown(), /PENDING/);
  assert.match(await shown(), /UNCLAIMED/);
  assert.equal((await submit(home, await shown(), 'capture/complete')).headers.get('location'), '../');
  await submit(home, await shown(), 'payout/return');
  assert.match(await shown(), /RETURNED/);
  assert.doesNotMatch(await shown(), /PENDING/);
  // 100.00 and 12.50 less 3.49 % and 0.49; the payout and its fee were returned.
  assert.match(await shown(), /111\.57 USD/);
  await submit(home, await shown(), 'capture/reverse');
  assert.match(await shown(), /REVERSED/);
  assert.match(await shown(), /99\.07 USD/);
});

test('webhooks are registered, and messages are listed, verified and sent again', async () => {
  const { call, base } = await start();
  const came: { body: string; headers: Record<string, string> }[] = [];
  const proxy = fastify({ forceCloseConnections: true });
  closing.push(() => proxy.close());
  proxy.removeAllContentTypeParsers();
  proxy.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  proxy.post('/', async (request, reply) => {
    came.push({ body: String(request.body), headers: request.headers as Record<string, string> });
    // The first attempt is refused.
    return reply.code(came.length === 1 ? 500 : 200).send();
  });
  await proxy.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(proxy.server.address() as AddressInfo).port}/`;
  const made = await call('/v1/notifications/webhooks', { url, event_types: [{ name: 'CHECKOUT.ORDER.APPROVED' }] });
  assert.equal(made.status, 201);
  assert.equal((await call('/v1/notifications/webhooks', { url, event_types: [] })).status, 400, 'one webhook for one address');
  const known = (await call('/v1/notifications/webhooks')).body['webhooks'] as { url: string }[];
  assert.ok(known.some((one) => one.url === url));

  const { page } = await order({ call } as World);
  const login = await (await fetch(page)).text();
  await submit(page, await (await submit(page, login, 'review')).text(), 'approve');
  const arrived = async (count: number): Promise<void> => {
    for (let tries = 0; tries < 1500 && came.length < count; tries += 1) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(came.length, count);
  };
  await arrived(2);
  const [first, second] = came;
  assert.ok(first && second);
  assert.deepEqual(
    [second.body, second.headers['paypal-transmission-id']],
    [first.body, first.headers['paypal-transmission-id']],
  );
  const of = (name: string): string => first.headers[`paypal-${name}`] ?? '';
  const about = {
    ...{ auth_algo: of('auth-algo'), cert_url: of('cert-url'), transmission_id: of('transmission-id') },
    ...{
      transmission_sig: of('transmission-sig'),
      transmission_time: of('transmission-time'),
      webhook_id: String(made.body['id']),
    },
  };
  const verify = async (text: string): Promise<unknown> =>
    (await call('/v1/notifications/verify-webhook-signature', `${JSON.stringify(about).slice(0, -1)},"webhook_event":${text}}`))
      .body;
  assert.deepEqual(await verify(first.body), { verification_status: 'SUCCESS' });
  assert.deepEqual(
    await verify(JSON.stringify(JSON.parse(first.body))),
    { verification_status: 'FAILURE' },
    'its bytes are signed',
  );
  const { id } = JSON.parse(first.body) as { id: string };
  const listed = (await call('/v1/notifications/webhooks-events?event_type=CHECKOUT.ORDER.APPROVED')).body['events'] as {
    id: string;
  }[];
  assert.deepEqual(
    listed.map((one) => one.id),
    [id],
  );
  assert.equal((await call(`/v1/notifications/webhooks-events/${id}/resend`, {})).status, 202);
  await arrived(3);
  assert.match(
    await (await fetch(base + new URL(of('cert-url')).pathname.replace('/sandbox/paypal', ''))).text(),
    /BEGIN CERTIFICATE/,
  );
});

test('a member of a JSON text is returned unparsed', () => {
  const cases: [string, string | undefined][] = [
    ['{"a":1,"b":{"c": [1, 2]}}', '{"c": [1, 2]}'],
    ['{"b" : "x,}]" ,"a":1}', '"x,}]"'],
    ['{"a":{"b":1},"b":2}', '2'],
    ['{"a":"\\"b\\":3","b":1.0}', '1.0'],
    ['{"a":"b","c":[{"b":1}]}', undefined],
    ['', undefined],
  ];
  for (const [json, text] of cases) assert.equal(memberText(json, 'b'), text, json);
});
