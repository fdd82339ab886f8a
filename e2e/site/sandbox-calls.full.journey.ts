// Tests the sandbox's calls at every rail that is on: accounts, balances, payments, and the effect of each fault on a caller of
// the rail's protocol and on an order.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Client } from '@kurs/contract/client';
import { call } from '../harness/call.ts';
import { awaits } from '../customers/customer.ts';
import { deskOf } from '../harness/desk.ts';
import { storedMessages } from '../customers/stored-messages.ts';
import { type AnyOrder, isClearing, openDirections, orderAndPay } from '../customers/order-any.ts';
import { type System, startSystem, until } from '../harness/system.ts';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Rail, a currency to give at it, and a call of its protocol that faults affect. */
interface RailCase {
  readonly rail: string;
  readonly gives: string;
  readonly probe: readonly [path: string, type?: string, body?: string];
  /** Kind of the messages that the rail sends: signed ones, or unproven hints (MoneyGo's). */
  readonly messages?: 'signed' | 'hints';
}

const BLOCK = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}';
/** Topic of the ERC-20 event `Transfer`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const ROWS: readonly RailCase[] = [
  { rail: 'bitcoin', gives: 'BTC', probe: ['/fee-estimates'] },
  { rail: 'evm', gives: 'USDT_ERC20', probe: ['/', JSON_TYPE, BLOCK] },
  { rail: 'bsc', gives: 'USDT_BEP20', probe: ['/', JSON_TYPE, BLOCK] },
  { rail: 'tron', gives: 'USDT_TRC20', probe: ['/wallet/getblock', JSON_TYPE, '{}'] },
  { rail: 'paypal', gives: 'PAYPAL_USD', probe: ['/v1/oauth2/token', FORM_TYPE, 'grant_type=none'], messages: 'signed' },
  { rail: 'payeer', gives: 'PAYEER_USD', probe: ['/api.php', FORM_TYPE, 'action=none'], messages: 'signed' },
  { rail: 'volet', gives: 'VOLET_USD', probe: ['/wsm/merchantWebService', 'text/xml', '<none/>'], messages: 'signed' },
  { rail: 'webmoney', gives: 'WMZ', probe: ['/conf/xml/XMLTransGet.asp', 'text/xml', '<none/>'], messages: 'signed' },
  { rail: 'moneygo', gives: 'MONEYGO_USD', probe: ['/token', JSON_TYPE, '{}'], messages: 'hints' },
  { rail: 'perfectmoney', gives: 'PMV_USD', probe: ['/acct/balance.asp'] },
  { rail: 'nebulox', gives: 'LTC', probe: ['/api/invoice/verify', JSON_TYPE, '{}'], messages: 'signed' },
];
const SIGNED = ROWS.filter(({ messages }) => messages === 'signed');
const CHAINS = new Set(['bitcoin', 'evm', 'bsc', 'tron']);

let system: System;
let client: Client;
let desk: Client;
let sandbox: string;
before(async () => {
  system = await startSystem();
  client = system.client();
  desk = await deskOf(system, 'olga');
  sandbox = `http://127.0.0.1:${(await system.run()).ports.sandbox}/sandbox`;
  // The gateway's directions are off in the initial data.
  await desk.operatorDirection({ from: 'LTC', to: 'BTC', open: true, reason: 'a journey through all rails' });
});
after(() => system?.stop());

/** Runs `work` for all rails at once. An error names its rail. */
async function each(rows: readonly RailCase[], work: (row: RailCase) => Promise<void>): Promise<void> {
  const named = rows.map((row) =>
    work(row).catch((error: unknown) => `${row.rail}: ${error instanceof Error ? error.message : String(error)}`),
  );
  assert.deepEqual((await Promise.all(named)).filter(Boolean), []);
}

/** Calls a rail's counterpart as the product does. Returns the status, or the reason if there is no response. */
async function speak({ rail, probe: [path, type, body] }: RailCase, ms = 10_000): Promise<number | string> {
  const request = { ...(body !== undefined && { method: 'POST', body, headers: { 'content-type': type as string } }) };
  return fetch(`${sandbox}/${rail}${path}`, { ...request, signal: AbortSignal.timeout(ms) }).then(
    ({ status }) => status,
    (error: unknown) => (error as Error).name,
  );
}

/** Returns the number of entries that the rail's own protocol lists: of payments to an address, or all of Perfect Money's. */
async function listed({ rail }: RailCase, to: string): Promise<number> {
  const at = `${sandbox}/${rail}`;
  if (rail === 'bitcoin') return ((await (await fetch(`${at}/address/${to}/txs`)).json()) as unknown[]).length;
  if (rail === 'tron') {
    const list = (await (await fetch(`${at}/v1/accounts/${to}/transactions/trc20`)).json()) as { data: unknown[] };
    return list.data.length;
  }
  if (rail === 'perfectmoney') {
    const { sandboxControl } = (await system.run()).ports;
    const { environment } = (await (await fetch(`http://127.0.0.1:${sandboxControl}/ready`)).json()) as {
      environment: { KURS_SANDBOX_PROVIDERS: string };
    };
    const { perfectmoney } = JSON.parse(environment.KURS_SANDBOX_PROVIDERS) as Record<string, Record<string, string>>;
    const query = new URLSearchParams({ AccountID: `${perfectmoney?.['login']}`, PassPhrase: `${perfectmoney?.['passPhrase']}` });
    return (await (await fetch(`${at}/acct/historycsv.asp?${query}`)).text()).split('\r\n').length - 1;
  }
  const topics = [TRANSFER, null, `0x${to.slice(2).toLowerCase().padStart(64, '0')}`];
  const params = [{ fromBlock: '0x0', toBlock: 'latest', topics }];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params });
  const logs = await fetch(`${at}/`, { method: 'POST', headers: { 'content-type': JSON_TYPE }, body });
  return ((await logs.json()) as { result: unknown[] }).result.length;
}

/** Places an order over the minimum amount of a rail's currency, and pays it. */
async function orderAt({ gives }: RailCase): Promise<AnyOrder> {
  const direction = (await openDirections(client)).find(({ from }) => from === gives);
  assert.ok(direction, `${gives} can be given`);
  return orderAndPay(system, direction);
}

/** Waits until an order is paid, and asserts that its postings contain exactly one payment with the requested amount. */
async function isCreditedOnce(order: AnyOrder): Promise<void> {
  await awaits(client, order, 'to be credited', (one) => one.status === 'done' || isClearing(one), 90_000);
  const { order: shown, postings } = await desk.operatorOrder({ id: order.id });
  const arrived = postings.filter(({ from, to }) => from.startsWith('custody:') && to.startsWith('order:'));
  assert.equal(arrived.length, 1, `${order.id}: ${JSON.stringify(postings)}`);
  assert.equal(Number(arrived[0]?.amount), Number(shown.give.amount));
}

describe('the calls of the sandbox, at every rail', () => {
  test('every enabled rail has a row', async () => {
    const rails = await desk.operatorRails({});
    assert.deepEqual(
      rails
        .filter(({ on }) => on)
        .map(({ rail }) => rail)
        .toSorted(),
      ROWS.map(({ rail }) => rail).toSorted(),
    );
  });

  test('a new account in each currency is empty; an unknown one is not found', async () => {
    const rails = await desk.operatorRails({});
    await each(ROWS, async ({ rail }) => {
      for (const currency of rails.find((one) => one.rail === rail)?.currencies ?? []) {
        const { address } = await client.sandboxAddress({ currency });
        assert.equal(Number((await client.sandboxBalance({ currency, account: address })).amount), 0, currency);
        const nowhere = await call(system.url, 'GET', `/sandbox/balance?currency=${currency}&account=nonsense`);
        assert.deepEqual([nowhere.status, Object.keys(nowhere.errors)], [422, ['account']], currency);
      }
    });
  });

  test('a payment goes to an account on a chain, and at a provider to an order', async () => {
    await each(ROWS, async ({ rail, gives: currency }) => {
      const { address: to } = await client.sandboxAddress({ currency });
      const body = { currency, to, amount: '25' };
      if (CHAINS.has(rail)) {
        const amount = currency === 'BTC' ? '0.25' : '25';
        const { paid } = await client.sandboxPay({ currency, to, amount });
        assert.deepEqual(paid, { amount, currency });
        await until('it to arrive', 20_000, async () => {
          return Number((await client.sandboxBalance({ currency, account: to })).amount) === Number(amount);
        });
      } else if (rail === 'perfectmoney') {
        // The call buys a voucher, which can be entered at any order.
        assert.match((await client.sandboxPay(body)).from, /^U\d+$/);
      } else {
        const { status, errors } = await call(system.url, 'POST', '/sandbox/pay', body);
        assert.deepEqual([status, Object.keys(errors)], [422, ['to']]);
      }
    });
  });

  test('impossible requests are refused by field', async () => {
    const wrong: [path: string, body: object, field: string][] = [
      ['/faults', { rail: 'swift', lost_replies: 1 }, 'rail'],
      ['/faults', { rail: 'payeer', lost_replies: 1.01 }, 'lost_replies'],
      ['/faults', { rail: 'payeer', duplicates: -0.1 }, 'duplicates'],
      ['/faults', { rail: 'payeer', delays: '1' }, 'delays'],
      ['/faults', { rail: 'payeer', hang: 1 }, 'hang'],
      ['/faults', {}, 'rail'],
      ['/address', { currency: 'XYZ' }, 'currency'],
      ['/pay', { currency: 'XYZ', to: 'nobody', amount: '1' }, 'currency'],
      ['/pay', { currency: 'BTC', amount: '1' }, 'to'],
      ['/pay', {}, 'currency'],
    ];
    for (const [path, body, field] of wrong) {
      const { status, errors } = await call(system.url, 'POST', `/sandbox${path}`, body);
      assert.deepEqual([status, Object.keys(errors)], [422, [field]], `${path} ${JSON.stringify(body)}`);
      assert.ok((errors[field]?.[0] ?? '').length > 5, 'in words');
    }
  });

  test('errors, lost replies, hangs and delays affect each caller of the rail; zero rates end them', async () => {
    await each(ROWS, async (row) => {
      const { rail } = row;
      const well = await speak(row);
      // A SOAP service refuses with status 500.
      assert.ok(typeof well === 'number' && well <= 500, `answers: ${well}`);
      await client.sandboxFaults({ rail, errors: 1 });
      assert.equal(await speak(row), 503);
      await client.sandboxFaults({ rail, lost_replies: 1 });
      assert.equal(await speak(row), 'TypeError');
      await client.sandboxFaults({ rail, hangs: 1 });
      assert.equal(await speak(row, 700), 'TimeoutError');
      await client.sandboxFaults({ rail, delays: 1 });
      const begin = performance.now();
      assert.equal(await speak(row), well);
      assert.ok(performance.now() - begin > 1_400, 'a second and a half late');
      await client.sandboxFaults({ rail });
      assert.equal(await speak(row, 1_000), well);
    });
  });

  test('a payment that is reported twice is credited once', async () => {
    await each(ROWS, async (row) => {
      const { rail, messages, gives: currency } = row;
      await client.sandboxFaults({ rail, duplicates: 1 });
      const order = await orderAt(row);
      const { address: to } = await client.sandboxAddress({ currency });
      if (CHAINS.has(rail)) await client.sandboxPay({ currency, to, amount: currency === 'BTC' ? '0.01' : '10' });
      await isCreditedOnce(order);
      if (messages) await until('both copies', 10_000, async () => (await storedMessages(system, rail)).copies >= 2);
      const rows = messages ? 0 : await listed(row, to);
      await client.sandboxFaults({ rail });
      if (!messages) assert.deepEqual([rows > 0, await listed(row, to)], [true, rows / 2], 'rows of a list');
    });
  });

  test('a message with a wrong signature is refused, and polling credits the payment', async () => {
    const before = new Map<string, number>();
    const orders = new Map<string, AnyOrder>();
    await each(SIGNED, async (row) => {
      before.set(row.rail, (await storedMessages(system, row.rail)).proven);
      await client.sandboxFaults({ rail: row.rail, wrong_signatures: 1 });
      orders.set(row.rail, await orderAt(row));
      await until('a message to be refused', 10_000, async () => (await storedMessages(system, row.rail)).refused > 0);
    });
    // A rail that sends messages is polled only four times a minute.
    await client.sandboxClock({ skip: 20 });
    await each(SIGNED, async ({ rail }) => {
      await isCreditedOnce(orders.get(rail) as AnyOrder);
      const { proven } = await storedMessages(system, rail);
      // WebMoney's question before a payment is proven by the product's own signature, which the fault doesn't affect.
      assert.equal(proven - (before.get(rail) ?? 0), rail === 'webmoney' ? 1 : 0);
      await client.sandboxFaults({ rail });
      await until('the message to come again under its own', 20_000, async () => {
        return (await storedMessages(system, rail)).proven > (before.get(rail) ?? 0) + (rail === 'webmoney' ? 1 : 0);
      });
    });
  });

  test('a payment system’s endpoint needs no client-id, accepts nothing unproven, and is documented', async () => {
    const document = (await (await fetch(`${system.url}/api/v1/openapi.json`)).json()) as { paths: Record<string, unknown> };
    for (const { rail, messages } of ROWS) {
      const path = `/api/v1/payment/${rail}/confirmation`;
      const { status } = await fetch(system.url + path, { method: 'POST', body: 'whatever it is' });
      assert.equal(status, messages ? 400 : 404, rail);
      assert.equal(path in document.paths, messages !== undefined, rail);
    }
    assert.match(await (await fetch(`${system.url}/api/docs`)).text(), /Webhook of Nebulox after a payment/);
  });
});
