import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Client, type Transport, createClient } from '@kurs/contract/client';
import gateEn from '../content/payment-gate/en-US.json' with { type: 'json' };
import gateRu from '../content/payment-gate/ru-RU.json' with { type: 'json' };
import type { Site } from '../site.ts';
import { stubRules } from '../testing/rules.ts';
import { stubSite } from '../testing/serve.ts';
import { emptyClient } from '../testing/stub.ts';
import { WORLD, worldTransport } from '../testing/world.ts';

const URL_ = 'http://kurs.test';
const PAYPAL = '/solutions/exchange-paypal';
const VOUCHERS = '/solutions/buy-sell-perfectmoney-voucher';
const WALLET = '/solutions/HiWallet';
const GATE = '/solutions/payment-gate';
const PAYMENT = '/solutions/online-payment';
const BUSINESS = '/solutions/online-payment-for-business';
const clock = (): Date => new Date('2026-11-23T03:00:00Z');

/** Returns the site with the large offer, with some of the API's answers replaced. */
async function siteWith(answers: Readonly<Record<string, unknown>> = {}): Promise<Site> {
  const world = worldTransport(clock);
  const transport: Transport = async (call) => answers[call.name] ?? world(call);
  return stubSite({ url: URL_, client: createClient(transport) });
}
const read = async (site: Site, url: string): Promise<string> => {
  const { status, body } = await site.handle({ method: 'GET', url, headers: {}, cookies: {} });
  assert.equal(status, 200, url);
  return body;
};
/** Returns a page's text with ordinary spaces in place of non-breaking ones. */
const textOf = (html: string): string =>
  html
    .replace(/<style>.*?<\/style>|<script.*?<\/script>|<pre>.*?<\/pre>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/[\s\u00a0]+/g, ' ');

const demoText = (html: string): string => textOf(/<figure[^>]*id="demo".*?<\/figure>/s.exec(html)?.[0] ?? '');
/** Returns the actions that the sample wallet offers, with their links. */
const linksOf = (html: string): { to: string; action: string | undefined }[] =>
  [...html.matchAll(/<a href="([^"]*did=([a-z,]+)#demo)" rel="nofollow"/g)].map(([, to = '', did = '']) => ({
    to: to.replaceAll('&amp;', '&'),
    action: did.split(',').at(-1),
  }));

describe('the pages of solutions', () => {
  let world: Site;
  before(async () => {
    world = await siteWith();
  });

  test('have no empty placeholder and no “undefined”, in either language', async () => {
    for (const prefix of ['En', 'Ru']) {
      for (const path of [PAYPAL, VOUCHERS, WALLET, GATE, PAYMENT, BUSINESS]) {
        const text = textOf(await read(world, `/${prefix}${path}`));
        assert.doesNotMatch(text, /undefined|NaN|\[object|\{[a-z_]+[}:]/, `${prefix}${path}`);
      }
    }
  });

  test('let a reader try the checkout in steps, without scripts, and show no address', async () => {
    for (const prefix of ['En', 'Ru']) {
      const steps = [GATE, `${GATE}?demo=BTC`, `${GATE}?demo=BTC&paid=1`, `${GATE}?demo=nothing&paid=1`];
      const [start = '', chosen = '', paid = '', unknown = ''] = await Promise.all(
        steps.map(async (path) => textOf(await read(world, `/${prefix}${path}`))),
      );
      const { demo } = { En: gateEn, Ru: gateRu }[prefix as 'En' | 'Ru'];
      const says = (text: string, words: string): void => assert.ok(text.includes(textOf(words)), words);
      says(start, demo.tag);
      says(start, demo.choose);
      says(chosen, demo.no_address);
      says(chosen, demo.pretend);
      says(paid, demo.paid);
      says(paid, demo.again);
      assert.equal(unknown, start, 'an unknown method begins anew');
      assert.doesNotMatch(chosen, /\b(bc1|rb1|0x|T)[0-9A-Za-z]{20,}/);
    }
  });

  test('state the operator’s rules, not our defaults', async () => {
    const rules = stubRules(WORLD);
    const { first } = rules.reversible;
    const other = await siteWith({
      rules: {
        ...rules,
        reversible: { ...rules.reversible, days: 91, first_hours: 21, first: { ...first, per_order: '1234' } },
        money_out: { ...rules.money_out, alone_usd: '777', new_address_hours: 1 },
        voucher_days: 33,
      },
    });
    const paypal = textOf(await read(other, `/En${PAYPAL}`));
    for (const words of ['up to 91 days', 'leaves 21 hours later', 'At first 1,234 USD per order'])
      assert.ok(paypal.includes(words), words);
    const wallet = textOf(await read(other, `/Ru${WALLET}`));
    for (const words of ['До 777 USD за раз', 'ждёт 1 час,']) assert.ok(wallet.includes(words), words);
    assert.ok(textOf(await read(other, `/Ru${VOUCHERS}`)).includes('33 дня'));
  });

  test('don’t state limits of reversible payments as those of a visitor', async () => {
    const said = textOf(await read(world, `/En${PAYPAL}`));
    const [, receive = '', pay = ''] = said.split(/ To PayPal | From PayPal A PayPal payment/);
    assert.ok(
      receive.includes('Limits are for visitors without an account.') &&
        !pay.includes('Limits are for visitors without an account.'),
    );
    assert.ok(pay.includes('These limits apply from level 2, 60 days after the first finished order. Until then it is 200 USD'));
    const vouchers = textOf(await read(world, `/Ru${VOUCHERS}`));
    assert.ok(vouchers.includes('Чтобы платить через PayPal, нужен уровень проверки 2;'));
  });

  test('say so if the desk accepts no payments from PayPal, and still show exchanges to PayPal', async () => {
    const rules = stubRules(WORLD);
    const other = await siteWith({ rules: { ...rules, reversible: { ...rules.reversible, taken: false } } });
    const shown = await read(other, `/En${PAYPAL}`);
    assert.ok(textOf(shown).includes('takes no payments from PayPal at the moment'));
    assert.ok(shown.includes('/En/services/btc-paypal-usd') && !shown.includes('/En/services/paypal-usd-btc'));
  });

  test('link directions to their pages; closed ones give the reason, and missing ones are absent', async () => {
    const shown = await read(world, `/En${PAYPAL}`);
    assert.ok(shown.includes('href="/En/services/tether-to-paypal-exchange"'));
    assert.match(textOf(shown), /Closed: the /);
    const { directions } = (await worldClient().directions({})) as {
      directions: { slug: string; from: string; reason?: string }[];
    };
    const off = directions.find(({ from, reason }) => from === 'PAYPAL_USD' && reason === 'switched_off');
    if (off) assert.ok(!shown.includes(`/En/services/${off.slug}"`), off.slug);
  });

  test('have a switch that sets the calculator to buying or selling, and says which', async () => {
    const bought = await read(world, `/En${VOUCHERS}`);
    const links = [...bought.matchAll(/<a href="(\/En\/solutions\/buy[^"]*\?[^"]*)"( aria-current="true")?>([^<]*)</g)];
    assert.deepEqual(
      links.map(([, , chosen, name]) => [name, chosen !== undefined]),
      [
        ['Buy a voucher', true],
        ['Sell a voucher', false],
      ],
    );
    const [, sell = ''] = links[1] ?? [];
    const sold = await read(world, sell.replaceAll('&amp;', '&'));
    assert.match(sold, /aria-current="true">Sell a voucher/);
    assert.match(sold, /"from":"PMV_USD"/);
  });

  test('start buying with a payment that any visitor can make, whatever is first in the list', async () => {
    const known = (await worldClient().directions({})) as { directions: { from: string }[] };
    const paypalFirst = known.directions.toSorted(
      (one, other) => Number(other.from === 'PAYPAL_USD') - Number(one.from === 'PAYPAL_USD'),
    );
    const opened = paypalFirst.map((one) => ({ ...one, open: true, reason: undefined }));
    const site = await siteWith({ directions: { ...known, directions: opened } });
    const [link = ''] = /\/En\/solutions\/buy[^"]*to=PMV_USD/.exec(await read(site, `/En${VOUCHERS}`)) ?? [];
    assert.match(link, /from=BTC&amp;to=PMV_USD$/);
  });

  test('without a script the calculator comes back to the page that it stands on', async () => {
    const form = { from: 'BTC', to: 'PAYPAL_USD', give: '0.01', was_give: '', get: '', was_get: '', intent: 'calculate' };
    const body = new URLSearchParams(form).toString();
    const headers = { 'sec-fetch-site': 'same-origin' };
    const { headers: answered } = await world.handle({ method: 'POST', url: `/Ru${PAYPAL}`, headers, cookies: {}, body });
    assert.equal(new Map(answered).get('location'), `/Ru${PAYPAL}?from=BTC&to=PAYPAL_USD&side=give&amount=0.01`);
  });

  test('show the cost of a withdrawal for each kind of money, and which can’t be sent', async () => {
    const other = await siteWith({
      rules: {
        ...stubRules(WORLD),
        ways: [
          {
            currency: 'BTC',
            unit: 'BTC',
            deposit: { kind: 'address', minimum: '0.00000546' },
            withdrawal: { network: '0.00001234' },
          },
          {
            currency: 'PAYPAL_USD',
            unit: 'PAYPAL_USD',
            deposit: { kind: 'redirect', minimum: '1.00', percent: '3.49', fixed: '0.49' },
            withdrawal: { network: '0.00', percent: '2', min: '0.25', cap: '20.00' },
          },
          { currency: 'TRX', unit: 'TRX', deposit: { kind: 'address', minimum: '0.000001' } },
        ],
      },
    });
    const text = textOf(await read(other, `/En${WALLET}`));
    for (const words of [
      'From 0.00000546 BTC, no fee 0.00001234 BTC',
      'From 1.00 USD, less 3.49% + 0.49 USD 2%, at least 0.25 USD, at most 20.00 USD',
      'Not possible right now',
    ])
      assert.ok(text.includes(words), words);
  });

  test('the sample wallet can be tried: each action leads to the page after it, without a script', async () => {
    const after = async (html: string, name: string): Promise<string> => {
      const link = linksOf(html).find(({ action }) => action === name);
      assert.ok(link, name);
      assert.match(link.to, /^\/En\/solutions\/HiWallet\?from=mail&did=[a-z,]+#demo$/);
      return read(world, link.to.replace('#demo', ''));
    };
    const begin = await read(world, `/En${WALLET}?from=mail`);
    assert.deepEqual(
      linksOf(begin).map(({ action }) => action),
      ['deposit', 'exchange', 'transfer'],
    );
    assert.ok(textOf(begin).includes('Nothing is saved and no money moves'));
    const deposited = await after(begin, 'deposit');
    for (const words of ['You deposited 300.00 USDT', '2,780.55 ', 'Available 2,480.55', 'Deposit Step 1 +300.00 USDT'])
      assert.ok(demoText(deposited).includes(words), words);
    const exchanged = demoText(await after(deposited, 'exchange'));
    assert.match(exchanged, /You exchanged 400\.00 USDT for 0\.00\d{6} BTC/);
    assert.match(exchanged, /Exchange Step 2, fee \d\.\d\d USDT −400\.00 USDT \+0\.00\d{6} BTC Deposit Step 1 /);
    assert.ok(exchanged.includes('Available 2,080.55'));
    const sent = await after(await after(deposited, 'exchange'), 'transfer');
    assert.ok(demoText(sent).includes('You sent 45.00 USDT to another account') && demoText(sent).includes('Available 2,035.55'));
    assert.ok(sent.includes('<a href="/En/solutions/HiWallet?from=mail#demo" rel="nofollow"'));
    // Search engines shall not index these addresses, of which there are too many. None names another as canonical.
    assert.ok(sent.includes('<meta name="robots" content="noindex">') && !sent.includes('rel="canonical"'));
    assert.ok(begin.includes(`<link rel="canonical" href="${URL_}/En${WALLET}">`) && !begin.includes('noindex'));
  });

  test('what the sample wallet can’t do is not offered, and nonsense in its address does nothing', async () => {
    const short = await read(world, `/Ru${WALLET}?did=${'exchange,'.repeat(7)}`);
    assert.match(demoText(short), /Обменять 400,00 USDT → BTC Доступно только 180,55 USDT/);
    assert.deepEqual(
      linksOf(short).map(({ action }) => action),
      ['deposit', 'transfer'],
    );
    const full = await read(world, `/En${WALLET}?did=${'deposit,'.repeat(900)}`);
    assert.ok(demoText(full).includes('That was step 10') && linksOf(full).length === 0);
    const plain = demoText(await read(world, `/En${WALLET}`));
    for (const nonsense of ['<b>,steal', 'toString,,%00', '', 'Deposit'])
      assert.equal(demoText(await read(world, `/En${WALLET}?did=${nonsense}`)), plain, nonsense);
  });

  test('while nobody can exchange, the sample wallet does without it', async () => {
    const known = (await worldClient().directions({})) as { directions: object[] };
    const closed = known.directions.map((one) => ({ ...one, open: false, reason: 'rail_down' }));
    const shown = await read(await siteWith({ directions: { ...known, directions: closed } }), `/En${WALLET}?did=exchange`);
    assert.deepEqual(
      linksOf(shown).map(({ action }) => action),
      ['deposit', 'transfer'],
    );
    assert.ok(demoText(shown).includes('2,480.55'));
  });

  test('a link to be paid opens the exchange on the sum to be received; nonsense makes none', async () => {
    const shown = await read(world, `/Ru${PAYMENT}?pair=tether-to-paypal-exchange&amount=1%C2%A0000,50`);
    const link = /<code>(.*?)<\/code>/.exec(shown)?.[1]?.replaceAll('&amp;', '&') ?? '';
    assert.equal(link, `${URL_}/Ru/services/tether-to-paypal-exchange?from=USDT_TRC20&to=PAYPAL_USD&side=get&amount=1000.50`);
    assert.match(await read(world, link.slice(URL_.length)), /"side":"get","amount":"1000.50"/);
    const wrong = await read(world, `/En${PAYMENT}?pair=tether-to-paypal-exchange&amount=${encodeURIComponent('<b>ten')}`);
    assert.ok(!wrong.includes('<code>') && textOf(wrong).includes('Enter an amount in digits') && !wrong.includes('<b>ten'));
    assert.ok(!(await read(world, `/En${PAYMENT}?pair=none&amount=5`)).includes('<code>'));
    const opened = `/En${PAYMENT}?pair=tether-to-paypal-exchange`;
    assert.match(await read(world, `${opened}&amount=`), /Enter an amount in digits/);
    assert.doesNotMatch(await read(world, opened), /Enter an amount in digits/);
    assert.match(shown, /value="tether-to-paypal-exchange" data-unit="USD"/);
  });

  test('make no link for a sum outside the limits or with letters amid digits, and state both limits', async () => {
    const slug = 'tether-to-paypal-exchange';
    const at = (prefix: string, amount: string): Promise<string> =>
      read(world, `/${prefix}${PAYMENT}?pair=${slug}&amount=${encodeURIComponent(amount)}`);
    let limits: readonly string[] = [];
    for (const amount of ['99999999', '0.01', '0', '9'.repeat(40)]) {
      const shown = await at('En', amount);
      assert.ok(!shown.includes('<code>'), amount);
      assert.ok(shown.includes(`value="${amount}"`), 'what was typed stays');
      limits =
        /You can receive from ([0-9.,]+) USD to ([0-9.,]+) USD in this direction right now/.exec(textOf(shown))?.slice(1) ?? [];
      assert.equal(limits.length, 2, amount);
    }
    assert.match(textOf(await at('Ru', '0,01')), /Сейчас в\sэтом направлении можно получить от [0-9 ,]+ USD до [0-9 ,]+ USD\./);
    for (const limit of limits) assert.ok((await at('En', limit)).includes('<code>'), `${limit} itself is taken`);
    for (const amount of ['1e7', '10O0', '1 000 or 2 000']) {
      const shown = await at('En', amount);
      assert.ok(!shown.includes('<code>') && textOf(shown).includes('Enter an amount in digits'), amount);
    }
    assert.ok((await at('En', '1000 USD')).includes('<code>'));
  });

  test('a link to be paid begins at no payment that its payer needs a level for, and ends at no voucher, asked for or not', async () => {
    const { directions } = await worldClient().directions({});
    const opened = directions.filter(({ open }) => open);
    const fits = opened.filter(({ from, to }) => from !== 'PAYPAL_USD' && to !== 'PMV_USD');
    for (const unfit of [opened.find(({ from }) => from === 'PAYPAL_USD'), opened.find(({ to }) => to === 'PMV_USD')]) {
      const shown = await read(world, `/En${PAYMENT}?pair=${unfit?.slug}&amount=100`);
      const offered = [...shown.matchAll(/<option value="([^"]+)"/g)].map(([, slug]) => slug);
      assert.deepEqual(
        offered,
        fits.map(({ slug }) => slug),
      );
      assert.ok(unfit && !shown.includes('<code>'));
      assert.match(textOf(shown), /you too once they send you its link/);
    }
  });

  test('show levels with their configured limits, and no limit where none is set', async () => {
    const text = textOf(await read(world, `/En${BUSINESS}`));
    assert.ok(text.includes('0: an e\u2011mail address 1,000 USD 2,000 USD 5,000 USD'));
    assert.ok(text.includes('100,000 USD 250,000 USD No limit'));
  });

  test('the quick start speaks to this sandbox, and with real money to one of the reader’s own', async () => {
    assert.ok((await read(world, `/En${GATE}`)).includes(`API=${URL_}/api/v1`));
    const live = await stubSite({ url: 'https://kurs.example', mode: 'live', client: worldClient() });
    assert.ok((await read(live, `/En${GATE}`)).includes('API=http://127.0.0.1:3000/api/v1'));
  });

  test('a desk that offers nothing has these pages too', async () => {
    const nothing = await stubSite({ url: URL_, client: emptyClient(clock) });
    for (const path of [PAYPAL, VOUCHERS, WALLET, GATE, PAYMENT, BUSINESS])
      assert.doesNotMatch(await read(nothing, `/En${path}`), /<form method="post" action="\/En\/sol/);
  });
});

const worldClient = (): Client => createClient(worldTransport(clock));
