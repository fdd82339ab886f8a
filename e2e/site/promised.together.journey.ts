// Requests the calls, pages and redirects with which Kurs was founded. Integrators and links rely on them, so none may be removed
// or moved. `docs/decisions/0042-departures.md` lists where the product departs from the founding document.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { ROUTES } from '../looks/seed-routes.ts';
import { sharedStage } from '../harness/stage.ts';

/** Calls under /api/v1 with their methods. */
const CALLS = {
  '/sign-up/get-otp': ['POST'],
  '/sign-up/confirm': ['POST'],
  '/forgot-password/get-otp': ['POST'],
  '/forgot-password/confirm': ['POST'],
  '/google/login': ['POST'],
  '/login': ['POST'],
  '/logout': ['GET'],
  '/calculation/directions': ['GET'],
  '/calculation': ['GET', 'POST'],
  '/calculation/step1': ['POST'],
  '/calculation/step2': ['POST'],
  '/calculation/step3': ['POST'],
  '/calculation/process-transaction': ['POST'],
  '/calculation/expire': ['POST'],
  '/calculation/process-order': ['POST'],
  '/calculation/track-order': ['GET'],
  '/calculation/currencies': ['GET'],
  '/coupons/check': ['POST'],
  '/coupons/user/discounts': ['GET'],
  '/payment/gateway': ['GET'],
  '/payment/nebulox/confirmation': ['POST'],
  '/order/status': ['GET'],
  '/user/profile/generate2fa': ['POST'],
  '/user/profile/enable2fa': ['POST'],
  '/user/profile/disable2fa': ['POST'],
  '/user/order/filter': ['GET'],
  '/user/profile/change-password': ['POST'],
  '/user/profile/avatar': ['POST'],
  '/user/profile/update': ['POST'],
  '/user/transaction/filter': ['GET'],
  '/user/withdraw/store': ['POST'],
  '/user/withdraw/filter': ['GET'],
  '/user/info': ['GET'],
  '/user/email/get-otp': ['POST'],
  '/user/email/verify': ['POST'],
  '/landing/1/details': ['GET'],
  '/wallet/currency': ['GET'],
  '/wallet/user/currencies': ['GET'],
  '/wallet': ['GET'],
  '/wallet/store': ['POST'],
  '/wallet/withdraw-request': ['POST'],
  '/wallet/list/withdraw-request': ['GET'],
  '/export/order-transactions': ['GET'],
} as const;

/** Old paths without a language, each with its target after the language prefix. */
const REDIRECTS = {
  '/buy-sell-perfectmoney-voucher': '/solutions/buy-sell-perfectmoney-voucher',
  '/receive-paypal': '/solutions/exchange-paypal',
  '/services/exchange-perfectmoney-paypal': '/services/perfectmoney-to-paypal-exchange',
  '/why-sign-up': '/aml-kyc-policy',
  '/story-of-us': '/contact-us',
  '/paypal-invoice': '/solutions/payment-gate',
  '/payment-gate': '/solutions/payment-gate',
  '/visa-master-invoice': '/solutions/payment-gate',
  '/disclaimer': '/terms-of-services',
  '/tether-to-Pmvoucher-exchange': '',
  '/services/tether-to-Pmvoucher-exchange': '',
} as const;

let url: string;
before(async () => {
  ({ url } = (await sharedStage()).system);
});

const ask = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${url}${path}`, { redirect: 'manual', ...init });

describe('each call answers by its method, and is in the API’s document', () => {
  for (const [path, methods] of Object.entries(CALLS))
    for (const method of methods)
      test(`${method} ${path}`, async () => {
        const headers = { 'client-id': 'web', accept: 'application/json', 'content-type': 'application/json' };
        const answer = await ask(`/api/v1${path}`, { method, headers, ...(method === 'POST' && { body: '{}' }) });
        // The call has no session and no input, so it reports what is missing.
        assert.ok(answer.status < 500 && ![404, 405].includes(answer.status), `${answer.status} ${await answer.text()}`);
        const document = (await (await ask('/api/v1/openapi.json')).json()) as { paths: Record<string, object> };
        assert.ok(method.toLowerCase() in (document.paths[`/api/v1${path}`] ?? {}));
      });
});

describe('each page answers in both languages', () => {
  for (const route of ROUTES)
    test(`/{En,Ru}${route}`, async () => {
      for (const [prefix, language] of [
        ['/En', 'en'],
        ['/Ru', 'ru'],
      ] as const) {
        const answer = await ask(`${prefix}${route}`);
        assert.equal(answer.status, 200);
        assert.match(await answer.text(), new RegExp(`<html[^>]* lang="${language}"`));
      }
    });
});

describe('each old path redirects permanently to its page', () => {
  for (const [from, to] of Object.entries(REDIRECTS))
    test(from, async () => {
      for (const [prefix, language] of [
        ['', '/En'],
        ['/En', '/En'],
        ['/Ru', '/Ru'],
      ] as const) {
        const answer = await ask(`${prefix}${from}`);
        assert.deepEqual([answer.status, answer.headers.get('location')], [301, `${language}${to}`]);
      }
    });
});

test('the root opens the home page in a language of the visitor', async () => {
  const answer = await ask('/', { headers: { 'accept-language': 'ru' } });
  assert.deepEqual([answer.status, answer.headers.get('location')], [302, '/Ru']);
});

test('the build’s manifest names the build', async () => {
  const manifest = (await (await ask('/builds/latest.json?1795900000000')).json()) as { id?: unknown };
  assert.equal(typeof manifest.id, 'string');
});

test('an unknown path is a page of its own, with status 404', async () => {
  assert.equal((await ask('/En/nowhere')).status, 404);
});
