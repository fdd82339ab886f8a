// Fills a business with all that its pages show, for tests of the gate's pages: members, keys, links, webhooks, invoices in every
// state, refunds.

import { randomUUID } from 'node:crypto';
import { type Shop, openShop, sell, untilState } from '../customers/business.ts';
import type { Signed } from '../customers/signed.ts';
import { type System, isReady, until } from '../harness/system.ts';
import type { ShownPage } from './pages.ts';

type Client = Signed['client'];

/** Cases that a test store plays to an invoice of its own. */
const CASES = ['seen', 'final', 'short', 'over', 'late', 'held', 'dropped', 'reversed', 'refund_claimed'] as const;

/** E-mail address of a length that pages must expect. */
const LONG = `a-rather-long-name-of-somebody.${randomUUID().slice(0, 8)}@mail.department.example.org`;

const key = () => ({ idempotencyKey: randomUUID() });

/** A business with a store that was paid, and a test store with an invoice for each case. */
export interface RichShop extends Shop {
  readonly test: string;
  /** Invoice of the store, which is settled. */
  readonly paid: string;
  readonly webhook: string;
  /** Refunds of that invoice, with their links. */
  readonly refunds: readonly { readonly id: string; readonly url?: string | undefined }[];
  readonly links: readonly string[];
  /** Invoices of the test store, by case. */
  readonly played: Readonly<Record<string, string>>;
}

/** Opens such a business. */
export async function richShop(system: System): Promise<RichShop> {
  const { directions } = system.client();
  await until('the directions to open', 60_000, async () => (await directions({})).directions.every(isReady));
  const shop = await openShop(system, 'USDT_ERC20');
  const { client, store } = shop;
  const { id: test } = await client.storeMake(
    { kind: 'test', name: 'A rather long name of a trial store', invoice_currency: 'USD', settlement_currency: 'USDT_ERC20' },
    key(),
  );
  const paid = await sell(shop, '120');
  await client.storeInvite({ store, email: LONG, role: 'developer' });
  await client.storeKeyMake({ store, name: 'Web shop', permissions: ['invoices.read', 'invoices.create', 'store.manage'] });
  const links = await linksOf(client, store);
  const { webhook } = await hookOf(client, store);
  const played = Object.fromEntries(await Promise.all(CASES.map(async (one) => [one, await play(client, test, one)] as const)));
  await untilState(shop, paid, 'settled');
  return { ...shop, test, paid, webhook, links, played, refunds: await refundsOf(shop, paid) };
}

async function linksOf(client: Client, store: string): Promise<string[]> {
  const fixed = await client.storeLinkMake({ store, title: 'Lesson of English, 60 minutes', amount: '12.50' }, key());
  const any = await client.storeLinkMake(
    { store, title: 'A gift for the theatre of the school', least: '1', most: '500' },
    key(),
  );
  await client.storeLinkMake({ store, title: 'For three people only', amount: '5', max_uses: 3 }, key());
  return [fixed.id, any.id];
}

/** Makes a webhook that no delivery reaches, with a test delivery. */
async function hookOf(client: Client, store: string): Promise<{ readonly webhook: string }> {
  const url = `https://hooks.department-of-payments.example.com/kurs/${'orders/'.repeat(12)}`;
  const { id: webhook } = await client.storeWebhookMake({ store, url });
  await client.storeWebhookTest({ store, id: webhook, event: 'invoice.settled' });
  return { webhook };
}

/** Makes a test invoice with lines, and plays a case to it. */
async function play(client: Client, store: string, one: (typeof CASES)[number]): Promise<string> {
  const invoice = {
    ...{ store, amount: '12345.60', tax: '2057.60', order_id: 'TEA-AND-BOOKS-2026-0001184', email: LONG },
    lines: [
      { name: '“Birds of the White Sea”, hardcover, signed by the author', quantity: '36.3', unit_price: '340' },
      { name: 'Delivery', quantity: '1', unit_price: '3.60' },
    ],
    metadata: { note: LONG.repeat(4) },
  };
  const { id } = await client.invoiceMake(invoice, key());
  await client.storeTestPay({ store, id, case: one }, key());
  return id;
}

/** Refunds parts of a paid invoice: one that can be claimed, one for an address, one that is claimed, and one that was cancelled. */
async function refundsOf({ client, store }: Shop, invoice: string): Promise<RichShop['refunds']> {
  await until('the money to be deep', 120_000, async () =>
    (await client.storeBalance({ store })).balances.some(({ movable }) => +movable >= 100),
  );
  const note = 'The second book was out of print.\nWe are sorry.';
  const open = await client.refundMake({ store, invoice, amount: '30', note }, key());
  const mailed = await client.refundMake({ store, invoice, amount: '18', email: LONG }, key());
  const claimed = await client.refundMake({ store, invoice, amount: '25' }, key());
  const cancelled = await client.refundMake({ store, invoice, amount: '7' }, key());
  await client.refundCancel({ store, id: cancelled.id }, key());
  const { address } = await client.sandboxAddress({ currency: 'USDT_TRC20' });
  const token = new URL(claimed.url ?? '').searchParams.get('token') ?? '';
  await client.refundClaim({ id: claimed.id, token, amount: '15', method: 'USDT_TRC20', to: { address } }, key());
  return [open, mailed, claimed, cancelled];
}

const pathOf = ({ url }: RichShop['refunds'][number]): string => {
  const { search } = new URL(url ?? '');
  return `/refund${search}`;
};

/** Returns the pages of the gate that anybody can open. */
export function buyersPages({ refunds, links, played, paid }: RichShop): ShownPage[] {
  const names = ['open', 'mailed', 'claimed', 'cancelled'];
  const pages: Readonly<Record<string, string>> = {
    ...Object.fromEntries(refunds.map((one, at) => [`refund-${names[at] ?? at}`, pathOf(one)])),
    'refund-method': `${pathOf(refunds[0] as RichShop['refunds'][number])}&amount=5&method=BTC`,
    'refund-amount-wrong': `${pathOf(refunds[0] as RichShop['refunds'][number])}&amount=many`,
    'refund-amount-large': `${pathOf(refunds[0] as RichShop['refunds'][number])}&amount=1000`,
    ...Object.fromEntries(links.map((id, at) => [`link-${at}`, `/pay/link/${id}`])),
    ...Object.fromEntries(Object.entries(played).map(([one, id]) => [`pay-test-${one}`, `/pay/${id}`])),
    'pay-paid': `/pay/${paid}`,
  };
  return Object.entries(pages).map(([name, path]) => ({ name: `gate-${name}`, path }));
}

/** Returns the pages of the business and its stores. */
export function businessPages({ token, store, test, paid, webhook, refunds, played }: RichShop): ShownPage[] {
  const at = (path: string, id: string = store, name: string = 'id'): string => `/business/store${path}?${name}=${id}`;
  const pages: Readonly<Record<string, string>> = {
    business: '/business',
    store: at(''),
    'store-test': at('', test),
    members: at('/members'),
    keys: at('/keys'),
    links: at('/links', store, 'store'),
    webhooks: at('/webhooks', store, 'store'),
    webhook: `${at('/webhook', store, 'store')}&id=${webhook}`,
    settlements: at('/settlements'),
    entries: at('/entries', store, 'store'),
    preview: `${at('/preview', store, 'store')}&amount=100`,
    invoices: at('/invoices', store, 'store'),
    'invoices-test': at('/invoices', test, 'store'),
    'invoices-nothing': `${at('/invoices', store, 'store')}&q=nothing-such`,
    'invoice-new': at('/invoices/new', store, 'store'),
    invoice: `${at('/invoice', store, 'store')}&id=${paid}`,
    ...Object.fromEntries(
      Object.entries(played).map(([one, id]) => [`invoice-${one}`, `${at('/invoice', test, 'store')}&id=${id}`]),
    ),
    refunds: at('/refunds', store, 'store'),
    'refunds-none': at('/refunds', test, 'store'),
    'refund-new': `${at('/refunds/new', store, 'store')}&invoice=${paid}`,
    ...Object.fromEntries(refunds.map(({ id }, n) => [`refund-${n}`, `${at('/refund', store, 'store')}&id=${id}`])),
  };
  return Object.entries(pages).map(([name, path]) => ({ name: `business-${name}`, path: `/dashboard${path}`, token }));
}
