// Payments to invoices that go wrong on a chain, as the buyer and the store's owner see them: one vanishes, one is taken back by a
// reorg after it was settled and comes again, and one is in another coin.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Signed, signUp } from '../customers/signed.ts';
import { PREFIX, type Locale, type Visit, brings, openVisit, startBrowser } from '../harness/browser.ts';
import { type System, isReady, startSystem, until } from '../harness/system.ts';

let system: System;
let browser: Browser;
let seller: Signed;
let store: string;
before(async () => {
  // Blocks come only when a test mines them.
  system = await startSystem({ env: { SANDBOX_BLOCK_MS: '0' } });
  browser = await startBrowser();
  const { directions } = system.client();
  await until('the directions to open', 60_000, async () => (await directions({})).directions.every(isReady));
  seller = await signUp(system);
  const given = { kind: 'personal', name: 'Ann’s lessons', invoice_currency: 'USD', settlement_currency: 'USDT_ERC20' } as const;
  store = (await seller.client.storeMake(given, { idempotencyKey: randomUUID() })).id;
});
after(async () => {
  await browser?.close();
  await system?.stop();
});

const SEEN_MS = { timeout: 60_000 };

/** An invoice with a chosen method, in the windows of its buyer and of the store's owner. */
interface Open {
  readonly id: string;
  readonly buyer: Visit;
  readonly owner: Visit;
  readonly address: string;
  readonly amount: string;
}

/** Makes an invoice that takes one method, chooses it as the buyer, and opens the owner's page of the invoice. */
async function open(locale: Locale, method: 'USDT_ERC20' | 'USDT_TRC20', name: RegExp): Promise<Open> {
  const wanted = { store, amount: '60.00', methods: [method] };
  const { id } = await seller.client.invoiceMake(wanted, { idempotencyKey: randomUUID() });
  const buyer = await openVisit(browser, locale);
  await buyer.page.goto(`${system.url}/${PREFIX[locale]}/pay/${id}`);
  await buyer.page.getByRole('button', { name }).click();
  await buyer.page.getByRole('heading', { level: 1, name: buyer.say('headline_waiting') }).waitFor();
  const { option } = await seller.client.paymentInvoice({ id });
  const owner = await openVisit(browser, locale);
  await owner.page.addInitScript((stored) => localStorage.setItem('accessToken', stored), seller.token);
  await owner.page.goto(`${system.url}/${PREFIX[locale]}/dashboard/business/store/invoice?store=${store}&id=${id}`);
  return { id, buyer, owner, address: option?.address ?? assert.fail('no address'), amount: option?.amount ?? '' };
}

const mine = (chain: 'evm' | 'tron', blocks: number): Promise<unknown> => seller.client.sandboxMine({ chain, blocks });

/** Waits until the only payment of an invoice has a status. */
const becomes = (id: string, status: string): Promise<unknown> =>
  until(
    `the payment to be ${status}`,
    60_000,
    async () => (await seller.client.paymentInvoice({ id })).payments[0]?.status === status,
  );

const heads = ({ page, say }: Visit, words: Parameters<Visit['say']>[0]): Promise<void> =>
  page.getByRole('heading', { level: 1, name: say(words) }).waitFor(SEEN_MS);
const reads = ({ page, say }: Visit, words: Parameters<Visit['say']>[0]): Promise<void> =>
  page.getByText(say(words)).first().waitFor(SEEN_MS);

async function close({ buyer, owner }: Open): Promise<void> {
  assert.deepEqual([...buyer.troubles, ...owner.troubles], []);
  await Promise.all([buyer.close(), owner.close()]);
}

for (const locale of ['en', 'ru'] as const) {
  test(`a payment that vanishes from its chain is due again (${locale})`, async () => {
    const one = await open(locale, 'USDT_ERC20', /Tether/);
    await seller.client.sandboxPay({ currency: 'USDT_ERC20', to: one.address, amount: one.amount });
    await mine('evm', 2);
    await becomes(one.id, 'seen');
    await seller.client.sandboxReorg({ chain: 'evm', depth: 2, drop: true });
    await mine('evm', 3);
    await becomes(one.id, 'dropped');
    await brings(one.buyer, reads(one.buyer, 'checkout_dropped'));
    await brings(one.owner, reads(one.owner, 'invoices_note_dropped'));
    await close(one);
  });

  test(`a settled payment that a reorg takes back makes the invoice invalid, until it comes again (${locale})`, async () => {
    const one = await open(locale, 'USDT_ERC20', /Tether/);
    await seller.client.sandboxPay({ currency: 'USDT_ERC20', to: one.address, amount: one.amount });
    await mine('evm', 13);
    await brings(one.buyer, heads(one.buyer, 'checkout_settled'));
    await seller.client.sandboxReorg({ chain: 'evm', depth: 13 });
    await becomes(one.id, 'reversed');
    await brings(one.buyer, heads(one.buyer, 'checkout_invalid'));
    await brings(one.owner, reads(one.owner, 'invoices_note_reversed'));
    await mine('evm', 13);
    await becomes(one.id, 'credited');
    await brings(one.buyer, heads(one.buyer, 'checkout_settled'));
    await brings(one.owner, reads(one.owner, 'invoices_settled'));
    await close(one);
  });

  test(`a payment in a coin that the invoice does not take stays its payer’s (${locale})`, async () => {
    const one = await open(locale, 'USDT_TRC20', /Tether/);
    await seller.client.sandboxPay({ currency: 'TRX', to: one.address, amount: '200' });
    await mine('tron', 25);
    await becomes(one.id, 'unallocated');
    await brings(one.buyer, reads(one.buyer, 'checkout_status_unallocated'));
    await brings(one.buyer, one.buyer.page.getByRole('link', { name: one.buyer.say('checkout_own_open') }).waitFor(SEEN_MS));
    await brings(one.owner, reads(one.owner, 'invoices_note_unallocated'));
    await close(one);
  });
}

test('the books are right', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
