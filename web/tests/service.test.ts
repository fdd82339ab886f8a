import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import en from '../locales/en-US.json' with { type: 'json' };
import ru from '../locales/ru-RU.json' with { type: 'json' };
import type { Site, SiteRequest, SiteResponse } from '../site.ts';
import { SITE } from '../entries/site.ts';
import { compressed } from '../testing/page-size.ts';
import { textOf } from '../testing/ask-text.ts';
import { stubSite } from '../testing/serve.ts';
import { stubClient } from '../testing/stub.ts';
import { DIRECTIONS } from '../testing/stub-terms.ts';
import { WORLD_DIRECTIONS, worldClient } from '../testing/world.ts';

const URL_ = 'http://kurs.test';
const clock = (): Date => new Date('2026-11-20T14:05:12Z');
let world: Site;

before(async () => {
  world = await stubSite({ url: URL_, client: worldClient(clock) });
});

const ask = (url: string, request: Partial<SiteRequest> = {}, site = world): Promise<SiteResponse> =>
  site.handle({ method: 'GET', url, headers: {}, cookies: {}, ...request });
const header = (response: SiteResponse, name: string): string | undefined => response.headers.find(([own]) => own === name)?.[1];
const has = (body: string, part: RegExp | string): void =>
  assert.ok(typeof part === 'string' ? body.includes(part) : part.test(body), `missing: ${String(part)}`);
const lacks = (body: string, part: RegExp): void => assert.ok(!part.test(body), `found: ${part.exec(body)?.[0]}`);
const jsonOf = (body: string): { '@graph'?: { '@type': string }[] } =>
  JSON.parse(new RegExp(`<script type="application/ld\\+json">(.*?)</script>`, 's').exec(body)?.[1] ?? '{}');

test('every direction has a page by its slug in both languages, with all metadata for search engines', async () => {
  for (const [prefix, language] of [
    ['En', 'en'],
    ['Ru', 'ru'],
  ] as const) {
    for (const slug of [
      'tether-to-paypal-exchange',
      'perfectmoney-to-paypal-exchange',
      'btc-paypal-usd',
      'paypal-usd-trx',
      'eth-pmv-usd',
      'btc-usdt-erc20',
    ]) {
      const { status, body, isCacheable } = await ask(`/${prefix}/services/${slug}`);
      assert.equal(status, 200, slug);
      assert.equal(isCacheable, true);
      has(body, `<html lang="${language}"`);
      assert.equal(body.match(/<h1/g)?.length, 1);
      has(body, /<meta name="description" content="[^"]{50,}"/);
      has(body, `<link rel="canonical" href="${URL_}/${prefix}/services/${slug}">`);
      for (const [other, path] of [
        ['en', 'En'],
        ['ru', 'Ru'],
        ['x-default', 'En'],
      ])
        has(body, `hreflang="${other}" href="${URL_}/${path}/services/${slug}"`);
      lacks(body, /\sstyle="/);
      lacks(textOf(body), /undefined|NaN|\[object/);
      const types = jsonOf(body)['@graph']?.map((one) => one['@type']);
      assert.deepEqual(types?.slice(0, 2), ['BreadcrumbList', 'FAQPage']);
      assert.ok(types?.length === 2 || types?.[2] === 'ExchangeRateSpecification', slug);
      const html = body.replace(/<style>.*?<\/style>/s, '');
      assert.ok(compressed(html).length <= SITE.budget.html, `${prefix} ${slug}: ${compressed(html).length}`);
    }
  }
});

test('the page describes the direction’s pay-in and payout by their kinds', async () => {
  const page = async (slug: string): Promise<string> => textOf((await ask(`/En/services/${slug}`)).body);
  const crypto = await page('tether-to-paypal-exchange');
  has(crypto, 'Send USDT on the TRC-20 network and receive USD on your PayPal account.');
  has(crypto, en.service_ask_network);
  has(crypto, 'For the payout: PayPal e-mail. In case of a refund: TRC-20 address.');
  has(crypto, 'Payment system, sending 2%, at most 20.00 USDT');
  const voucher = await page('perfectmoney-to-paypal-exchange');
  has(voucher, en.service_step_enter);
  has(voucher, en.service_ask_voucher);
  lacks(voucher, /QR code/);
  const bought = await page('eth-pmv-usd');
  has(bought, en.service_step_get_code);
  has(bought, en.service_ask_code);
  const form = await page('paypal-usd-trx');
  has(form, 'Check, place the order, pay at PayPal');
  has(form, /Network costs|3\.49%/);
});

test('a payment system that doesn’t answer is not called a network', async () => {
  const closed = WORLD_DIRECTIONS.find(({ reason }) => reason === 'rail_down')?.slug;
  const [inEnglish, inRussian] = await Promise.all(
    ['En', 'Ru'].map(async (prefix) => textOf((await ask(`/${prefix}/services/${closed}`)).body)),
  );
  has(inEnglish ?? '', 'The network or payment system is not responding right now. It opens');
  has(inEnglish ?? '', 'as soon as the network or payment system answers again');
  has(inRussian ?? '', 'Сеть или платёжная система сейчас не отвечает.');
  has(inRussian ?? '', 'как только сеть или платёжная система снова ответит');
});

test('for a reversible payment the page requires a level before step 2 and states limits and clearing period', async () => {
  const { slug = '' } = WORLD_DIRECTIONS.find(({ from, to, open }) => from === 'PAYPAL_USD' && to === 'BTC' && open) ?? {};
  const said = {
    En: [
      'Paying with PayPal requires a verified identity, level 2',
      'At first, per order up to 200 USD',
      'Wait before the payout 72 h, later 24 h',
      'The payout leaves 72 hours after that for your first 3 orders, and 24 hours after it for further ones',
      'And the e\u2011mail address that has level 2',
    ],
    Ru: [
      'Чтобы платить через PayPal, нужен уровень проверки 2',
      'Сначала в одной заявке до 200 USD',
      'Для первых 3 заявок выплата уходит через 72 часа после этого, для следующих через 24 часа',
    ],
  };
  const never = {
    En: [en.calculator_foot, en.answer_check, /we pay out\./],
    Ru: [ru.calculator_foot, ru.answer_check, ru.service_step_email],
  };
  for (const prefix of ['En', 'Ru'] as const) {
    const { body } = await ask(`/${prefix}/services/${slug}`);
    for (const each of said[prefix]) has(textOf(body), each);
    has(
      textOf(body),
      (prefix === 'En' ? en : ru).calculator_foot_level
        .replace('{name}', 'PayPal')
        .replace('{level}', '2')
        .replaceAll('\u00a0', ' '),
    );
    const words = prefix === 'En' ? en : ru;
    has(textOf(body), words.calculator_level.replace('{name}', 'PayPal').replaceAll('\u00a0', ' '));
    has(textOf(body), words.calculator_level_limits);
    has(body, `href="/${prefix}/contact-us?topic=verification"`);
    has(body, `href="/${prefix}/contact-us"`);
    for (const words of never[prefix])
      assert.ok(
        typeof words === 'string' ? !textOf(body).includes(words.replaceAll('\u00a0', ' ')) : !words.test(textOf(body)),
        String(words),
      );
    const reported = JSON.stringify(jsonOf(body)).replaceAll('\u00a0', ' ');
    assert.ok(
      reported.includes(prefix === 'En' ? 'verification level 2' : 'уровень проверки 2') && reported.includes('72'),
      'in the structured data too',
    );
    assert.ok(!reported.includes(prefix === 'En' ? en.answer_check : ru.answer_check));
  }
  const other = textOf((await ask('/En/services/btc-usdt-erc20')).body);
  has(other, en.calculator_foot);
  lacks(other, /verified account/i);
  lacks(other, /verification level/);
});

test('the API decides which payments are reversible, and which level they need', async () => {
  const client = worldClient(clock);
  const [currencies, rules] = await Promise.all([client.currencies({}), client.rules({})]);
  const reported = {
    ...client,
    currencies: async () => currencies.map((one) => ({ ...one, payer_level: one.code === 'VOLET_USD' ? 3 : 0 })),
    rules: async () => ({ ...rules, reversible: { ...rules.reversible, currencies: ['VOLET_USD'], level: 3, first_hours: 7 } }),
  };
  const site = await stubSite({ url: URL_, client: reported });
  const [volet, paypal] = await Promise.all(
    ['volet-usd-btc', 'paypal-usd-btc'].map(async (slug) => textOf((await ask(`/En/services/${slug}`, {}, site)).body)),
  );
  has(volet ?? '', 'Paying with Volet requires verification level 3.');
  has(volet ?? '', 'Wait before the payout 7 h, later 24 h');
  lacks(paypal ?? '', /requires verification level/);
});

test('figures are the direction’s own; a median without samples is absent', async () => {
  for (const direction of WORLD_DIRECTIONS.slice(0, 4)) {
    const body = textOf((await ask(`/En/services/${direction.slug}`)).body);
    has(body, `Reserve now ${(+direction.reserve).toLocaleString('en-US', { minimumFractionDigits: 2 }).slice(0, 6)}`);
    assert.equal(body.includes(en.service_fact_time), direction.usual_minutes !== undefined, direction.slug);
  }
});

test('a closed direction states the reason and when it opens, and its calculator can’t continue', async () => {
  const words = { reserve: en.service_opens_with_reserve, rail_down: en.service_opens_with_network };
  for (const [reason, when] of Object.entries(words)) {
    const closed = WORLD_DIRECTIONS.find((direction) => direction.reason === reason);
    assert.ok(closed, reason);
    const { body, status } = await ask(`/En/services/${closed.slug}`);
    assert.equal(status, 200);
    has(textOf(body), when);
    has(body, /<button[^>]* disabled=""/);
  }
});

test('an unknown slug is a 404 page, which does not contain the slug', async () => {
  for (const slug of ['nope', 'TETHER', '%3Cscript%3E', 'tether%2F..']) {
    const { status, body, isCacheable } = await ask(`/Ru/services/${slug}`);
    assert.equal(status, 404, slug);
    assert.equal(isCacheable, false);
    lacks(body, /<script>/);
  }
  assert.equal(
    header(await ask('/services/tether-to-paypal-exchange', { headers: { 'accept-language': 'ru' } }), 'location'),
    '/Ru/services/tether-to-paypal-exchange',
  );
  has((await ask('/sitemap.xml')).body, `<loc>${URL_}/Ru/services/tether-to-paypal-exchange</loc>`);
});

const pointsDrawn = (body: string): number => (/<path class="[^"]*" d="(M0 [^VHh"]*)"/.exec(body)?.[1] ?? '').split('L').length;

test('a table repeats the chart’s figures, and both equal the history', async () => {
  const { body } = await ask('/Ru/services/btc-usdt-erc20');
  const table = /<table.*?<\/table>/s.exec(body)?.[0] ?? '';
  const { points } = await worldClient(clock).rateHistory({ from: 'BTC', to: 'USDT_ERC20' });
  const drawn = points.filter(({ at }) => Math.trunc(+at.slice(11, 13)) % 8 === 0);
  for (const { value } of drawn) {
    const written = `${value.slice(0, 2)}\u00a0${value.slice(2, 5)},${value.slice(6, 8)}`;
    has(table, written);
  }
  assert.equal(pointsDrawn(body), drawn.length + 1, 'a point for each figure, and the rate of now');
  has(body, /role="img" aria-label="[^"]*BTC[^"]*"/);
});

test('the chart ends with the present rate, even if the history has the inverse rate', async () => {
  const client = stubClient(clock);
  const { points } = await client.rateHistory({ from: 'BTC', to: 'USDT_ERC20' });
  const turned = points.map(({ at, value }) => ({ at, value: (1 / Number(value)).toFixed(12) }));
  const rateHistory = async () => ({ base: 'USDT', quote: 'BTC', points: turned });
  const site = await stubSite({ url: URL_, client: { ...client, rateHistory } });
  const { body } = await ask('/En/services/btc-usdt-erc20', {}, site);
  assert.equal(pointsDrawn(body), pointsDrawn((await ask('/En/services/btc-usdt-erc20')).body));
  has(body, /<b class="num">0\.0000/);
});

test('a short history is drawn with its start; a missing one is stated', async () => {
  const at = async (hours: number): Promise<string> => {
    const client = stubClient(clock);
    const { points, ...pair } = await client.rateHistory({ from: 'BTC', to: 'USDT_ERC20' });
    const young = { ...client, rateHistory: async () => ({ ...pair, points: points.slice(points.length - hours) }) };
    const site = await stubSite({ url: URL_, client: young });
    return textOf((await ask('/En/services/btc-usdt-erc20', {}, site)).body);
  };
  has(await at(5), 'Recorded since Nov 20, 2026, 10:00 UTC.');
  has(await at(0), en.service_rate_none);
});

test('the page’s calculator starts with its pair, keeps typed text, and returns to the pair’s page', async () => {
  const [sell] = DIRECTIONS;
  const { body } = await ask(`/En/services/${sell?.slug}?amount=0.01`);
  has(body, 'value="0.0100"');
  const form = { from: 'BTC', to: 'USDT_ERC20', give: '0.008', was_give: '0.01', get: '1', was_get: '1' };
  const send = async (intent: string, typed: Partial<typeof form> & { was_side?: string } = {}): Promise<string | undefined> =>
    header(
      await ask(`/En/services/btc-usdt-erc20`, {
        method: 'POST',
        body: new URLSearchParams({ ...form, ...typed, intent }).toString(),
        headers: { 'sec-fetch-site': 'same-origin' },
      }),
      'location',
    );
  const swapped = /^\/En\/services\/usdt-erc20-btc\?from=USDT_ERC20&to=BTC&side=give&amount=[0-9.]+$/;
  assert.match((await send('swap')) ?? '', swapped, 'what would be received is given');
  const long = '1'.repeat(24);
  assert.match((await send('calculate', { give: long })) ?? '', new RegExp(`side=give&amount=${long}$`));
  has((await ask(`/En/services/btc-usdt-erc20?side=give&amount=${long}`)).body, `value="${'111,'.repeat(8).slice(0, -1)}.0000"`);
  assert.equal(await send('calculate'), '/En/services/btc-usdt-erc20?from=BTC&to=USDT_ERC20&side=give&amount=0.008');
  assert.match((await send('continue')) ?? '', /^\/En\/exchange\?id=/);
  const { give, get } = { give: form.was_give, get: form.was_get };
  assert.match((await send('calculate', { give, get, was_side: 'get', from: 'ETH' })) ?? '', /side=get&amount=1$/);
  assert.match((await send('calculate', { get, was_side: 'get' })) ?? '', /side=give&amount=0\.008$/);
  for (const typed of ['abc', '1e-7', '"><script>', '']) {
    const back = (await send('continue', { give: typed })) ?? '';
    assert.equal(
      back,
      `/En/services/btc-usdt-erc20?${new URLSearchParams({ from: 'BTC', to: 'USDT_ERC20', side: 'give', typed })}`,
    );
    const said = (await ask(back)).body;
    has(said, en.amount_unreadable);
    has(said, `value="${typed.replace('"', '&quot;').replace('>', '&gt;').replace('<', '&lt;').replace('>', '&gt;')}"`);
    lacks(said, /value="0\.0100"/);
  }
  const cyrillic = (await ask((await send('continue', { give: '1О0' })) ?? '')).body;
  has(cyrillic, en.amount_look_alike.replace('{letter}', 'О').replace('{digit}', '0'));
  const moved = await ask('/En/services/tether-to-paypal-exchange?from=BTC&to=USDT_ERC20&amount=0.01');
  assert.equal(header(moved, 'location'), '/En/services/btc-usdt-erc20?from=BTC&to=USDT_ERC20&amount=0.01');
});

test('the list has every direction on small pages, and each links to its own page', async () => {
  const seen = new Set<string>();
  for (const page of [1, 2, 3, 4]) {
    const { status, body } = await ask(`/En/rates?page=${page}`);
    assert.equal(status, 200);
    for (const [, slug] of body.matchAll(/<th scope="row"><a href="\/En\/services\/([a-z0-9-]+)"/g)) seen.add(slug as string);
    const html = body.replace(/<style>.*?<\/style>/s, '');
    assert.ok(compressed(html).length <= SITE.budget.html, `page ${page}: ${compressed(html).length}`);
  }
  assert.ok(WORLD_DIRECTIONS.length > 100);
  assert.deepEqual([...seen].sort(), WORLD_DIRECTIONS.map(({ slug }) => slug).sort());
});

test('search and filters are part of the address and work without scripts; an empty result says so', async () => {
  const found = await ask('/En/rates?q=paypal&from=USDT_TRC20');
  has(found.body, /<input type="search"[^>]*value="paypal"/);
  has(found.body, /<option value="USDT_TRC20" selected="">/);
  has(textOf(found.body), '1 direction Reset');
  has(found.body, '/En/services/tether-to-paypal-exchange');
  has(textOf((await ask('/Ru/rates?q=doge')).body), ru.rates_nothing.replaceAll('\u00a0', ' '));
  has(textOf((await ask('/En/rates')).body), /We can|The market is moving too fast right now/);
  lacks((await ask('/En/rates?q=%22%3E%3Cscript%3Ealert(1)')).body, /<script>alert/);
});

test('with a hundred directions the home page stays small, and links to all of them', async () => {
  for (const prefix of ['En', 'Ru']) {
    const { body } = await ask(`/${prefix}`);
    const html = body.replace(/<style>.*?<\/style>/s, '');
    assert.ok(compressed(html).length <= SITE.budget.html, `${prefix}: ${compressed(html).length}`);
    has(body, `href="/${prefix}/rates"`);
    assert.equal(body.match(new RegExp(`<a class="[^"]*" href="/${prefix}/services/`, 'g'))?.length, 18);
  }
});
