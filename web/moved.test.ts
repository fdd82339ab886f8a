import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { isPagePath } from './routes/pages.ts';
import type { Site, SiteResponse } from './site.ts';
import { stubSite } from './testing/serve.ts';

let site: Site;

before(async () => {
  site = await stubSite({ url: 'http://kurs.test' });
});

const ask = (url: string): Promise<SiteResponse> => site.handle({ method: 'GET', url, headers: {}, cookies: {} });
const locationOf = ({ headers }: SiteResponse): string | undefined => headers.find(([name]) => name === 'location')?.[1];

/** The seed's table: an old path behind its language, and where it is now. */
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

describe('an old address leads to its page for good, in one hop', () => {
  for (const [old, target] of TABLE) {
    test(old, async () => {
      for (const [prefix, language] of [
        ['', 'En'],
        ['/En', 'En'],
        ['/Ru', 'Ru'],
        ['/ru', 'Ru'],
      ] as const) {
        for (const [asked, query] of [
          [`${prefix}/${old}`, ''],
          [`${prefix}/${old}/`, ''],
          [`${prefix}/${old}?ref=a&b=%20c`, '?ref=a&b=%20c'],
        ] as const) {
          const answer = await ask(asked);
          assert.deepEqual([answer.status, locationOf(answer)], [301, `/${language}${target}${query}`], asked);
          const next = await ask(locationOf(answer) as string);
          // The stub offers other directions; an address with a query of a partner leads on to one without.
          const isThere = next.status === 200 || (target === '' && next.status === 302) || target.startsWith('/services/');
          assert.ok(isThere || !isPagePath(target.slice(1)), `${asked} → ${locationOf(answer)}: ${next.status}`);
        }
      }
    });
  }
});

test('what only looks like an old address is no page', async () => {
  for (const path of ['/En/paypal-invoice/x', '/De/disclaimer', '/En/Disclaimer', '/En/constructor', '/toString'])
    assert.equal((await ask(path)).status, 404, path);
});
