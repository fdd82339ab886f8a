import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { parse } from '@kurs/money';
import type { Webhook, OpenRequest } from '../rail.ts';
import { settings as schema } from './config.ts';
import { answerTo, checkMessage, paymentForm } from './forms.ts';

const settings = schema.parse({ account: 'P1000000', apiId: '12345', apiPass: 'x', shop: '12345', secret: 'Geheim' });

const request: OpenRequest = {
  currency: 'PAYEER_USD',
  to: 'TESTORDER1',
  amount: parse('PAYEER_USD', '10.00'),
  label: 'Order KU-1234-5678',
  back: { success: '/y', fail: '/n' },
  locale: 'en',
  until: new Date(0),
  payer: {},
};

describe('Payeer’s form', () => {
  // The signatures were made by another program (Python's hashlib) from the documents' formula.
  it('is signed by the documents’ formula', () => {
    const form = paymentForm(settings, request);
    assert.equal(form?.['m_desc'], 'T3JkZXIgS1UtMTIzNC01Njc4');
    assert.equal(form?.['m_sign'], 'D01510FB6E90CCDD049DF76224A7C861FC42AB27C4B9B32A2FC8C4058566F371');
    assert.deepEqual([form?.['m_amount'], form?.['m_curr'], form?.['m_process']], ['10.00', 'USD', 'send']);
  });

  it('is signed over the bytes of UTF-8', () => {
    const form = paymentForm(settings, { ...request, label: 'Заявка KU-1234' });
    assert.equal(form?.['m_sign'], '434EE2558814E1CC4199B4373C19ED6C462044603134E2FD9D31ED0A8E299928');
  });

  it('is made only for Payeer’s currencies, and accepts only payments from a Payeer balance', () => {
    assert.equal(paymentForm(settings, { ...request, currency: 'VOLET_USD' }), undefined);
    assert.equal(paymentForm(settings, request)?.['form[ps]'], '2609');
  });
});

const MESSAGE: Readonly<Record<string, string>> = {
  m_operation_id: '928562360',
  m_operation_ps: '2609',
  m_operation_date: '22.11.2026 14:05:09',
  m_operation_pay_date: '22.11.2026 14:05:30',
  m_shop: '12345',
  m_orderid: 'TESTORDER1',
  m_amount: '10.00',
  m_curr: 'USD',
  m_desc: 'T3JkZXIgS1UtMTIzNC01Njc4',
  m_status: 'success',
  m_sign: '9ACDE6975C707304CFDE5998929900F3F0F7587B71299373A293950D0DA5CA0E',
};

const webhook = (fields: Readonly<Record<string, string>>, more = ''): Webhook => ({
  raw: Buffer.from(new URLSearchParams(fields).toString() + more),
  headers: {},
});

describe('Payeer’s message', () => {
  it('is proven by its signature, which also covers additional fields', () => {
    assert.deepEqual(checkMessage(settings, webhook(MESSAGE)), { isProven: true, to: 'TESTORDER1' });
    const sign = '08C043F1D770E822CB83B271A674CABD47779DCFA6E1A1D3E5D26277CB195AB2';
    const more = { ...MESSAGE, m_params: 'cGFyYW1z%3D', m_sign: sign };
    assert.equal(checkMessage(settings, webhook(more)).isProven, true);
    // Fields that Payeer adds after the signature are unsigned and ignored.
    assert.equal(checkMessage(settings, webhook({ ...MESSAGE, client_account: 'P1000001' })).isProven, true);
  });

  const changed = (change: Readonly<Record<string, string>>) => webhook({ ...MESSAGE, ...change });
  const table: readonly (readonly [string, Webhook])[] = [
    ['another sum', changed({ m_amount: '1000.00' })],
    ['a sum written otherwise', changed({ m_amount: '10.0' })],
    ['another currency', changed({ m_curr: 'EUR' })],
    ['another order', changed({ m_orderid: 'TESTORDER2' })],
    ['another status', changed({ m_status: 'fail' })],
    ['another shop', changed({ m_shop: '12346' })],
    ['an added field that would be signed', changed({ m_params: 'x' })],
    ['a signature in small letters', changed({ m_sign: (MESSAGE['m_sign'] as string).toLowerCase() })],
    ['a signature with a space', changed({ m_sign: `${MESSAGE['m_sign']} ` })],
    ['an empty signature', changed({ m_sign: '' })],
    ['a field twice', webhook(MESSAGE, '&m_amount=1000.00')],
    ['a field twice, its value the same', webhook(MESSAGE, '&m_amount=10.00')],
    ['colons moved between fields', changed({ m_operation_id: '928562360:2609', m_operation_ps: '22.11.2026 14' })],
    ['no form', { raw: Buffer.from(JSON.stringify(MESSAGE)), headers: {} }],
    ['nothing', { raw: Buffer.alloc(0), headers: {} }],
  ];
  for (const [why, message] of table) {
    it(`is not believed: ${why}`, () => assert.deepEqual(checkMessage(settings, message), { isProven: false }));
  }

  it('is not believed with a right signature for another shop, or in a currency that isn’t ours', () => {
    const other = schema.parse({ ...settings, shop: '777' });
    assert.equal(checkMessage(other, webhook(MESSAGE)).isProven, false);
    const fields = { ...MESSAGE, m_curr: 'BTC' };
    const text = [...Object.values(fields).slice(0, -1), settings.secret].join(':');
    const sign = createHash('sha256').update(text).digest('hex').toUpperCase();
    assert.equal(checkMessage(settings, webhook({ ...fields, m_sign: sign })).isProven, false);
  });

  it('is answered in Payeer’s words, which repeat no reference of another form', () => {
    const said = (fields: Readonly<Record<string, string>>, isProven: boolean) => answerTo(webhook(fields), { isProven }).body;
    assert.equal(said(MESSAGE, true), 'TESTORDER1|success');
    assert.equal(said(MESSAGE, false), 'TESTORDER1|error');
    assert.equal(said({ m_orderid: '<script>' }, false), '|error');
  });
});
