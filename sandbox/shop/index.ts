// A small shop that sells by the payment gate: it makes invoices with a store's API key, leads buyers to the page on which they
// pay, and receives webhooks, whose signatures it verifies. No rail.

import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { CallError, createClient, httpTransport } from '@kurs/contract/client';
import { type Form, acceptForms, button, escape, showPage, table } from '../provider/index.ts';
import { ShopBook, type ShopOrder } from './book.ts';
import { isBtcpayRight, isStandardRight } from './verify.ts';

const NAME = 'Tea shop';
/** Goods with their prices, in the currency of the store's invoices. */
const GOODS = [
  ['Green tea', '12.50'],
  ['Teapot', '48.00'],
  ['Book about tea', '100.00'],
] as const;
/** Status answered to a webhook whose signature is wrong. */
const UNAUTHORISED = 401;

/** Opens the shop. `api`: base URL of the product's API. `site`: address of this process, to which webhooks go. */
export function openShop({ folder, api }: { readonly folder: string; readonly api: string | undefined }): Shop {
  const { SANDBOX_SHOP_STORE: store = '', SANDBOX_SHOP_KEY: key = '', SANDBOX_SHOP_SECRET: secret = '' } = process.env;
  const book = new ShopBook(folder, { store, key, secret });
  return {
    mount(scope, hook) {
      acceptForms(scope);
      scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));
      mountGoods(scope, book, api);
      mountSettings(scope, book, hook);
      mountLog(scope, book);
      mountHook(scope, book);
    },
  };
}

export interface Shop {
  /** Adds the shop's pages to a scope whose prefix is `/sandbox/shop`. `hook`: returns the address for webhooks. */
  mount(scope: FastifyInstance, hook: () => string): void;
}

const LINKS = '<p><a href="./">Goods</a> · <a href="log">Webhooks</a> · <a href="settings">Settings</a></p>';

function mountGoods(scope: FastifyInstance, book: ShopBook, api: string | undefined): void {
  const page = (problem = ''): string => {
    const goods = GOODS.map(([good, price]) => [`${escape(good)} · ${price}`, button('order', `Buy ${good}`, { good })]);
    const orders = book.orders
      .toReversed()
      .map(({ id, good, price, state, invoice }) => [escape(id), escape(`${good} · ${price}`), escape(state), escape(invoice)]);
    const shown = problem === '' ? '' : `<p class="error">${escape(problem)}</p>`;
    return `${LINKS}${shown}${table(['Goods', ''], goods)}<h2>Orders</h2>${table(['Order', 'Goods', 'State', 'Invoice'], orders)}`;
  };
  scope.get('/', (_request, reply) => showPage(reply, NAME, 'Goods', page()));
  scope.post<{ Body: Form }>('/order', async ({ body }, reply) => {
    const found = GOODS.find(([good]) => good === body['good']);
    if (!found) return showPage(reply, NAME, 'Goods', page('There is no such good.'));
    try {
      const { order, url } = await ordered(book, found, api);
      book.put(order);
      return await reply.redirect(url, 303);
    } catch (error) {
      const said = error instanceof CallError ? `${error.code}: ${error.message}` : String(error);
      return showPage(reply, NAME, 'Goods', page(`The invoice could not be made. ${said}`));
    }
  });
}

/** Makes the invoice of an order by the product's API. Returns the order, and the page on which it is paid. */
async function ordered(
  { settings }: ShopBook,
  [good, price]: (typeof GOODS)[number],
  api: string | undefined,
): Promise<{ readonly order: ShopOrder; readonly url: string }> {
  if (api === undefined || settings.key === '') throw new Error('Give the shop a store and an API key on its page of settings.');
  const client = createClient(httpTransport({ base: api, clientId: 'public', locale: () => 'en', token: () => settings.key }));
  const id = `T-${randomBytes(4).toString('hex')}`;
  const made = await client.invoiceMake(
    { store: settings.store, amount: price, order_id: id, metadata: { orderId: id, good } },
    { idempotencyKey: id },
  );
  return { order: { id, good, price, invoice: made.id, version: made.version, state: made.state }, url: made.url };
}

function mountSettings(scope: FastifyInstance, book: ShopBook, hook: () => string): void {
  scope.get<{ Querystring: { readonly saved?: string } }>('/settings', ({ query }, reply) => {
    const { store, key, secret } = book.settings;
    const field = (name: string, label: string, value: string): string =>
      `<label>${escape(label)}<input name="${name}" value="${escape(value)}" autocomplete="off"></label>`;
    const saved = query.saved === undefined ? '' : '<p role="status">Saved.</p>';
    const body = `${LINKS}${saved}<p>Address for webhooks: <code>${escape(hook())}</code></p>
<form method="post" action="settings">${field('store', 'Id of the store', store)}${field('key', 'API key (invoices.create)', key)}
${field('secret', 'Secret of the webhook', secret)}<button>Save</button></form>`;
    return showPage(reply, NAME, 'Settings', body);
  });
  scope.post<{ Body: Form }>('/settings', async ({ body }, reply) => {
    const typed = (name: string): string => (body[name] ?? '').trim();
    book.configure({ store: typed('store'), key: typed('key'), secret: typed('secret') });
    return reply.redirect('settings?saved', 303);
  });
}

function mountLog(scope: FastifyInstance, book: ShopBook): void {
  const word = (isRight: boolean): string => (isRight ? 'right' : 'wrong');
  scope.get('/log', (_request, reply) => {
    const rows = book.log
      .toReversed()
      .map((entry) => [
        ...[escape(entry.at), escape(entry.type), escape(entry.order), escape(entry.state)],
        ...[word(entry.isStandardRight), word(entry.isBtcpayRight)],
      ]);
    const heads = ['Time', 'Event', 'Order', 'State', 'webhook-signature (standardwebhooks)', 'BTCPay-Sig (openssl)'];
    return showPage(reply, NAME, 'Received webhooks', `${LINKS}${table(heads, rows)}`);
  });
}

/** Parts of a webhook's body that the shop reads, in both bodies. */
interface HookBody {
  readonly type?: string;
  readonly data?: { readonly id?: string; readonly version?: number; readonly state?: string; readonly order_id?: string };
  readonly invoiceId?: string;
  readonly metadata?: { readonly orderId?: string };
}

function mountHook(scope: FastifyInstance, book: ShopBook): void {
  scope.post<{ Body: string }>('/hook', async ({ headers, body }, reply) => {
    const { secret } = book.settings;
    const sent = headers as Readonly<Record<string, string>>;
    const { type = '', data, invoiceId, metadata } = JSON.parse(body) as HookBody;
    const entry = {
      ...{ at: new Date().toISOString(), type, invoice: data?.id ?? invoiceId ?? '' },
      ...{ order: data?.order_id ?? metadata?.orderId ?? '', state: data?.state ?? '' },
      isStandardRight: isStandardRight(secret, sent, body),
      isBtcpayRight: await isBtcpayRight(secret, sent, body),
    };
    book.note(entry);
    if (!entry.isStandardRight || !entry.isBtcpayRight) return reply.code(UNAUTHORISED).send();
    // An event of a refund has versions and states of its own.
    if (type.startsWith('invoice.')) follow(book, entry.order, data);
    return reply.code(200).send();
  });
}

/** Follows an event of an order, unless a later one came before. */
function follow(book: ShopBook, id: string, data: HookBody['data']): void {
  const order = book.orders.find((one) => one.id === id);
  if (!order || data?.version === undefined || data.version <= order.version) return;
  book.put({ ...order, version: data.version, state: data.state ?? order.state });
}
