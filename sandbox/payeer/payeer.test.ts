import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fastify, { type FastifyInstance } from 'fastify';
import type { Counterpart } from '../counterpart.ts';
import { openPayeer } from './index.ts';

/** Returns a shop's form, made independently from the documents. */
function formOf(settings: Readonly<Record<string, unknown>>, order: string, amount = '12.30'): Record<string, string> {
  const fields = [String(settings['shop']), order, amount, 'USD', Buffer.from('KU-1').toString('base64')];
  const sign = createHash('sha256')
    .update([...fields, settings['secret']].join(':'))
    .digest('hex')
    .toUpperCase();
  const [m_shop = '', m_orderid = '', m_amount = '', m_curr = '', m_desc = ''] = fields;
  return { m_shop, m_orderid, m_amount, m_curr, m_desc, m_sign: sign, m_process: 'send' };
}

describe('Payeer’s pages, walked through like a browser does', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kurs-payeer-'));
  let payeer: Counterpart;
  let server: FastifyInstance;
  let base = '';
  let settings: Readonly<Record<string, unknown>> = {};
  const reported: URLSearchParams[] = [];
  // Product that refuses the first message.
  const product = createServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      reported.push(new URLSearchParams(body));
      response.end(`${reported.at(-1)?.get('m_orderid')}|${reported.length > 1 ? 'success' : 'error'}`);
    });
  });

  const start = async (): Promise<void> => {
    payeer = await openPayeer({ folder });
    server = fastify({ forceCloseConnections: true });
    await server.register(async (scope) => payeer.mount(scope), { prefix: '/sandbox/payeer' });
    await server.listen({ host: '127.0.0.1', port: 0 });
    base = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/sandbox/payeer`;
    const shop = `http://127.0.0.1:${(product.address() as AddressInfo).port}`;
    settings = payeer.provider?.({ base, pages: base, webhook: `${shop}/api/v1/payment/payeer/confirmation` }) ?? {};
  };
  before(async () => {
    await new Promise<void>((resolve) => void product.listen(0, '127.0.0.1', resolve));
    await start();
  });
  after(async () => {
    await Promise.all([payeer.close(), server.close()]);
    product.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const post = (url: string, fields: Record<string, string>) =>
    fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  const hiddenIn = (html: string, name: string): string =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? assert.fail(`no ${name} in the page`);

  async function logIn(order: string): Promise<string> {
    const first = await (await post(`${base}/merchant/`, formOf(settings, order))).text();
    assert.match(first, /12\.30 USD/);
    const login = { order: hiddenIn(first, 'order'), login: 'payer', password: 'sandbox' };
    const wrong = await post(`${base}/merchant/login`, { ...login, password: 'x' });
    assert.equal(wrong.status, 403);
    return (await post(`${base}/merchant/login`, login)).text();
  }

  it('pays after login, sends the message until it is accepted, and returns to the shop', async () => {
    const session = hiddenIn(await logIn('ORDER1'), 'session');
    assert.equal(reported.length, 0, 'nothing is told before it is paid');
    const back = await post(`${base}/merchant/confirm`, { session });
    assert.equal(back.status, 303);
    const url = new URL(back.headers.get('location') ?? '');
    assert.deepEqual([url.pathname, url.searchParams.get('m_orderid')], ['/En/payment/success', 'ORDER1']);
    for (const until = Date.now() + 4_000; reported.length < 2 && Date.now() < until;)
      await new Promise((r) => setTimeout(r, 20));
    assert.deepEqual(
      reported.map((form) => [form.get('m_orderid'), form.get('m_status'), form.get('m_amount')]),
      Array.from({ length: 2 }, () => ['ORDER1', 'success', '12.30']),
    );
  });

  it('returns to the shop unpaid when the payer cancels', async () => {
    const session = hiddenIn(await logIn('ORDER2'), 'session');
    const back = await post(`${base}/merchant/cancel`, { session });
    assert.match(back.headers.get('location') ?? '', /\/En\/payment\/fail\?/);
    const page = await (await fetch(`${base}/`)).text();
    assert.match(page, /ORDER2[^<]*<\/td><td>unpaid/);
  });

  it('shows the error of a form', async () => {
    const good = formOf(settings, 'ORDER3');
    const table: readonly (readonly [Record<string, string>, RegExp])[] = [
      [{ ...good, m_amount: '1.00' }, /Invalid sign/],
      [{ ...good, m_sign: (good['m_sign'] ?? '').toLowerCase() }, /Invalid sign/],
      [{ ...good, m_shop: '1' }, /no such shop/],
      [{ ...good, m_curr: 'XXX' }, /Currency is not supported/],
      [formOf(settings, 'ORDER1', '99.00'), /used for another payment/],
      [{}, /no such shop/],
    ];
    for (const [fields, words] of table) {
      const reply = await post(`${base}/merchant/`, fields);
      assert.equal(reply.status, 400);
      assert.match(await reply.text(), words);
    }
    assert.equal((await post(`${base}/merchant/confirm`, { session: 'guessed' })).status, 400);
  });

  it('retains accounts, secrets and payments over a restart', async () => {
    const before = settings;
    await Promise.all([payeer.close(), server.close()]);
    await start();
    assert.deepEqual(
      [settings['account'], settings['secret'], settings['apiPass']],
      [before['account'], before['secret'], before['apiPass']],
    );
    const { account, apiId, apiPass, shop } = settings as Record<string, string>;
    const request = { account, apiId, apiPass, action: 'paymentDetails', merchantId: shop, referenceId: 'ORDER1' };
    const reply = await post(String(settings['apiUrl']), request as Record<string, string>);
    const { items } = (await reply.json()) as { items: { amount: number }[] };
    assert.deepEqual(
      items.map(({ amount }) => amount),
      [12.3],
    );
  });
});
