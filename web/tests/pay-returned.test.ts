// The page to which a payment system sends the buyer of an invoice back, with the stub of the API.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import en from '../locales/en-US.json' with { type: 'json' };
import { type SceneName, sceneId } from '../testing/gate/invoices.ts';
import { type Key, PREFIXES, mustSay, request, show, start } from '../testing/gate/show-pay.ts';

describe('the return from a payment system to an invoice', () => {
  const NUMBER = 'KI-7F3Q-2M8C';
  const back = (path: string, scene?: SceneName) =>
    request(path, scene === undefined ? {} : { cookies: { [`invoice-${NUMBER}`]: sceneId(scene) } });

  test('is possible after a payment system was chosen: the browser keeps the invoice’s id', async () => {
    const { stored } = await show('redirect');
    assert.ok(
      stored.some((cookie) =>
        cookie.startsWith(`invoice-${NUMBER}=${sceneId('redirect')}; Path=/; Max-Age=86400; SameSite=Lax; HttpOnly`),
      ),
    );
    assert.deepEqual((await show('chosen')).stored, []);
  });

  for (const prefix of PREFIXES) {
    const words = prefix === 'En' ? 'Not paid' : 'не оплачено';
    test(`shows the server’s state, whichever address the buyer returned to (${prefix})`, async () => {
      for (const way of ['success', 'fail']) {
        const path = `/${prefix}/payment/${way}?id=${NUMBER}`;
        const unpaid = await back(path, 'redirect');
        assert.match(unpaid.text, new RegExp(words, 'i'));
        assert.ok(unpaid.body.includes(`href="/${prefix}/pay/${sceneId('redirect')}"`));
        assert.ok(unpaid.body.includes('http-equiv="refresh"'));
        const paid = await back(path, 'settled');
        assert.ok(paid.text.includes(start(prefix, 'checkout_settled')));
        assert.ok(paid.body.includes('href="https://severny-les.example/orders/1184"'));
        assert.ok((await back(path, 'confirming')).text.includes(start(prefix, 'checkout_confirming')));
        assert.ok((await back(path, 'expired')).text.includes(start(prefix, 'checkout_expired')));
        assert.ok((await back(path, 'short')).text.includes(start(prefix, 'checkout_short')));
      }
    });

    test(`asks nobody to pay a marked invoice, nor to pay again before a payment is counted (${prefix})`, async () => {
      const path = `/${prefix}/payment/fail?id=${NUMBER}`;
      const expected: Partial<Record<SceneName, readonly Key[]>> = {
        marked: ['checkout_marked_settled'],
        marked_invalid: ['checkout_marked_invalid'],
        late_used: ['checkout_late', 'checkout_late_text'],
        waiting: ['checkout_late_wait', 'checkout_waits'],
        time_over: ['checkout_time_over', 'checkout_time_over_text'],
      };
      for (const [scene, keys] of Object.entries(expected)) {
        const { text } = await back(path, scene as SceneName);
        mustSay(prefix, text, keys);
        assert.doesNotMatch(text, new RegExp(words, 'i'), scene);
      }
      for (const scene of ['marked', 'late_used', 'waiting', 'time_over', 'expired'] as const)
        assert.ok(!(await back(path, scene)).text.includes(prefix === 'En' ? 'Left to pay' : 'Осталось оплатить'), scene);
      assert.match((await back(path, 'dust')).text, new RegExp(words, 'i'), 'dust is no part of the amount');
    });

    test(`says nothing about the payment in another browser (${prefix})`, async () => {
      const made: [string, unknown][] = [];
      const { status, text } = await request(`/${prefix}/payment/success?id=${NUMBER}`, { made });
      assert.equal(status, 200);
      assert.ok(text.includes(NUMBER));
      assert.ok(!made.some(([name]) => name.startsWith('payment')));
      assert.ok(!text.includes(start(prefix, 'checkout_settled')));
    });
  }

  test('finds the invoice that was left last, if the payment system gives no number', async () => {
    const cookies = { [`invoice-${NUMBER}`]: sceneId('settled'), 'order-last': `en ${NUMBER}` };
    assert.ok((await request('/En/payment/success', { cookies })).text.includes(en.checkout_settled));
  });
});
