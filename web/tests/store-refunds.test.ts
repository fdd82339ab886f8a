// Pages of a store's refunds with the stub of the API: where the money of an invoice goes back to, and what is taken.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Output, Routes } from '@kurs/contract';
import { type Answers, merchant, storeAs } from '../testing/gate/answers.ts';
import { type Sample, invoiceAnswers, sampleId } from '../testing/gate/store-invoices.ts';
import { PREFIXES, type ShowRequest, WORDS, plain, showBusiness } from '../testing/gate/show-business.ts';

type Refund = Output<Routes['storeRefund']>;
type Claim = Refund['claims'][number];

const now = new Date('2026-11-20T14:05:12Z');
const store = storeAs('business', 'owner', now).id;
const usdt = (amount: string) => ({ amount, currency: 'USDT' });
const option = (amount: string) => ({ amount, takes: usdt(amount), open: true });

const CLAIM: Claim = {
  ...{ id: '0199a7d2-7a3e-7c10-9f00-000000000701', status: 'paying', claimed: usdt('20.00'), fee: usdt('0.00') },
  ...{
    receives: { amount: '20.03', currency: 'USD' },
    method: 'PAYPAL_USD',
    network: 'PayPal',
    to: {},
    to_payment: true,
    payment_reversed: false,
  },
  ...{ at: now.toISOString(), refund: '0199a7d2-7a3e-7c10-9f00-000000000700', usd: '20.03' },
};
const REFUND: Refund = {
  ...{ id: CLAIM.refund, number: 'KR-7F3Q-2M8C', state: 'paying', amount: { amount: '20.00', currency: 'USD' } },
  ...{ taken: usdt('20.00'), left: [], returned: [], store, test: false, version: 2, claims: [CLAIM], events: [] },
  ...{ created_at: now.toISOString(), expires_at: now.toISOString() },
};

type Amounts = Output<Routes['refundAmounts']>;
const amounts = (more: Partial<Amounts> = {}) => ({
  refundAmounts: (): Amounts => ({
    ...{ currency: 'USD', paid: option('84.50'), over: [], refunded: '0.00', most: option('84.50') },
    ...{ balance: usdt('100.00'), free: usdt('100.00'), to_payments: ['PAYPAL_USD'], has_link: false },
    ...more,
  }),
});
const answers = (refund: Refund = REFUND, more: Answers = {}): Answers => ({
  ...{ ...merchant(now), ...invoiceAnswers(now), ...amounts() },
  storeRefund: () => refund,
  ...more,
});
const show = (path: string, { given = answers(), ...request }: ShowRequest & { given?: Answers } = {}) =>
  showBusiness(now, given, `/store/${path}`, request);
const form = (sample: Sample, request = {}) => show(`refunds/new?store=${store}&invoice=${sampleId(sample)}`, request);

for (const prefix of PREFIXES) {
  const words = WORDS[prefix];
  const says = (text: string, key: keyof typeof words): boolean => text.includes(plain(String(words[key])).split('{')[0] ?? '');

  test(`the form says that money paid reversibly goes back to its payment, and asks for no receiver (${prefix})`, async () => {
    const { text } = await form('settled-reserve', { prefix });
    assert.ok(says(text, 'refunds_to_payment') && says(text, 'refunds_to_payment_text') && says(text, 'refunds_letter_lead'));
    const reserve = prefix === 'En' ? '83.82 USDT' : '83,82 USDT';
    assert.ok(
      text.includes(`${plain(words.refunds_reserved)} ${reserve}`) && says(text, 'refunds_how_much_reserve'),
      'both parts',
    );
    assert.ok(!says(text, 'refunds_new_of_lead') && !says(text, 'refunds_email_hint'), 'nothing is claimed by a link');
  });

  test(`the form says both of an invoice that was also paid otherwise (${prefix})`, async () => {
    const { text } = await form('settled', { prefix, given: answers(REFUND, amounts({ has_link: true })) });
    assert.ok(says(text, 'refunds_to_payment') && says(text, 'refunds_new_of_lead') && says(text, 'refunds_email_hint'));
    const plain = amounts({ to_payments: [], has_link: true });
    const { text: link } = await form('settled', { prefix, given: answers(REFUND, plain) });
    assert.ok(!says(link, 'refunds_to_payment') && says(link, 'refunds_new_of_lead'));
  });

  test(`an amount that the balance does not cover says what lacks, and where it comes from (${prefix})`, async () => {
    const lacking = amounts({ paid: { ...option('84.50'), open: false, lacks: usdt('0.68') } });
    const { text, body } = await form('settled-reserve', { prefix, given: answers(REFUND, lacking) });
    const sum = prefix === 'En' ? '0.68 USDT' : '0,68 USDT';
    assert.ok(text.includes(`${plain(words.refunds_lacks)} ${sum}`) && says(text, 'refunds_fund'), text);
    assert.match(body, new RegExp(`settlements\\?id=${store}`));
    const { text: enough } = await form('settled-reserve', { prefix });
    assert.ok(!says(enough, 'refunds_lacks') && !says(enough, 'refunds_fund'));
  });

  test(`a refund to payments has no link, and is taken from the reserve, too (${prefix})`, async () => {
    const path = `refund?store=${store}&id=${REFUND.id}`;
    const { text } = await show(path, { prefix });
    for (const key of ['refunds_no_link', 'refunds_taken_reserve', 'claims_to_payment'] as const) assert.ok(says(text, key), key);
    assert.ok(!says(text, 'refunds_link_hidden') && !says(text, 'refunds_until'), 'nothing is claimed');
    const claimed = { ...REFUND, left: [usdt('5.00')], claims: [{ ...CLAIM, to_payment: false }] };
    const { text: byLink } = await show(path, { prefix, given: answers(claimed) });
    assert.ok(!says(byLink, 'refunds_no_link') && !says(byLink, 'refunds_taken_reserve') && says(byLink, 'refunds_taken'));
  });
}
