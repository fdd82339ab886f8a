import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { PUBLIC_PAGES, pageUrl } from '../routes/pages.ts';
import type { Site } from '../site.ts';
import { stubSite } from '../testing/serve.ts';
import { stubClient } from '../testing/stub.ts';

type ApiDirection = Awaited<ReturnType<ReturnType<typeof stubClient>['directions']>>['directions'][number];

const URL_ = 'http://kurs.test';
const STATIC = join(import.meta.dirname, '..', 'static');
let site: Site;

before(async () => {
  site = await stubSite({ url: URL_ });
});

async function ask(url: string): Promise<{ status: number; body: string; type: string | undefined }> {
  const { status, body, headers } = await site.handle({ method: 'GET', url, headers: {}, cookies: {} });
  return { status, body, type: headers.find(([name]) => name === 'content-type')?.[1] };
}

/** Returns the structured data of a page with its graph unfolded. */
async function structuredOf(url: string): Promise<Record<string, unknown>[]> {
  const text = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec((await ask(url)).body)?.[1] ?? '{}';
  const data = JSON.parse(text) as { '@graph'?: Record<string, unknown>[]; '@context'?: string };
  assert.equal(data['@context'], 'https://schema.org', url);
  return data['@graph'] ?? [data as Record<string, unknown>];
}

test('the sitemap lists every page in each language, with its translations and the day of its last change', async () => {
  const { body, type } = await ask('/sitemap.xml');
  assert.match(type ?? '', /^application\/xml/);
  const rows = [...body.matchAll(/<url><loc>([^<]+)<\/loc>(.*?)<\/url>/g)];
  for (const [, , rest = ''] of rows) {
    assert.match(rest, /^<lastmod>20\d\d-\d\d-\d\d<\/lastmod>/);
    const links = [...rest.matchAll(/hreflang="([\w-]+)" href="([^"]+)"/g)];
    assert.deepEqual(
      links.map(([, language]) => language),
      ['en', 'ru', 'x-default'],
    );
    assert.equal(links[2]?.[2], links[0]?.[2], 'a visitor of neither language is led to English');
  }
  const listed = rows.map(([, url]) => url);
  for (const page of PUBLIC_PAGES) {
    if (page === 'service') assert.ok(listed.includes(`${URL_}/Ru/services/btc-usdt-erc20`));
    else for (const locale of ['en', 'ru'] as const) assert.ok(listed.includes(URL_ + pageUrl(locale, page)), page);
  }
  assert.equal(new Set(listed).size, listed.length);
  const rules = (await ask('/robots.txt')).body;
  for (const stored of ['/*?did=', '/*&did=']) assert.ok(rules.includes(`\nDisallow: ${stored}\n`), stored);
  assert.match(rules, new RegExp(`^Sitemap: ${URL_}/sitemap\\.xml$`, 'm'));
});

test('a page’s last change is that of its words or of its directions’ settings, not of rates', async () => {
  const { directions } = await stubClient(() => new Date()).directions({});
  const dates = async (change: (one: ApiDirection) => Partial<ApiDirection>): Promise<Map<string, string | undefined>> => {
    const stub = stubClient(() => new Date());
    const changed = async () => ({ ...(await stub.directions({})), directions: directions.map(change) });
    const client = new Proxy(stub, { get: (known, name) => (name === 'directions' ? changed : Reflect.get(known, name)) });
    const other = await stubSite({ url: URL_, client });
    const { body } = await other.handle({ method: 'GET', url: '/sitemap.xml', headers: {}, cookies: {} });
    const rows = body.matchAll(/<loc>http:\/\/kurs\.test([^<]+)<\/loc>(?:<lastmod>([^<]+))?/g);
    return new Map([...rows].map(([, path = '', date]) => [path, date]));
  };
  const isBitcoin = ({ slug }: ApiDirection): boolean => slug === 'btc-usdt-erc20';
  const late = await dates((one) => ({
    ...one,
    changed_at: isBitcoin(one) ? '2031-05-06T07:08:09.000Z' : '2020-01-01T00:00:00.000Z',
  }));
  for (const path of ['/En', '/Ru', '/En/rates', '/Ru/services/btc-usdt-erc20']) assert.equal(late.get(path), '2031-05-06', path);
  const words = late.get('/En/services/usdt-erc20-btc') ?? '';
  assert.ok(words > '2026-11-01' && words < '2031', `the day of its words, which is later: ${words}`);
  const bare = await dates((one) => ({ slug: one.slug }));
  for (const path of ['/En', '/Ru/rates', '/En/services/btc-usdt-erc20']) assert.equal(bare.get(path), words, path);
  const read = async (name: string) =>
    JSON.parse(await readFile(join(import.meta.dirname, '..', name), 'utf8')) as { updated: string };
  assert.equal(bare.get('/Ru/faq'), (await read('content/faq/ru-RU.json')).updated);
});

test('metadata for search engines appears once: the scripts’ data has the title alone', async () => {
  for (const path of ['/En', '/Ru/faq', '/En/services/btc-usdt-erc20', '/Ru/terms-of-services']) {
    const text = /id="data">(.*?)<\/script>/s.exec((await ask(path)).body)?.[1] ?? '';
    const { loaderData } = JSON.parse(text) as { loaderData: Record<string, { head?: object }> };
    const heads = Object.values(loaderData).flatMap(({ head }) => (head ? [Object.keys(head)] : []));
    assert.deepEqual(heads, [['title']], path);
  }
});

test('a page’s data has the terms of its calculator’s direction alone, and no dates of change', async () => {
  const text = /id="data">(.*?)<\/script>/s.exec((await ask('/En')).body)?.[1] ?? '';
  const { loaderData } = JSON.parse(text) as { loaderData: { home: { offered: { directions: object[] }; rows: number } } };
  const { offered, rows } = loaderData.home;
  assert.ok(rows > 1 && offered.directions.length >= rows);
  assert.deepEqual(offered.directions.map((one) => 'terms' in one).filter(Boolean), [true]);
  assert.doesNotMatch(text, /changed_at/);
});

test('each page has an existing picture for sharing in its language', async () => {
  for (const page of PUBLIC_PAGES) {
    for (const locale of ['en', 'ru'] as const) {
      const { body } = await ask(pageUrl(locale, page, page === 'service' ? { slug: 'btc-usdt-erc20' } : {}));
      const picture = /<meta property="og:image" content="http:\/\/kurs\.test\/([^"]+)">/.exec(body)?.[1] ?? '';
      assert.equal(picture, `shared/${page}.${locale}.jpg`);
      assert.ok(existsSync(join(STATIC, picture)), picture);
    }
  }
});

test('the manifest names existing icons', async () => {
  const { body, type } = await ask('/manifest.webmanifest');
  assert.match(type ?? '', /^application\/manifest\+json/);
  const { name, icons } = JSON.parse(body) as { name: string; icons: { src: string; purpose: string }[] };
  assert.equal(name, 'Kurs');
  assert.deepEqual(icons.map(({ purpose }) => purpose).sort(), ['any', 'any', 'maskable']);
  for (const { src } of icons) assert.ok(existsSync(join(STATIC, src)), src);
});

test('llms.txt links to existing pages and documents', async () => {
  const { body } = await ask('/llms.txt');
  assert.match(body, /^# Kurs\n\n> /);
  const links = [...body.matchAll(/\]\(http:\/\/kurs\.test([^)]*)\)/g)].map(([, path]) => path as string);
  // Pages of directions are reached through the list of directions.
  for (const page of PUBLIC_PAGES) if (page !== 'service') assert.ok(links.includes(pageUrl('en', page)), page);
  for (const path of links.filter((one) => one.startsWith('/En'))) assert.equal((await ask(path)).status, 200, path);
});

test('a browser finds where a password is changed, in the language of the visitor', async () => {
  const answer = await site.handle({
    method: 'GET',
    url: '/.well-known/change-password',
    headers: { 'accept-language': 'ru' },
    cookies: {},
  });
  assert.equal(answer.status, 302);
  assert.equal(new Map(answer.headers).get('location'), '/Ru/dashboard/account#password');
  const none = await site.handle({
    method: 'GET',
    url: '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200',
    headers: {},
    cookies: {},
  });
  assert.equal(none.status, 404);
});

test('security.txt names a contact and its expiry; without an address the contact is the form', async () => {
  const { body } = await ask('/.well-known/security.txt');
  assert.match(body, /^Contact: mailto:help@kurs\.example$/m);
  const expires = Date.parse(/^Expires: (.+)$/m.exec(body)?.[1] ?? '');
  const days = (expires - Date.now()) / 86_400_000;
  assert.ok(days > 30 && days < 365, String(days));
  const other = await stubSite({ url: URL_, config: { contacts: {} } });
  const answer = await other.handle({ method: 'GET', url: '/.well-known/security.txt', headers: {}, cookies: {} });
  assert.equal(answer.status, 200);
  const contact = /^Contact: (.+)$/m.exec(answer.body)?.[1] ?? '';
  assert.equal(contact, `${URL_}/En/contact-us`);
  assert.equal((await ask(contact.slice(URL_.length))).status, 200);
});

test('structured data names the operator, the questions, the rate and the breadcrumbs', async () => {
  const kinds = async (url: string): Promise<unknown[]> => (await structuredOf(url)).map((one) => one['@type']);
  assert.deepEqual(await kinds('/En'), ['WebSite', 'Organization']);
  assert.deepEqual(await kinds('/Ru/faq'), ['BreadcrumbList', 'FAQPage']);
  assert.deepEqual(await kinds('/Ru/contact-us'), ['BreadcrumbList', 'ContactPage']);
  const service = await structuredOf('/En/services/btc-usdt-erc20');
  assert.deepEqual(
    service.map((one) => one['@type']),
    ['BreadcrumbList', 'FAQPage', 'ExchangeRateSpecification'],
  );
  assert.deepEqual(service.at(-1)?.['currency'], 'BTC');
});

test('the server searches the questions by any form of a word, and says so if none matches', async () => {
  const shown = async (url: string): Promise<string[]> =>
    [...(await ask(url)).body.matchAll(/<details id="([a-z-]+)"/g)].map(([, id]) => id as string);
  assert.ok((await shown('/En/faq?q=fees')).includes('cost'));
  assert.ok((await shown('/Ru/faq?q=%D0%B2%D0%BE%D0%B7%D0%B2%D1%80%D0%B0%D1%82%D1%8B')).includes('refund'));
  assert.deepEqual(await shown('/En/faq?q=nothing-such'), []);
  assert.ok((await shown('/En/faq')).length > 20);
  assert.doesNotMatch((await ask('/En/faq')).body, /chargeback/, 'other words are for finding, not for show');
});

/** Pages below other pages, which show their breadcrumbs to people and to programs. */
const BELOW = [
  'hiWallet',
  'exchangePaypal',
  'vouchers',
  'onlinePayment',
  'forBusiness',
  'paymentGate',
  'affiliateProgram',
  'earnFree',
  'faq',
  'contact',
  'brand',
  'terms',
  'aml',
  'privacy',
  'service',
] as const satisfies readonly (typeof PUBLIC_PAGES)[number][];

test('a page below others shows the same breadcrumbs as its structured data, and each leads to a page', async () => {
  for (const page of BELOW) {
    for (const locale of ['en', 'ru'] as const) {
      const url = pageUrl(locale, page, page === 'service' ? { slug: 'btc-usdt-erc20' } : {});
      const { body } = await ask(url);
      const label = locale === 'en' ? 'You are here' : 'Вы\\sздесь';
      const shown = new RegExp(`<nav [^>]*aria-label="${label}">(.*?)</nav>`, 's').exec(body)?.[1] ?? assert.fail(url);
      const links = [...shown.matchAll(/<a href="([^"]+)">([^<]+)<\/a>/g)].map(([, to, name]) => [name, URL_ + to]);
      const here = /aria-current="page">(.+)<\/span>/.exec(shown)?.[1]?.replace(/<!-- -->/g, '');
      const list = (await structuredOf(url)).find((one) => one['@type'] === 'BreadcrumbList')?.['itemListElement'] as
        | { position: number; name: string; item: string }[]
        | undefined;
      assert.deepEqual(
        list?.map(({ name, item }) => [name, item]),
        [...links, [here, URL_ + url]],
      );
      assert.deepEqual(
        list?.map(({ position }) => position),
        list?.map((_, index) => index + 1),
      );
      for (const [, to = ''] of links) assert.equal((await ask(to.slice(URL_.length))).status, 200, to);
    }
  }
});
