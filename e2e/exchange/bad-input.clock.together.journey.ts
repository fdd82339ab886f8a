// Sends invalid input as a person and as a program. The response must name the problem and explain it in words, and nothing may
// be created.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Locale, PREFIX, openVisit } from '../harness/browser.ts';
import { type ApiResponse, call } from '../harness/call.ts';
import { BUY_BTC, type Exchange, SELL_BTC, fill, freshAddress, freshEmail, place, review } from '../customers/customer.ts';
import { countOrders } from '../harness/desk.ts';
import { sharedStage } from '../harness/stage.ts';
import type { System } from '../harness/system.ts';
import { calculate, giveDetails, goOn } from '../harness/walk.ts';

let system: System;
let browser: Browser;
let ordersBefore: number;
/** Orders of other customers, whose addresses and secrets may not be used. */
let sold: Exchange;
let bought: Exchange;

const post = (path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse> =>
  call(system.url, 'POST', path, body, headers);
const get = (path: string): Promise<ApiResponse> => call(system.url, 'GET', path);

before(async () => {
  ({ system, browser } = await sharedStage());
  const client = system.client();
  [sold, bought] = await Promise.all([place(client, SELL_BTC), place(client, BUY_BTC)]);
  ordersBefore = await countOrders(system);
});

/** Asserts that a response is a problem (RFC 9457) with this status and code, and a text in the requested language. */
function isProblem(answer: ApiResponse, status: number, code: string): void {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.code, code, answer.text);
  assert.match(answer.type, /^application\/problem\+json/);
}

function isSaid(words: readonly string[] | undefined, locale: Locale, field: string): void {
  assert.ok(words?.length, `words for ${field}`);
  assert.match(words[0] as string, locale === 'ru' ? /[а-яё]{2}/i : /^[^а-яё]+$/i);
}

const LONG = '9'.repeat(400);
const BAD_AMOUNTS = [
  ...[
    '-1',
    '0',
    '1e-7',
    'NaN',
    '1,5',
    ' 5',
    LONG,
    '0.123456789',
    '',
    '0x10',
    '+1',
    '1.',
    '.5',
    '00.5',
    '١',
    'Infinity',
    '0.00000001',
    '21000000',
  ],
  ...[0.005, 5, null, true, ['0.005'], { amount: '0.005' }, undefined],
];

describe('amounts', { concurrency: 4 }, () => {
  for (const amount of BAD_AMOUNTS) {
    test(`${JSON.stringify(amount)?.slice(0, 20)} is refused with field and words`, async () => {
      for (const locale of ['en', 'ru'] as const) {
        for (const path of ['/calculation', '/calculation/step1']) {
          const answer = await post(path, { from: 'BTC', to: 'USDT_ERC20', amount }, { 'accept-language': locale });
          isProblem(answer, 422, 'validation');
          isSaid(answer.errors['amount'], locale, 'amount');
        }
      }
    });
  }

  test('an amount with more decimals than payments have is refused', async () => {
    for (const [amount, side] of [
      ['400.123', 'give'],
      ['0.123456789', 'get'],
    ]) {
      isProblem(await post('/calculation', { from: 'USDT_ERC20', to: 'BTC', amount, side }), 422, 'validation');
    }
  });

  test('an unknown pair is refused', async () => {
    isProblem(await post('/calculation', { ...SELL_BTC, to: 'DOGE' }), 404, 'direction_unknown');
    isProblem(await post('/calculation', { ...SELL_BTC, to: 'BTC' }), 404, 'direction_unknown');
    isProblem(await post('/calculation', { ...SELL_BTC, to: '<script>' }), 422, 'validation');
  });
});

/** Changes the case of one letter, which makes the checksum of EIP-55 wrong. */
const turned = (address: string): string =>
  address.slice(0, 2) +
  address.slice(2).replace(/[a-f]/i, (letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()));

describe('accounts', { concurrency: 4 }, () => {
  /** Asserts that step 2 with one wrong address is refused, and that the error names only this address. */
  async function refuses(to: 'BTC' | 'USDT_ERC20', field: 'receive' | 'refund', address: unknown): Promise<void> {
    const client = system.client();
    const wish = to === 'BTC' ? BUY_BTC : SELL_BTC;
    const other = to === 'BTC' ? 'USDT_ERC20' : 'BTC';
    const draft = await client.step1({ from: wish.from, to: wish.to, amount: wish.amount });
    const [receive, refund] = await Promise.all([freshAddress(client, to), freshAddress(client, other)]);
    const details = { id: draft.id, token: draft.token, receive: { address: receive }, refund: { address: refund } };
    for (const locale of ['en', 'ru'] as const) {
      const body = { ...details, [field]: { address }, email: freshEmail(), terms_accepted: true };
      const answer = await post('/calculation/step2', body, { 'accept-language': locale });
      isProblem(answer, 422, 'validation');
      assert.deepEqual(Object.keys(answer.errors), [`${field}.address`]);
      isSaid(answer.errors[`${field}.address`], locale, field);
    }
    isProblem(await post('/calculation/process-order', { id: draft.id, token: draft.token }), 409, 'calculation_incomplete');
  }

  test('of another network are refused', async () => {
    const client = system.client();
    const [bitcoin, ethereum] = await Promise.all([freshAddress(client, 'BTC'), freshAddress(client, 'USDT_ERC20')]);
    await refuses('USDT_ERC20', 'receive', bitcoin);
    await refuses('USDT_ERC20', 'refund', ethereum);
    await refuses('USDT_ERC20', 'receive', 'TJ7hhYhVhaxNx6BPyq7yFpqZrQULL3JSdb');
    await refuses('BTC', 'receive', ethereum);
    await refuses('BTC', 'receive', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu');
    await refuses('BTC', 'receive', '1BoatSLRHtKNngkdXEeobR76b53LETtpyT');
  });

  test('with a wrong checksum, or no accounts at all, are refused', async () => {
    const client = system.client();
    const [bitcoin, ethereum] = await Promise.all([freshAddress(client, 'BTC'), freshAddress(client, 'USDT_ERC20')]);
    await refuses('BTC', 'receive', bitcoin.slice(0, -1) + (bitcoin.endsWith('q') ? 'p' : 'q'));
    await refuses('USDT_ERC20', 'receive', turned(ethereum));
    await refuses('USDT_ERC20', 'receive', ethereum.slice(0, -1));
    await refuses('USDT_ERC20', 'receive', `0x${'0'.repeat(40)}`);
    for (const nothing of ['', ' ', 5, null, 'x'.repeat(301)]) await refuses('BTC', 'receive', nothing);
  });

  test('of our own (an order’s pay address, the desk’s hot wallet) are refused', async () => {
    const keys = JSON.parse(await readFile(join(system.data, 'keys/public.json'), 'utf8')) as { evm: { hot: string } };
    const [bitcoin, ethereum] = [sold.order.pay?.address ?? '', bought.order.pay?.address ?? ''];
    await refuses('BTC', 'receive', bitcoin);
    await refuses('BTC', 'receive', bitcoin.toUpperCase());
    await refuses('USDT_ERC20', 'refund', bitcoin);
    await refuses('USDT_ERC20', 'receive', ethereum);
    await refuses('USDT_ERC20', 'receive', keys.evm.hot);
    await refuses('USDT_ERC20', 'receive', keys.evm.hot.toLowerCase());
  });

  test('step 2 without consent or a contact is refused', async () => {
    const client = system.client();
    const { key, receive, refund } = await fill(client, SELL_BTC);
    const body = {
      ...key,
      receive: { address: receive },
      refund: { address: refund },
      email: freshEmail(),
      terms_accepted: true,
    };
    for (const [field, wrong] of [
      ['terms_accepted', false],
      ['email', 'nobody'],
      ['email', 'a@b@c.org'],
      ['receive', 'text'],
      ['refund', {}],
    ]) {
      const answer = await post('/calculation/step2', { ...body, [field as string]: wrong }, { 'accept-language': 'ru' });
      isProblem(answer, 422, 'validation');
      const [name, words] = Object.entries(answer.errors)[0] ?? ['', []];
      assert.ok(name.startsWith(field as string), `${name} is ${String(field)}`);
      isSaid(words, 'ru', name);
    }
  });
});

describe('of others, or used', { concurrency: 4 }, () => {
  test('a calculation opens for its owner alone', async () => {
    const client = system.client();
    const [mine, other] = await Promise.all([review(client, SELL_BTC), review(client, SELL_BTC)]);
    for (const token of [other.key.token, undefined, 'A'.repeat(43)]) {
      const details = {
        receive: { address: mine.receive },
        refund: { address: mine.refund },
        email: freshEmail(),
        terms_accepted: true,
      };
      const request = { step1: SELL_BTC, step2: details, step3: { bot_token: 'sandbox' }, 'process-order': {}, expire: {} };
      for (const [path, fields] of Object.entries(request)) {
        const answer = await post(`/calculation/${path}`, { ...fields, id: mine.key.id, token });
        isProblem(answer, 404, 'calculation_not_found');
      }
    }
  });

  test('an order opens for its owner alone, and others can’t tell if it exists', async () => {
    const { id } = sold.order;
    for (const token of [bought.order.token, 'A'.repeat(43)]) {
      for (const answer of await Promise.all([
        get(`/calculation/track-order?id=${id}&token=${token}`),
        get(`/calculation/track-order?id=KX-0000-0000&token=${token}`),
        get(`/order/status?id=${id}&token=${token}`),
        get(`/calculation/track-order?id=${id}&email=${freshEmail()}`),
        post('/order/get-otp', { id, token }),
        post('/order/choose', { id, token, choice: 'refund', otp: '123456' }),
        post('/calculation/expire', { id, token }),
        post('/calculation/process-transaction', { order_id: id, token }),
      ])) {
        isProblem(answer, 404, 'order_not_found');
      }
    }
  });

  test('a calculation becomes one order', async () => {
    const { key } = await review(system.client(), SELL_BTC);
    const placed = await post('/calculation/process-order', key, { 'idempotency-key': 'first' });
    assert.equal(placed.status, 200, placed.text);
    isProblem(await post('/calculation/process-order', key, { 'idempotency-key': 'second' }), 409, 'calculation_used');
    isProblem(await post('/calculation/process-order', key), 409, 'calculation_used');
    isProblem(await post('/calculation/step3', { ...key, bot_token: 'sandbox' }), 409, 'calculation_used');
    isProblem(await get(`/calculation?${new URLSearchParams(key)}`), 409, 'calculation_used');
  });

  test('the review asks visitors for the check for bots', async () => {
    const { key } = await fill(system.client(), SELL_BTC);
    isProblem(await post('/calculation/step3', key), 403, 'bot_check_required');
    isProblem(await post('/calculation/step3', { ...key, bot_token: 'bm9uc2Vuc2U' }), 403, 'bot_check_failed');
    isProblem(await post('/calculation/process-order', key), 409, 'calculation_incomplete');
  });
});

test('fifty parallel requests with one key place one order and return the same bytes', async () => {
  const email = freshEmail();
  const { key } = await review(system.client(), { ...SELL_BTC, email });
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => post('/calculation/process-order', key, { 'idempotency-key': 'one-key' })),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  assert.equal(await countOrders(system, email), 1);

  const again = await post('/calculation/process-order', key, { 'idempotency-key': 'one-key' });
  assert.equal(again.text, answers[0]?.text, 'and later too');
  const another = await post('/calculation/process-order', { ...key, note: 'another body' }, { 'idempotency-key': 'one-key' });
  isProblem(another, 422, 'idempotency_mismatch');
});

describe('unknown calls', { concurrency: 4 }, () => {
  const body = { from: 'BTC', to: 'USDT_ERC20', amount: '0.005' };

  test('an unknown client is refused', async () => {
    const nameless = await fetch(`${system.url}/api/v1/calculation`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(nameless.status, 200);
    isProblem(await post('/calculation', body, { 'client-id': 'stranger' }), 403, 'unknown_client');
  });

  test('an unknown path, a wrong method and a malformed address are refused', async () => {
    isProblem(await get('/nothing'), 404, 'not_found');
    isProblem(await get('/calculation/step1'), 405, 'method_not_allowed');
    isProblem(await get('/%E0%A4%A'), 404, 'not_found');
    isProblem(await get('/operator/orders'), 404, 'not_found');
    // Outside the API the error is a page for people.
    for (const path of ['/En/%E0%A4%A', '/%zz']) {
      const page = await fetch(system.url + path);
      assert.deepEqual([page.status, page.headers.get('content-type')], [404, 'text/html; charset=utf-8'], path);
      assert.match(await page.text(), /not in circulation/, path);
    }
  });

  test('a body that is too large, not JSON or no object is refused', async () => {
    isProblem(await post('/calculation', { ...body, to: 'x'.repeat(70_000) }), 413, 'payload_too_large');
    for (const type of ['text/plain', 'text/xml', 'application/x-www-form-urlencoded']) {
      isProblem(await post('/calculation', 'a=b', { 'content-type': type }), 415, 'unsupported_media_type');
    }
    for (const text of ['{"from":', '[1]', '"text"', 'null', '', '{"__proto__":{"from":"BTC"}}']) {
      isProblem(await post('/calculation', text), 422, 'validation');
    }
    isProblem(await post('/calculation/step1', body, { 'idempotency-key': 'two words' }), 422, 'validation');
  });
});

describe('in the browser', { concurrency: 2 }, () => {
  for (const locale of ['en', 'ru'] as const) {
    test(`at /${PREFIX[locale]} errors are shown at their fields`, async () => {
      const visit = await openVisit(browser, locale);
      const { page, say } = visit;
      await calculate(visit, system.url, SELL_BTC);
      const amount = page.getByRole('textbox', { name: say('you_send') });
      for (const [text, words] of [
        ['0.0001', 'amount_below_min'],
        ['1', 'amount_above_max'],
        ['1e-7', 'amount_unreadable'],
        ['-1', 'amount_unreadable'],
      ]) {
        await amount.fill(locale === 'ru' ? (text as string).replace('.', ',') : (text as string));
        await amount.blur();
        await page.getByText(say(words as string)).waitFor();
        assert.equal(await amount.getAttribute('aria-invalid'), 'true');
      }
      await calculate(visit, system.url, SELL_BTC);
      await goOn(visit);
      const wrong = sold.order.pay?.address ?? '';
      await giveDetails(visit, { receive: wrong, refund: wrong, email: freshEmail() });
      await page.getByText(say('fields_to_check', { count: '2' })).waitFor();
      for (const group of ['details_receive', 'details_refund']) {
        const field = page.getByRole('group', { name: say(group) }).getByRole('textbox');
        assert.equal(await field.getAttribute('aria-invalid'), 'true');
        assert.equal(await field.inputValue(), wrong, 'what was typed stays');
      }
      // The response to the refused form has status 422, which the browser logs as an error.
      assert.deepEqual(
        visit.troubles.filter((trouble) => !/422/.test(trouble)),
        [],
      );
      await visit.close();
    });
  }

  test('an order with a wrong secret is a page that says so', async () => {
    const visit = await openVisit(browser, 'en');
    const response = await visit.page.goto(`${system.url}/En/order?id=${sold.order.id}&token=${bought.order.token}`);
    assert.equal(response?.status(), 404);
    await visit.page.getByRole('heading', { name: visit.say('order_missing_title') }).waitFor();
    assert.doesNotMatch(await visit.page.locator('main').innerText(), new RegExp(sold.receive));
    await visit.close();
  });
});

describe('after expiry', () => {
  test('a quote is refused after three minutes, a calculation after thirty', async () => {
    const client = system.client();
    const [quoted, reviewed] = await Promise.all([review(client, SELL_BTC), review(client, SELL_BTC)]);
    // The clock of a busy process may be one or two seconds ahead of the database's, so skip some seconds more.
    await client.sandboxClock({ skip: 190 });
    isProblem(await post('/calculation/process-order', quoted.key), 409, 'quote_expired');
    const renewed = await post('/calculation/step3', { ...quoted.key, bot_token: 'sandbox' });
    assert.equal(renewed.status, 200, renewed.text);
    assert.equal((await post('/calculation/process-order', quoted.key)).status, 200);
    await client.sandboxClock({ skip: 30 * 60 });
    isProblem(await post('/calculation/step3', { ...reviewed.key, bot_token: 'sandbox' }), 410, 'calculation_expired');
    isProblem(await post('/calculation/process-order', reviewed.key), 410, 'calculation_expired');
  });
});

test('only valid requests created orders', async () => {
  // Three orders: the single calculation, the one of fifty requests, and the renewed quote.
  assert.equal(await countOrders(system), ordersBefore + 3);
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
