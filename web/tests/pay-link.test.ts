// The page of a store's link with the stub of the API: what it shows, the invoice that its button makes, and its refusals.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CallError, createClient } from '@kurs/contract/client';
import { pageUrl } from '../routes/pages.ts';
import { textOf } from '../testing/ask-text.ts';
import { type Answers, refusal, withAnswers } from '../testing/gate/answers.ts';
import { LINK_SCENES, type LinkScene, linkId } from '../testing/gate/links.ts';
import { PREFIXES, WORDS, plain } from '../testing/gate/show-business.ts';
import { stubSite } from '../testing/serve.ts';
import { worldTransport } from '../testing/world.ts';

interface Asked {
  readonly prefix?: 'En' | 'Ru';
  readonly form?: Record<string, string>;
  readonly made?: [string, unknown][];
  readonly answers?: Answers;
}

/** Requests the page of a scene's link; with `form`, posts that form. Calls are recorded in `made`. */
async function show(scene: LinkScene | 'unknown', { prefix = 'En', form, made = [], answers = {} }: Asked = {}) {
  const clock = (): Date => new Date();
  const [known, world] = [withAnswers(clock, answers), worldTransport(clock)];
  const client = createClient(async (call) => {
    made.push([call.name, call.input]);
    return call.name in answers ? known(call) : world(call);
  });
  const site = await stubSite({ url: 'https://kurs.test', client });
  const id = scene === 'unknown' ? '0199a7d2-7a3e-4c10-9f00-000000009999' : linkId(scene);
  const { status, body, headers } = await site.handle({
    ...{ method: form ? 'POST' : 'GET', url: pageUrl(prefix === 'En' ? 'en' : 'ru', 'payLink', { id }), cookies: {} },
    headers: { host: 'kurs.test', 'sec-fetch-site': 'same-origin' },
    ...(form && { body: new URLSearchParams(form).toString() }),
  });
  return { status, body, text: plain(textOf(body)), location: new Map(headers).get('location') };
}

for (const prefix of PREFIXES)
  describe(`the page of a link (${prefix})`, () => {
    const words = WORDS[prefix];

    test('shows every state without gaps, without styles in attributes, and to no search engine', async () => {
      for (const scene of LINK_SCENES) {
        const { status, body, text } = await show(scene, { prefix });
        assert.equal(status, 200, scene);
        assert.doesNotMatch(text, /undefined|NaN|\[object/, scene);
        assert.doesNotMatch(body, /\sstyle="/, scene);
        assert.ok(body.includes('<meta name="robots" content="noindex">'), scene);
        assert.equal(body.split('<h1').length, 2, scene);
      }
    });

    test('says who is paid, by whose desk, for what and how much', async () => {
      const { text } = await show('fixed', { prefix });
      const by = words.checkout_by.replace('{store}', 'Ann’s lessons').replace('{name}', 'Kurs');
      const sum = prefix === 'En' ? '25.00 USDT' : '25,00 USDT';
      for (const part of ['English lesson, one hour', plain(by), plain(words.link_pay).replace('{sum}', sum)])
        assert.ok(text.includes(part), part);
    });

    test('says why no invoice is made, and offers no button then', async () => {
      const expected = { off: words.link_is_off, used_up: words.link_used_up } as const;
      for (const [scene, title] of Object.entries(expected)) {
        const { text, body } = await show(scene as LinkScene, { prefix });
        assert.ok(text.includes(plain(title)), scene);
        assert.ok(!body.includes('<form'), scene);
      }
      const missing = await show('unknown', { prefix });
      assert.equal(missing.status, 404);
      assert.ok(missing.text.includes(plain(words.link_missing)));
    });

    test('makes the invoice once for each form, and leads to its page', async () => {
      const made: [string, unknown][] = [];
      const { status, location } = await show('fixed', { prefix, form: { key: 'a-key' }, made });
      assert.equal(status, 303);
      assert.match(location ?? '', new RegExp(`^/${prefix}/pay/0199a7d2-`));
      assert.deepEqual(made.find(([name]) => name === 'paymentLinkPay')?.[1], { id: linkId('fixed') });
    });

    test('sends the sum that was typed in its language, and shows a refusal at the field with what was typed', async () => {
      const made: [string, unknown][] = [];
      const typed = prefix === 'En' ? '1,234.5' : '1 234,5';
      await show('any', { prefix, form: { amount: typed }, made });
      assert.deepEqual(made.find(([name]) => name === 'paymentLinkPay')?.[1], { id: linkId('any'), amount: '1234.5' });
      const paymentLinkPay = () => {
        throw refusal({ amount: ['Maximum: 500.00 USDT'] });
      };
      for (const [amount, answers] of [
        ['', {}],
        ['many', {}],
        ['900', { paymentLinkPay }],
      ] as const) {
        const { status, body } = await show('any', { prefix, form: { amount }, answers });
        assert.equal(status, 422, amount);
        assert.ok(body.includes('aria-invalid="true"'), amount);
        assert.ok(amount === '' || body.includes(`value="${amount}"`), amount);
      }
    });

    test('shows a refusal that no field explains', async () => {
      const paymentLinkPay = () => {
        throw new CallError(410, { code: 'link_used_up', message: 'No use of this payment link is left.' });
      };
      const { status, text } = await show('fixed', { prefix, form: {}, answers: { paymentLinkPay } });
      assert.equal(status, 410);
      assert.ok(text.includes('No use of this payment link is left.'));
    });
  });
