// Fills an account with all kinds of entries, for tests of the dashboard's pages: money that arrived, left, waits and was
// returned.

import { randomUUID } from 'node:crypto';
import { SELL_BTC, freshEmail, pay, place } from '../customers/customer.ts';
import { type Signed, signUp } from '../customers/signed.ts';
import { deskOf } from '../harness/desk.ts';
import type { ShownPage } from './pages.ts';
import { type System, isReady, until } from '../harness/system.ts';

/** E-mail address of a length that pages must expect. */
const LONG = `a-rather-long-name-of-somebody.${randomUUID().slice(0, 8)}@mail.department.example.org`;

/**
 * Creates an account with wallets, deposits, withdrawals in every lasting state, a transfer, orders in several states, coupons
 * and credit, with an affiliate's campaigns and rewards, an application for a business, a test store and a personal one.
 */
export async function richAccount(system: System): Promise<Signed> {
  const visitor = system.client();
  await until('the directions to open', 60_000, async () => (await visitor.directions({})).directions.every(isReady));
  const [signed, other] = [await signUp(system, { email: LONG, level: 3 }), await signUp(system)];
  const { client } = signed;
  await client.profileUpdate({ name: 'Konstantin Konstantinopolsky' });
  await storeOf(signed);
  for (const [unit, rail, currency, sum] of [
    ['USDT', 'evm', 'USDT_ERC20', '12345.67'],
    ['BTC', 'bitcoin', 'BTC', '0.01234567'],
  ] as const) {
    const { deposit } = await client.walletStore({ currency: unit, rail });
    await client.sandboxPay({ currency, to: deposit?.address ?? '', amount: sum });
  }
  await until('the deposits', 90_000, async () => {
    const deposits = await client.walletDeposits({});
    return deposits.filter(({ status }) => status === 'final').length === 2;
  });
  await ordersOf(signed);
  await growthOf(system, signed);
  const out = outOf(system, signed);
  const small = await out.withdraw('25.00');
  await out.transfer('10.00', other.email);
  const refused = await out.withdraw('700.00');
  await out.withdraw('900.00');
  const desk = await deskOf(system, 'olga');
  await desk.operatorWithdrawal({ id: refused, action: 'reject', reason: 'a journey' }, { idempotencyKey: refused });
  await until('the withdrawal', 60_000, async () => {
    const { data } = await client.walletWithdrawRequests({});
    return data.find(({ id }) => id === small)?.status === 'done';
  });
  return signed;
}

/** Places three orders: one is completed, one waits for a choice, and one stays unpaid. */
async function ordersOf({ client, email }: Signed): Promise<void> {
  const key = ({ order }: Awaited<ReturnType<typeof place>>) => ({ id: order.id, token: order.token });
  const statuses = async () => (await client.userOrders({})).data.map(({ status }) => status);
  // Place them one after the other, because only a few unpaid orders are allowed at once.
  for (const amount of [undefined, '0.004']) {
    await pay(client, key(await place(client, { ...SELL_BTC, email })), amount === undefined ? {} : { amount });
    await until('the payment', 60_000, async () => !(await statuses()).includes('waiting'));
  }
  await place(client, { from: 'USDT_ERC20', to: 'BTC', amount: '60.00', email });
  await until('the orders', 90_000, async () => {
    const now = await statuses();
    return now.includes('done') && now.includes('choose');
  });
}

/** Creates coupons, credit, campaigns, a maturing reward, and a reward of the affiliate's own exchange, which operators check. */
async function growthOf(system: System, { client, email }: Signed): Promise<void> {
  const desk = await deskOf(system, 'olga');
  const usual = { email, uses: 1, per_customer: 1, first_order: false, reason: 'a journey' };
  for (const [code, gives] of Object.entries({
    BIRTHDAY: { percent: '30', most_usd: '10' },
    HALF: { percent: '80', most_usd: '10' },
    'WELCOME-FIVE': { value: '5' },
  }))
    await desk.operatorCouponNew({ ...usual, code, ...gives }, { idempotencyKey: randomUUID() });
  const { id } = await client.earnBegin({ bot_token: 'sandbox' });
  const { prize } = await client.earnClaim({ id, client_seed: 'mine' });
  await client.earnTask({ task: 'email' });
  await client.earnToCredit({ amount: prize });
  const campaign = 'newsletter-of-the-spring-in-2026';
  await client.affiliateCampaign({ name: campaign, split: 50, postback: 'https://tracker.example.org/?campaign={campaign}' });
  await client.affiliateCampaign({ name: 'blog', split: 0 });
  const { code } = await client.affiliate({});
  const ref = `${code}.${campaign}~${Math.floor(Date.now() / 1_000)}~${'a-note-of-255-characters-'.repeat(11).slice(0, 255)}`;
  const visitor = system.client();
  for (const by of [freshEmail(), email]) {
    const { order } = await place(visitor, { ...SELL_BTC, ref, email: by });
    await pay(visitor, order);
  }
  await until('the rewards', 90_000, async () => (await client.affiliateRewards({})).data.length === 2);
}

/** Returns functions that move dollars out of an account. */
function outOf(system: System, { client, email }: Signed) {
  // Letters of other kinds arrive in between.
  const codes = async (): Promise<string[]> => {
    const letters = await system.client().sandboxMail({ to: email });
    return letters.flatMap(({ text }) => /^\d{6}$/m.exec(text)?.[0] ?? []);
  };
  const code = async (about: string): Promise<string> => {
    const known = await codes();
    await client.userEmailGetOtp({ purpose: 'money_out', about });
    return until('the code', 20_000, async () => {
      const all = await codes();
      return all.length > known.length && all[0];
    });
  };
  return {
    async withdraw(amount: string): Promise<string> {
      const { address } = await client.sandboxAddress({ currency: 'USDT_ERC20' });
      const request = { currency: 'USDT', rail: 'evm', amount, to: { address } };
      const { confirmation = '' } = await client.walletWithdrawQuote(request);
      const otp = await code(confirmation);
      return (await client.walletWithdrawRequest({ ...request, otp }, { idempotencyKey: randomUUID() })).id;
    },
    async transfer(amount: string, to: string): Promise<void> {
      const { confirmation } = await client.walletConfirmation({ action: 'transfer', currency: 'USDT', amount, email: to });
      const request = { currency: 'USDT', amount, to, note: 'For the tickets, with thanks', otp: await code(confirmation) };
      await client.walletTransfer(request, { idempotencyKey: randomUUID() });
    },
  };
}

/** Applies for a business, and creates a test store with an invitation, a key and two invoices, and a personal store. */
async function storeOf({ client }: Signed): Promise<void> {
  await client.businessApply({
    ...{ legal_name: 'Tea and Books of the Department d.o.o.', registration_number: '21345678', country: 'RS' },
    ...{ address: 'Knez Mihailova 1\n11000 Belgrade', web_sites: ['tea.example.com', 'books.example.com'] },
    ...{ goods: 'Tea in packets and printed books', turnover_usd: 25_000, owners: [{ name: 'Ann Petrovic', percent: 60 }] },
  });
  const { id: store } = await client.storeMake(
    { kind: 'test', name: 'A rather long name of a trial store', invoice_currency: 'USDT', settlement_currency: 'USDT_ERC20' },
    { idempotencyKey: randomUUID() },
  );
  await client.storeInvite({ store, email: LONG.replace('a-', 'another-'), role: 'developer' });
  await client.storeKeyMake({ store, name: 'Web shop', permissions: ['invoices.read', 'invoices.create', 'store.manage'] });
  await invoicesOf(client, store);
  const personal = { kind: 'personal', name: 'Lessons', invoice_currency: 'USDT', settlement_currency: 'USDT_ERC20' } as const;
  await client.storeMake(personal, { idempotencyKey: randomUUID() });
}

/** Makes an open invoice with all that an invoice may state, and one that is cancelled. */
async function invoicesOf(client: Signed['client'], store: string): Promise<void> {
  const key = () => ({ idempotencyKey: randomUUID() });
  const order = { order_id: 'TEA-AND-BOOKS-2026-0001184', email: LONG, description: 'Tea and books\nfor the department' };
  const cancelled = await client.invoiceMake({ store, amount: '12', order_id: order.order_id }, key());
  await client.invoiceCancel({ store, id: cancelled.id }, key());
  await client.invoiceMake(
    {
      ...{ store, amount: '12345.60', tax: '2057.60', ...order },
      lines: [
        { name: '“Birds of the White Sea”, hardcover, signed by the author', quantity: '36.3', unit_price: '340' },
        { name: 'Delivery', quantity: '1', unit_price: '3.60' },
      ],
      ...{ return_url: 'https://books.example.com/orders/1184', metadata: { note: LONG.repeat(4), tags: ['books', 'gift'] } },
    },
    key(),
  );
}

/** Returns every page of the dashboard with an account's entries, in lasting states. */
export async function accountPages({ client, token }: Signed): Promise<ShownPage[]> {
  const [orders, moves, withdrawals, { stores }] = await Promise.all([
    client.userOrders({}),
    client.userTransactions({}),
    client.walletWithdrawRequests({}),
    client.stores({}),
  ]);
  const storeOfKind = (kind: string): string => stores.find((one) => one.kind === kind)?.id ?? '';
  const storeId = storeOfKind('test');
  const store = `id=${storeId}`;
  const [open, cancelled] = (await client.invoices({ store: storeId })).data;
  const order = (status: string): string => orders.data.find((one) => one.status === status)?.id ?? '';
  const out = (status: string): string => withdrawals.data.find((one) => one.status === status)?.id ?? '';
  const moved = (kind: string): string => encodeURIComponent(moves.data.find((one) => one.kind === kind)?.id ?? '');
  const pages: Readonly<Record<string, string>> = {
    overview: '',
    account: '/account',
    'new-order': '/new-order',
    'order-waiting': `/order?id=${order('waiting')}`,
    'order-choose': `/order?id=${order('choose')}`,
    'order-done': `/order?id=${order('done')}`,
    orders: '/orders',
    'orders-nothing': '/orders?q=nothing-such&status=open',
    'orders-wrong': '/orders?from=02%2F30%2F2026',
    wallet: '/wallet',
    deposit: '/wallet/deposit',
    'deposit-unit': '/wallet/deposit?currency=USDT',
    'deposit-place': '/wallet/deposit?currency=USDT&rail=evm',
    transactions: '/wallet/transaction',
    'transactions-filtered': '/wallet/transaction?kind=deposit&currency=USDT&from=01%2F31%2F2026',
    'transactions-nothing': '/wallet/transaction?q=nothing-such',
    'transaction-in': `/wallet/transaction?id=${moved('deposit')}`,
    'transaction-out': `/wallet/transaction?id=${moved('withdrawal')}`,
    'transaction-transfer': `/wallet/transaction?id=${moved('transfer')}`,
    withdraw: '/wallet/withdraw?currency=USDT',
    'withdraw-person': '/wallet/withdraw?currency=USDT&tab=person',
    'withdraw-approving': `/wallet/withdraw?id=${out('approving')}`,
    'withdraw-rejected': `/wallet/withdraw?id=${out('rejected')}`,
    'withdraw-done': `/wallet/withdraw?id=${out('done')}`,
    affiliates: '/affiliates',
    discount: '/discount',
    business: '/business',
    store: `/business/store?${store}`,
    'store-members': `/business/store/members?${store}`,
    'store-keys': `/business/store/keys?${store}`,
    'store-settlements': `/business/store/settlements?id=${storeOfKind('personal')}`,
    'store-invoices': `/business/store/invoices?store=${storeId}`,
    'store-invoices-nothing': `/business/store/invoices?store=${storeId}&q=nothing-such`,
    'store-entries': `/business/store/entries?store=${storeId}`,
    'store-preview': `/business/store/preview?store=${storeId}&amount=100`,
    'store-invoice-new': `/business/store/invoices/new?store=${storeId}`,
    'store-invoice': `/business/store/invoice?store=${storeId}&id=${open?.id}`,
    'store-invoice-cancelled': `/business/store/invoice?store=${storeId}&id=${cancelled?.id}`,
  };
  return Object.entries(pages).map(([name, path]) => ({ name: `own-${name}`, path: `/dashboard${path}`, token }));
}

/** Returns the dashboard's pages of an empty account, and of a visitor who is not signed in. */
export function emptyPages({ token }: Signed): ShownPage[] {
  const pages = {
    overview: '',
    orders: '/orders',
    wallet: '/wallet',
    transactions: '/wallet/transaction',
    withdraw: '/wallet/withdraw',
    business: '/business',
    'business-apply': '/business/apply',
  };
  const own = Object.entries(pages).map(([name, path]) => ({ name: `new-${name}`, path: `/dashboard${path}`, token }));
  return [...own, { name: 'sign-in', path: '/dashboard/wallet/withdraw' }];
}
