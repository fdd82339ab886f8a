import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import enWords from '../content/payment/en-US.json' with { type: 'json' };
import ruWords from '../content/payment/ru-RU.json' with { type: 'json' };
import en from '../locales/en-US.json' with { type: 'json' };
import ru from '../locales/ru-RU.json' with { type: 'json' };
import { qrOf } from '../server/document/qr.ts';
import type { Site, SiteRequest, SiteResponse } from '../site.ts';
import { textOf } from '../testing/ask-text.ts';
import { stubSite } from '../testing/serve.ts';
import { worldClient } from '../testing/world.ts';

// Orders that are paid at a provider or with a voucher, orders that buy a voucher, and the return from a provider.

const TOKEN = 'c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx';
let site: Site;

before(async () => {
  site = await stubSite({ url: 'http://kurs.test', client: worldClient(() => new Date()) });
});

const ask = (url: string, request: Partial<SiteRequest> = {}): Promise<SiteResponse> =>
  site.handle({ method: 'GET', url, headers: {}, cookies: {}, ...request });
const post = (url: string, form: Record<string, string>): Promise<SiteResponse> =>
  ask(url, { method: 'POST', body: new URLSearchParams(form).toString(), headers: { 'sec-fetch-site': 'same-origin' } });
const header = (response: SiteResponse, name: string): string => response.headers.find(([own]) => own === name)?.[1] ?? '';
const order = (scene: string, locale = 'En'): string => `/${locale}/order?id=KX-${scene}-NG00&token=${TOKEN}`;
const has = (body: string, part: RegExp | string): void =>
  assert.ok(typeof part === 'string' ? body.includes(part) : part.test(body), `missing: ${String(part)}`);
const lacks = (body: string, part: RegExp): void => assert.ok(!part.test(body), `found: ${part.exec(body)?.[0]}`);
/** Returns the text before the first placeholder, as a page shows it. */
const start = (words: string): string => (words.split('{')[0] ?? '').replaceAll('\u00a0', ' ').trim();

const filled = (words: string, network = ''): string => words.replace('{network}', network).replaceAll('\u00a0', ' ');

test('every kind of payment has a page in both languages, without “undefined” in it', async () => {
  for (const scene of ['PREP', 'RFSP', 'LEAV', 'LVGT', 'VCHR', 'VTKN', 'VWRG', 'GOOD', 'GSEE']) {
    for (const locale of ['En', 'Ru']) {
      const { status, body } = await ask(order(scene, locale));
      assert.equal(status, 200, scene);
      lacks(textOf(body), /undefined|NaN|\[object/);
      lacks(body, /\sstyle="/);
    }
  }
});

test('payers of a coin that a contract can forward are warned in both languages', async () => {
  for (const [locale, words] of [
    ['En', en],
    ['Ru', ru],
  ] as const) {
    has(textOf((await ask(order('COIN', locale))).body), start(words.pay_internal).slice(0, 40));
    lacks(textOf((await ask(order('WAIT', locale))).body), new RegExp(start(words.pay_internal).slice(0, 40)));
  }
});

test('a QR code holds a token’s bare address, for bitcoin also the sum, and its caption says which', async () => {
  for (const [locale, words] of [
    ['En', en],
    ['Ru', ru],
  ] as const) {
    const tokens = (await ask(order('TKNS', locale))).body;
    has(tokens, `<path d="${qrOf('0x71C7656EC7ab88b098defB751B7401B5f6d8976F').path}"`);
    has(textOf(tokens), filled(words.pay_qr_address_only, 'Ethereum · ERC-20'));
    has(tokens, /<a [^>]*href="ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7@1\/transfer/);
    const bitcoin = (await ask(order('WAIT', locale))).body;
    has(bitcoin, `<path d="${qrOf('bitcoin:rb1q7wz0v9u8t7s6r5q4p3n2m1l0k9j8h7g6f5d4s3?amount=0.01000000').path}"`);
    has(textOf(bitcoin), filled(words.pay_qr_with_amount));
  }
});

test('a payment at a provider opens by a form or a link, names its target, and says that returning credits nothing', async () => {
  const form = await ask(order('LEAV'));
  has(form.body, /<form [^>]*action="https:\/\/pay\.example\/checkout\?token=5O190127TN364715T"/);
  has(form.body, /<input type="hidden" name="m_orderid" value="KX-LEAV-NG00"\/>/);
  has(textOf(form.body), 'Pay 103.50 USD at PayPal');
  has(textOf(form.body), 'You’ll be taken to pay.example and brought back here.');
  has(textOf(form.body), 'Returning here isn’t proof of payment');
  assert.match(header(form, 'content-security-policy'), /form-action 'self' https:\/\/pay\.example;/);
  const link = await ask(order('LVGT', 'Ru'));
  has(link.body, /<a href="https:\/\/pay\.example\/checkout\?token=5O190127TN364715T" rel="noreferrer"/);
  assert.match(header(await ask('/En/track'), 'content-security-policy'), /form-action 'self';/);
});

test('a payment that is being prepared or was refused says so and requests nothing', async () => {
  has(textOf((await ask(order('PREP'))).body), en.pay_preparing);
  has(textOf((await ask(order('RFSP', 'Ru'))).body), ru.pay_refused_title.replaceAll('\u00a0', ' '));
  for (const scene of ['PREP', 'RFSP']) lacks((await ask(order(scene))).body, /name="fields\.|https:\/\/pay\.example/);
});

test('a voucher is entered without scripts; a wrong one shows an error at its field', async () => {
  const { body } = await ask(order('VCHR'));
  has(body, /<input[^>]* name="fields\.number"/);
  lacks(body, /http-equiv="refresh"/);
  const wrong = await post(order('VCHR'), { intent: 'redeem', seq: '1', 'fields.number': '12', 'fields.code': '34' });
  assert.equal(wrong.status, 422);
  has(wrong.body, /id="field-fields-number"[^>]*aria-invalid="true"/);
  has(wrong.body, 'value="12"');
  const right = await post(order('VCHR'), { intent: 'redeem', seq: '1', 'fields.number': '1234567890', 'fields.code': '1' });
  assert.equal(right.status, 303);
  has(textOf((await ask(order('VTKN'))).body), en.entry_taken);
  has(textOf((await ask(order('VWRG'))).body), start(en.entry_wrong));
});

test('a voucher that was bought is shown on demand, the second time only with a mailed code', async () => {
  const closed = await ask(order('GOOD'));
  lacks(closed.body, /1234567890123456/);
  const shown = await post(order('GOOD'), { intent: 'voucher' });
  has(shown.body.replace(/<\/?(b|wbr)\/?>/g, ''), '1234567890123456');
  assert.equal(header(shown, 'cache-control'), 'no-store');
  const again = await ask(order('GSEE'));
  has(again.body, /value="voucher_code"/);
  const mailed = await post(order('GSEE'), { intent: 'voucher_code' });
  has(mailed.body, /name="otp"/);
  const handle = /name="handle" value="([^"]+)"/.exec(mailed.body)?.[1] ?? '';
  const wrong = await post(order('GSEE'), { intent: 'voucher', otp: '000000', handle });
  assert.equal(wrong.status, 422);
  has(textOf(wrong.body), 'This code does not match. Tries left: 4.');
  has(wrong.body, /name="otp"/);
  has((await post(order('GSEE'), { intent: 'voucher', otp: '123 456', handle })).body, /value="1234567890|1234567890/);
  const elsewhere = await post(order('GELS'), { intent: 'voucher' });
  assert.equal(elsewhere.status, 200);
  has(elsewhere.body, /name="otp"/);
  has(elsewhere.body, /name="handle" value="[^"]/);
  lacks(elsewhere.body, /1234567890123456/);
});

test('the return pages of a provider credit nothing, and link to the order', async () => {
  for (const [path, words] of [
    ['/En/payment/success', enWords.paid],
    ['/En/payment/fail', enWords.unpaid],
    ['/Ru/payment/success', ruWords.paid],
    ['/Ru/payment/fail', ruWords.unpaid],
  ] as const) {
    const page = await ask(`${path}?id=KX-7F3Q-2M8C&token=secret`);
    assert.equal(page.status, 200);
    assert.equal(header(page, 'cache-control'), 'no-store');
    has(page.body, '<meta name="robots" content="noindex">');
    has(textOf(page.body), words.title);
    has(textOf(page.body), words.lead);
    has(page.body, /href="\/(En|Ru)\/track\?id=KX-7F3Q-2M8C"/);
    if (path.endsWith('fail')) has(page.body, /href="\/(En|Ru)\/contact-us\?order=KX-7F3Q-2M8C"/);
  }
  const requests = await callsOf('/En/payment/success?id=KX-7F3Q-2M8C&token=secret&m_status=success&m_amount=100.00');
  assert.deepEqual(
    requests.filter((name) => /order|process|transaction/i.test(name)),
    [],
    'the order is not even read',
  );
  lacks((await ask('/En/payment/success?id=%3Cscript%3E')).body, /<script>/);
  has((await ask('/En/track?id=KX-7F3Q-2M8C')).body, 'value="KX-7F3Q-2M8C"');
});

test('a return page has a page’s usual metadata, and nothing about the order in it', async () => {
  const headOf = ({ body }: SiteResponse): string => /<\/style>(.*?)<\/head>/s.exec(body)?.[1] ?? '';
  for (const [way, words] of [
    ['success', enWords.paid],
    ['fail', enWords.unpaid],
  ] as const) {
    const bare = await ask(`/En/payment/${way}`);
    has(bare.body, `<meta name="description" content="${words.description}">`);
    const own = headOf(await back('DONE', way));
    for (const says of [
      '<meta name="robots" content="noindex">',
      `<link rel="canonical" href="http://kurs.test/En/payment/${way}">`,
      `<link rel="alternate" hreflang="ru" href="http://kurs.test/Ru/payment/${way}">`,
      `<link rel="alternate" hreflang="x-default" href="http://kurs.test/En/payment/${way}">`,
      `<meta property="og:title" content="${words.title}">`,
      '<meta property="og:image" content="http://kurs.test/shared/home.en.jpg">',
    ])
      has(own, says);
    lacks(own, /KX-|908\.37|USDT/);
  }
});

/** Returns the API calls that a page makes. */
async function callsOf(url: string, cookies: Record<string, string> = {}): Promise<string[]> {
  const requests: string[] = [];
  const client = new Proxy(
    worldClient(() => new Date()),
    {
      get: (known, name, self) => (requests.push(String(name)), Reflect.get(known, name, self)),
    },
  );
  const listening = await stubSite({ url: 'http://kurs.test', client });
  assert.equal((await listening.handle({ method: 'GET', headers: {}, url, cookies })).status, 200);
  return requests;
}

/** Requests the return page in the browser that left the order's page for the provider. */
const back = (scene: string, way: 'success' | 'fail', locale = 'En'): Promise<SiteResponse> =>
  ask(`/${locale}/payment/${way}?id=KX-${scene}-NG00`, { cookies: { [`order-KX-${scene}-NG00`]: TOKEN } });

test('an order that was left for a provider opens in that browser alone, by an HttpOnly cookie', async () => {
  const left = await ask(order('LEAV'));
  assert.match(
    header(left, 'set-cookie'),
    new RegExp(`^order-KX-LEAV-NG00=${TOKEN}; Path=/; Max-Age=86400; SameSite=Lax; HttpOnly`),
  );
  assert.equal(header(await ask(order('WAIT')), 'set-cookie'), '', 'an order that is paid by a network needs none');
  const requests = await callsOf('/En/payment/success?id=KX-LEAV-NG00', { 'order-KX-LEAV-NG00': TOKEN });
  assert.deepEqual(
    requests.filter((name) => /order|process|transaction|expire/i.test(name)),
    ['trackOrder'],
    'it is read, and no more',
  );
  has(
    left.headers.map(([, value]) => value).join('\n'),
    'order-last=en%20KX-LEAV-NG00; Path=/; Max-Age=86400; SameSite=Lax; HttpOnly',
  );
  // Some providers return no order number: then the page shows the last order that was left.
  const last = { 'order-last': 'en KX-LEAV-NG00', 'order-KX-LEAV-NG00': TOKEN };
  has((await ask('/En/payment/success', { cookies: last })).body, 'KX-LEAV-NG00');
  // Some return no language either. A later switch of the language stays.
  const other = await ask('/Ru/payment/fail?m=1', { cookies: last });
  assert.equal(header(other, 'location'), '/En/payment/fail?m=1');
  assert.equal((await ask('/Ru/payment/fail', { cookies: { ...last, i18n_redirected: 'ru' } })).status, 200);
  const page = await back('LEAV', 'success');
  lacks(page.body, new RegExp(TOKEN));
  const open = await ask('/En/order?id=KX-LEAV-NG00&chat=1', { cookies: { 'order-KX-LEAV-NG00': TOKEN } });
  assert.equal(header(open, 'location'), `/En/order?id=KX-LEAV-NG00&token=${TOKEN}&chat=1`);
  assert.equal(header(await ask('/Ru/order?id=KX-LEAV-NG00'), 'location'), '/Ru/track?id=KX-LEAV-NG00');
});

test('after the return from a provider, the slip shows the order’s present figures', async () => {
  for (const [scene, way, locale, words] of [
    [
      'LEAV',
      'success',
      'En',
      ['We are waiting for your payment', 'We wait for 103.50 USD', 'You receive 908.37 USDT', 'Open the order'],
    ],
    [
      'LEAV',
      'fail',
      'En',
      ['The payment was not finished', 'To pay 103.50 USD', 'We received 0.00 USD', 'I have already paid', 'Back to the payment'],
    ],
    ['CONF', 'success', 'En', ['We see your payment of 0.0100 BTC', 'You receive 908.37 USDT']],
    [
      'PRVD',
      'success',
      'En',
      [
        '103.50 USD is in your PayPal account',
        '3 minutes after you placed the order',
        'You received 103.50 USD',
        'Receipt',
        'Exchange again',
      ],
    ],
    [
      'DONE',
      'fail',
      'Ru',
      ['908,37 USDT — на вашем адресе', 'через 3 минуты после создания заявки', 'Номер выплаты', 'Обменять ещё раз'],
    ],
    ['GOOD', 'success', 'Ru', ['Ваш ваучер на 50,00 USD готов', 'Открыть заявку']],
    [
      'EXPD',
      'fail',
      'Ru',
      ['Время заявки вышло', 'они не пропали', 'Мы получили 0,0000 BTC', 'Уже отправлено', 'Повторить по новому курсу'],
    ],
    ['RFND', 'success', 'En', ['Returned: 0.00999089 BTC', 'Refund 0.00999089 BTC']],
    ['RJCT', 'success', 'En', ['This order was stopped', 'none of this money is with us']],
    ['CNCL', 'fail', 'En', ['The order is cancelled', 'We received 0.0000 BTC']],
    ['SHRT', 'success', 'En', ['Your choice is needed', 'You sent 0.0075 BTC']],
    ['CHCK', 'success', 'Ru', ['Проверяем платёж', 'Вы получите 908,37 USDT']],
    ['PAYS', 'success', 'En', ['We are paying out 908.37 USDT']],
    ['RFNG', 'success', 'En', ['We are returning 0.00999089 BTC']],
  ] as const) {
    const page = await back(scene, way, locale);
    assert.equal(page.status, 200, scene);
    const said = textOf(page.body);
    for (const one of words) has(said, one);
    lacks(said, /undefined|NaN|\[object|\{[a-z]/);
    const isOver = ['PRVD', 'DONE', 'GOOD', 'EXPD', 'RFND', 'RJCT', 'CNCL'].includes(scene);
    assert.equal(/http-equiv="refresh"/.test(page.body), !isOver, `${scene} follows by itself while more is to come`);
  }
});

test('a provider’s form to a return page is treated as a link, and its fields are ignored', async () => {
  const back = await ask('/Ru/payment/success?id=KX-7F3Q-2M8C', {
    method: 'POST',
    body: 'status=paid&amount=1000000',
    headers: { 'sec-fetch-site': 'cross-site', origin: 'https://pay.example' },
  });
  assert.equal(back.status, 303);
  assert.equal(header(back, 'location'), '/Ru/payment/success?id=KX-7F3Q-2M8C');
});

test('without a required refund account, the details lead on to the review', async () => {
  const id = '0199a7d2-7a3e-7c10-9f00-3f1c5e2b7a10';
  const world = worldClient(() => new Date());
  const quote = await world.calculate({ from: 'PAYEER_USD', to: 'PAYPAL_USD', amount: '60.00' });
  const calculation = async () => {
    const { refund: _, ...rest } = await world.calculation({ id, token: TOKEN });
    return {
      ...rest,
      quote,
      email: 'a@example.org',
      receive: { currency: 'PAYPAL_USD', network: 'PayPal', fields: {} },
    };
  };
  const client = {
    ...world,
    calculation,
    step3: async () => ({ ...(await world.step3({ id, bot_token: 'sandbox' })), ...(await calculation()) }),
  };
  const other = await stubSite({ url: 'http://kurs.test', client });
  const { body: page } = await other.handle({
    method: 'GET',
    url: `/En/exchange?id=${id}`,
    headers: {},
    cookies: { [`calculation-${id}`]: TOKEN },
  });
  const body = textOf(page);
  has(body, en.review_title);
  lacks(body, /another network/);
});

test('a choice about money requires a code first, on the same page if no script runs', async () => {
  const request = await post(order('LATE'), { intent: 'code', choice: 'refund' });
  has(request.body, /name="otp"/);
  const handle = /name="handle" value="([^"]+)"/.exec(request.body)?.[1] ?? '';
  const wrong = await post(order('LATE'), { intent: 'choose', choice: 'refund', otp: '000 000', handle });
  has(wrong.body, `name="handle" value="${handle}"`);
  assert.equal(wrong.status, 422);
  has(textOf(wrong.body), /This code does not match\. Tries left: 4\./);
  assert.equal((await post(order('LATE'), { intent: 'choose', choice: 'refund', otp: '123456', handle })).status, 303);
  assert.equal((await post(order('LATE'), { intent: 'choose', choice: 'refund', otp: '123456' })).status, 422);
  // Money from a wallet goes elsewhere only with its holder's second factor too.
  const further = { intent: 'choose', choice: 'refund', otp: '222 222', handle };
  const second = await post(order('LATE'), further);
  assert.equal(second.status, 401);
  assert.match(second.body, /<input[^>]*name="otp"[^>]*value="222 222"|<input[^>]*value="222 222"[^>]*name="otp"/);
  assert.match(second.body, /<input[^>]*name="two_factor_code"/);
  assert.doesNotMatch(wrong.body, /name="two_factor_code"/);
  assert.equal((await post(order('LATE'), { ...further, two_factor_code: '123 456' })).status, 303);
});
