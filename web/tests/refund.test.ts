// The page on which a refund is claimed, with the stub of the API: what it says while a claim is under way, and how it follows it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Output, Routes } from '@kurs/contract';
import { createClient } from '@kurs/contract/client';
import en from '../locales/en-US.json' with { type: 'json' };
import ru from '../locales/ru-RU.json' with { type: 'json' };
import { textOf } from '../testing/ask-text.ts';
import { withAnswers } from '../testing/gate/answers.ts';
import { AT, REFUND_ID, claimIn, refundIn } from '../testing/gate/refunds.ts';
import { stubSite } from '../testing/serve.ts';

type Page = Output<Routes['refundPage']>;

const WORDS = { En: en, Ru: ru } as const;
const TXID = 'c3'.repeat(32);

async function show(page: Page, prefix: keyof typeof WORDS) {
  const client = createClient(withAnswers(() => new Date(AT), { refundPage: () => page }));
  const site = await stubSite({ url: 'https://kurs.test', client });
  const url = `/${prefix}/refund?id=${REFUND_ID}&token=${'t'.repeat(43)}`;
  const { status, body } = await site.handle({ method: 'GET', url, cookies: {}, headers: { host: 'kurs.test' } });
  assert.equal(status, 200);
  return { body, text: textOf(body).replace(/\s+/g, ' ') };
}

const isRefreshed = (body: string): boolean => /http-equiv="refresh"/i.test(body);

for (const prefix of ['En', 'Ru'] as const) {
  const words = (key: keyof typeof en): string => String(WORDS[prefix][key]).replace(/\s+/g, ' ');

  test(`says who has to act while a claim waits, and reloads without scripts once nothing is left to fill in (${prefix})`, async () => {
    for (const [status, state, title] of [
      ['confirming', 'claimed', 'refund_confirming_title'],
      ['approving', 'claimed', 'refund_approving_title'],
      ['paying', 'paying', 'refund_paying_title'],
    ] as const) {
      const { text, body } = await show(refundIn(state, [claimIn(status)]), prefix);
      for (const key of [title, 'checkout_watching'] as const) assert.ok(text.includes(words(key)), `${status}: ${key}`);
      assert.ok(isRefreshed(body), status);
      const rest = await show(refundIn(state, [claimIn(status)], '5.00'), prefix);
      assert.ok(rest.text.includes(words(title)), `${status}, and a rest`);
      assert.equal(isRefreshed(rest.body), false, 'what is typed stays');
    }
  });

  test(`shows the transaction of a claim, and stops to reload once all is paid (${prefix})`, async () => {
    const sent = await show(refundIn('paying', [claimIn('paying', { txid: TXID })]), prefix);
    assert.ok(sent.body.includes(`title="${TXID}"`));
    const { text, body } = await show(refundIn('paid', [claimIn('done', { txid: TXID })]), prefix);
    assert.ok(text.includes(words('refund_paid_title')));
    assert.equal(text.includes(words('checkout_watching')), false);
    assert.equal(isRefreshed(body), false);
  });

  test(`says that the money goes back to the payment, and names no other account (${prefix})`, async () => {
    const claim = claimIn('paying', { to: { capture: '2GG279541U471931P' }, to_payment: true, network: 'PayPal' });
    const { text } = await show(refundIn('paying', [claim]), prefix);
    assert.ok(text.includes(words('refund_to_payment').replace('{network}', 'PayPal')));
    assert.equal(text.includes('2GG279541U471931P'), false);
  });

  test(`says that nothing went to the payment, and asks for no other account (${prefix})`, async () => {
    for (const status of ['failed', 'returned', 'refused'] as const) {
      const claim = claimIn(status, { to: { capture: '2GG279541U471931P' }, to_payment: true, network: 'PayPal' });
      const { text } = await show(refundIn('cancelled', [claim]), prefix);
      for (const key of ['refund_undone_title', 'refund_undone_text'] as const)
        assert.ok(text.includes(words(key).replace('{store}', 'Tea shop')), `${status}: ${key}`);
      for (const key of ['refund_back_title', 'refund_cancelled_title'] as const)
        assert.equal(text.includes(words(key)), false, `${status}: ${key}`);
    }
    const reversed = claimIn('failed', { to_payment: true, payment_reversed: true, network: 'PayPal' });
    const { text: has } = await show(refundIn('cancelled', [reversed]), prefix);
    assert.ok(has.includes(words('refund_undone_reversed')) && !has.includes(words('refund_undone_text').slice(0, 20)));
    const { text } = await show(refundIn('open', [claimIn('failed')], '15.00'), prefix);
    assert.ok(text.includes(words('refund_back_title')), 'a claim by the link can be made again');
  });
}
