import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Site, SiteResponse } from '../site.ts';
import { stubSite } from '../testing/serve.ts';
import { worldClient } from '../testing/world.ts';

let site: Site;

before(async () => {
  site = await stubSite({ url: 'http://kurs.test', client: worldClient(() => new Date('2026-11-20T14:05:12Z')) });
});

const ask = (url: string): Promise<SiteResponse> => site.handle({ method: 'GET', url, headers: {}, cookies: {} });
const locationOf = ({ headers }: SiteResponse): string | undefined => headers.find(([name]) => name === 'location')?.[1];

/** Table of the specification: an old path without the language, and its present path. */
const TABLE = [
  ['buy-sell-perfectmoney-voucher', '/solutions/buy-sell-perfectmoney-voucher'],
  ['receive-paypal', '/solutions/exchange-paypal'],
  ['services/exchange-perfectmoney-paypal', '/services/perfectmoney-to-paypal-exchange'],
  ['why-sign-up', '/aml-kyc-policy'],
  ['story-of-us', '/contact-us'],
  ['paypal-invoice', '/solutions/payment-gate'],
  ['payment-gate', '/solutions/payment-gate'],
  ['visa-master-invoice', '/solutions/payment-gate'],
  ['disclaimer', '/terms-of-services'],
  ['tether-to-Pmvoucher-exchange', ''],
  ['services/tether-to-Pmvoucher-exchange', ''],
] as const;

describe('an old address redirects permanently to its page, in one hop', () => {
  for (const [old, target] of TABLE) {
    test(old, async () => {
      for (const [prefix, language] of [
        ['', 'En'],
        ['/En', 'En'],
        ['/Ru', 'Ru'],
        ['/ru', 'Ru'],
      ] as const) {
        for (const [request, query] of [
          [`${prefix}/${old}`, ''],
          [`${prefix}/${old}/`, ''],
          [`${prefix}/${old}?ref=a&b=%20c`, '?ref=a&b=%20c'],
          [`${prefix}/${old}?from=mail`, '?from=mail'],
        ] as const) {
          const answer = await ask(request);
          assert.deepEqual([answer.status, locationOf(answer)], [301, `/${language}${target}${query}`], request);
          // One hop: the target exists. An address with an affiliate's reference redirects once more, to the address without it.
          const next = await ask(locationOf(answer) as string);
          assert.equal(next.status, query.includes('ref=') ? 302 : 200, `${request} → ${locationOf(answer)}`);
        }
      }
    });
  }
});

test('addresses that only resemble old ones are not found', async () => {
  for (const path of ['/En/paypal-invoice/x', '/De/disclaimer', '/En/Disclaimer', '/En/constructor', '/toString'])
    assert.equal((await ask(path)).status, 404, path);
});

test('an address in other letter case redirects to the page’s own, with its query', async () => {
  const cases = {
    '/En/FAQ?q=fee': '/En/faq?q=fee',
    '/Ru/solutions/hiwallet': '/Ru/solutions/HiWallet',
    '/en/Contact-Us': '/En/contact-us',
    '/Services/usdt-erc20-btc': '/En/services/usdt-erc20-btc',
    '/FAQ': '/En/faq',
  };
  for (const [from, to] of Object.entries(cases)) {
    const answer = await ask(from);
    assert.equal(answer.status, from.startsWith('/En') || from.startsWith('/Ru') ? 301 : 302, from);
    assert.equal(locationOf(answer), to, from);
  }
  for (const own of ['/En', '/Ru/faq', '/En/solutions/HiWallet', '/En/services/usdt-erc20-btc'])
    assert.equal((await ask(own)).status, 200, own);
});
