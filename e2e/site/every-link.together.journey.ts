// Follows every link of every page in both languages, as a crawler does. No link may be dead, no linked part of a page may be
// missing, and each page must have its metadata and texts in its own language.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { faultsOf, prefixOf, untranslated } from '../looks/page-faults.ts';
import { compressed, weigh } from '../../tools/page-size.ts';
import { SITE } from '../../web/entries/site.ts';
import { type ReadPage, readPage } from '../looks/read-page.ts';
import { ROUTES } from '../looks/seed-routes.ts';
import { sharedStage } from '../harness/stage.ts';

/** Response of one address of the site, which is requested once. */
interface VisitedAddress {
  readonly status: number;
  readonly type: string;
  readonly location: string | undefined;
  /** Content of a page. Undefined if the response is no page. */
  readonly page: ReadPage | undefined;
  /** Size of the page's HTML without its inline style, in bytes as sent. */
  readonly size: number;
  /** Page on which the address was first found. */
  readonly from: string;
}

/** Number of simultaneous requests. */
const BATCH_SIZE = 4;
/** Schemes that links to other sites may have. */
const OUTSIDE = /^(?:https:\/\/|mailto:|tel:)/;
/**
 * Routes that no visitor's page links to: providers redirect payers to them, or the list of an account's orders links to them.
 */
const ENTERED_OTHERWISE = ['/payment/fail', '/payment/success', '/dashboard/order'];

let base: string;
const met = new Map<string, VisitedAddress>();
/** Links with a fragment, and links to other sites, each with its page. */
const parts: { from: string; to: string; id: string }[] = [];
const outside = new Map<string, string>();

before(async () => {
  base = (await sharedStage()).system.url;
  const map = await (await fetch(`${base}/sitemap.xml`)).text();
  const listed = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => url.slice(base.length));
  await walk(['/', '/En', '/Ru', ...ROUTES.flatMap((route) => [`/En${route}`, `/Ru${route}`]).filter(isEntered), ...listed]);
});
const isEntered = (address: string): boolean => ENTERED_OTHERWISE.some((route) => address.endsWith(route));

async function walk(starts: readonly string[]): Promise<void> {
  const queue = starts.map((address) => ({ address, from: 'the start' }));
  const known = new Set(starts);
  const lane = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { address, from } = next;
      const one = await ask(address, from);
      met.set(address, one);
      for (const to of linksOf(address, one)) {
        // Don't follow the sample wallet's endless sequence of steps.
        if (known.has(to) || /did=\w+(,|%2C)/.test(to)) continue;
        known.add(to);
        queue.push({ address: to, from: address });
      }
    }
  };
  // A lane ends when the queue is empty, although the others may still add to it.
  while (queue.length > 0) await Promise.all(Array.from({ length: BATCH_SIZE }, lane));
}

async function ask(address: string, from: string): Promise<VisitedAddress> {
  const answer = await fetch(base + address, { redirect: 'manual', headers: { 'accept-encoding': 'identity' } });
  const type = answer.headers.get('content-type') ?? '';
  const isPage = type.startsWith('text/html') && prefixOf(address) !== undefined;
  const body = isPage ? await answer.text() : void (await answer.arrayBuffer());
  const location = answer.headers.get('location') ?? undefined;
  const page = body === undefined ? undefined : readPage(body);
  return { status: answer.status, type, location, page, size: weigh(body ?? '').html, from };
}

/** Returns the site's addresses in a response, and records its other links. */
function linksOf(address: string, { page, location }: VisitedAddress): string[] {
  const own: string[] = [];
  for (const link of [...(page?.links ?? []), ...(location === undefined ? [] : [location])]) {
    const to = new URL(link, base + address);
    if (to.origin !== base) outside.set(link, address);
    else {
      const target = to.pathname + to.search;
      if (to.hash !== '') parts.push({ from: address, to: target, id: decodeURIComponent(to.hash.slice(1)) });
      // Each page has the language switch. It is checked everywhere, but only followed from the required pages.
      if (to.pathname !== '/locale') own.push(target);
      else if (ROUTES.some((route) => address.slice(3) === route)) own.push(target);
    }
  }
  return own;
}

const pages = (): [string, VisitedAddress & { page: ReadPage }][] =>
  [...met].filter((one): one is [string, VisitedAddress & { page: ReadPage }] => one[1].page !== undefined);

describe('every link of every page', () => {
  test('leads somewhere', () => {
    const dead = [...met].filter(([, { status }]) => status >= 400);
    assert.deepEqual(
      dead.map(([address, { status, from }]) => `${from} → ${address}: ${status}`),
      [],
    );
  });

  test('into a page finds its section', () => {
    const missing = parts.filter(({ to, id }) => id === '' || met.get(to)?.page?.ids.has(id) === false);
    assert.deepEqual(missing, []);
    assert.ok(parts.length > 100, 'links into pages were met');
  });

  test('out of the site is one that a browser may follow', () => {
    assert.deepEqual(
      [...outside].filter(([link]) => !OUTSIDE.test(link)),
      [],
    );
  });

  test('to the other language leads to the same page there', () => {
    for (const [address, { page }] of pages()) {
      const other = `/${prefixOf(address) === 'En' ? 'Ru' : 'En'}${address.slice(3)}`;
      const switches = page.links.filter((link) => link.startsWith('/locale?')).map((link) => new URL(link, base));
      assert.ok(
        switches.some(({ searchParams }) => searchParams.get('to') === other),
        `${address} has no way to ${other}`,
      );
    }
  });
});

describe('every page', () => {
  test('of the specification is found in both languages, by links where links lead to it', () => {
    for (const route of ROUTES) {
      for (const prefix of ['En', 'Ru']) {
        const found = met.get(`/${prefix}${route}`);
        assert.equal(found?.status, 200, `/${prefix}${route}`);
        assert.ok(found.page, `/${prefix}${route} is a page`);
      }
    }
    assert.equal(ROUTES.length, 37);
  });

  test('exists in both languages', () => {
    for (const [address] of pages()) {
      const other = `/${prefixOf(address) === 'En' ? 'Ru' : 'En'}${address.slice(3)}`;
      assert.equal(met.get(other)?.status, 200, other);
    }
  });

  test('has its language, one heading, a title, its address and that in the other language, and no word without a translation', () => {
    const faults = pages().flatMap(([address, { page }]) => faultsOf(address, page, base).map((fault) => `${address}: ${fault}`));
    assert.deepEqual(faults, []);
  });

  test('for visitors is at most 11 kB compressed, without its style', async () => {
    const sent = await fetch(`${base}/En/verify`, { headers: { 'accept-encoding': 'br' } });
    assert.equal(
      Number(sent.headers.get('content-length')),
      compressed(await sent.text()).length,
      'they are sent as they are counted',
    );
    const large = pages().filter(([, { page, size }]) => page.head['robots'] !== 'noindex' && size > SITE.budget.html);
    assert.deepEqual(
      large.map(([address, { size }]) => `${address}: ${size}`),
      [],
    );
  });

  test('in Russian is written in Russian', () => {
    const faults = pages()
      .filter(([address]) => prefixOf(address) === 'Ru')
      .flatMap(([address, { page }]) => untranslated(page).map((text) => `${address}: ${text}`));
    assert.deepEqual(faults, []);
  });

  test('has a title and a description that no other page has', () => {
    for (const field of ['title', 'description'] as const) {
      const known = new Map<string, string>();
      for (const [address, { page }] of pages()) {
        const [path = ''] = address.split('?');
        const words = field === 'title' ? page.titles[0] : page.head['description'];
        if (words === undefined || page.head['robots'] === 'noindex') continue;
        const other = known.get(words) ?? path;
        assert.equal(other, path, `${field} ${words}`);
        known.set(words, path);
      }
      assert.ok(known.size > 2 * 26, field);
    }
  });
});
