// Tests the merchant service's form, question and notice. Python's hashlib and hmac made the expected hashes from the same
// texts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { money } from '@kurs/money';
import type { ProviderContext } from '../provider/index.ts';
import { currenciesOf, settings as shape } from './config.ts';
import { formFor, proofOf, replyTo } from './merchant.ts';

const settings = shape.parse({
  wmid: '123456789012',
  firstNumber: 1_000_000,
  purses: { WMZ: { purse: 'Z100000000001', secretKey: 'the key', secretX20: 'x20 secret', token: 'a.b.c' } },
});
const currencies = currenciesOf(settings);
const context: ProviderContext = {
  reference: () => 'NEVER',
  webhookUrl: 'https://kurs.example/api/v1/payment/webmoney/confirmation',
  siteUrl: (path) => `https://kurs.example${path}`,
};
const until = new Date('2026-11-22T12:00:00Z');
const now = new Date('2026-11-22T11:00:00Z');
const OWN = '5ff638542bca83f36ab8351d331df414be3ec323298943d034000b979367c8a4';
const HASH2 = '2F7CDBC90EF454BA23007400CD80AE233FA92787C4854A0FAADE6460F22CC3F8';

const webhook = (fields: Readonly<Record<string, string>>, extra = '') => ({
  raw: Buffer.from(`${new URLSearchParams(fields).toString()}${extra}`),
  headers: {},
});
const notice = (changes: Readonly<Record<string, string>>, LMI_HASH2: string) => ({
  LMI_PAYEE_PURSE: 'Z100000000001',
  LMI_PAYMENT_AMOUNT: '10.5',
  LMI_PAYMENT_NO: '1000007',
  LMI_MODE: '0',
  LMI_SYS_INVS_NO: '821',
  LMI_SYS_TRANS_NO: '458',
  LMI_SYS_TRANS_DATE: '20261122 13:00:00',
  LMI_PAYER_PURSE: 'Z200000000002',
  LMI_PAYER_WM: '123456789012',
  ...changes,
  LMI_HASH2,
});
const question = (changes: Readonly<Record<string, string>> = {}) => ({
  LMI_PREREQUEST: '1',
  LMI_PAYEE_PURSE: 'Z100000000001',
  LMI_PAYMENT_AMOUNT: '10.5',
  LMI_PAYMENT_NO: '1000007',
  LMI_MODE: '0',
  LMI_PAYER_WM: '123456789012',
  KURS_UNTIL: '2026-11-22T12:00:00.000Z',
  KURS_SIGN: OWN,
  ...changes,
});

test('signs the texts of the form, with amounts without trailing zeros', () => {
  const [wmz] = currencies;
  assert.ok(wmz);
  const request = {
    currency: 'WMZ',
    to: '1000007',
    label: 'Заявка KU-1',
    back: { success: '/y', fail: '/n' },
    locale: 'ru',
    until,
    payer: {},
  } as const;
  const way = formFor(settings, context, wmz, { ...request, amount: money('WMZ', 1050n) });
  assert.ok(way.kind === 'redirect');
  assert.equal(way.url, 'https://merchant.webmoney.ru/lmi/payment_utf.asp');
  assert.equal(way.fields['LMI_PAYMENT_AMOUNT'], '10.5');
  assert.equal(way.fields['LMI_PAYMENTFORM_SIGN'], 'c3e82403a5ff4c2517f2e9d88190f3f826c36a59a502c460b81302415f7667a4');
  assert.equal(way.fields['KURS_SIGN'], OWN);
  assert.equal(Buffer.from(way.fields['LMI_PAYMENT_DESC_BASE64'] ?? '', 'base64').toString('utf8'), 'Заявка KU-1');
  assert.ok(!/the key|x20 secret|a\.b\.c/.test(JSON.stringify(way)));
  const whole = formFor(settings, context, wmz, { ...request, amount: money('WMZ', 900n) });
  assert.ok(whole.kind === 'redirect' && whole.fields['LMI_PAYMENT_AMOUNT'] === '9');
});

test('proves a notice by LMI_HASH2, with and without a hold, and answers YES', () => {
  const proof = proofOf(settings, currencies, webhook(notice({}, HASH2)), now);
  assert.deepEqual(proof, { isProven: true, to: '1000007' });
  assert.equal(replyTo(proof).body, 'YES');
  const held = notice({ LMI_HOLD: '3' }, 'CAE1D7C17DEA906B4C247746CD3ECCEA94534DC84BDF3D8B0CEBADE25419E926');
  assert.equal(proofOf(settings, currencies, webhook(held), now).isProven, true);
});

test('answers YES to the question before a payment only for an open reference of ours', () => {
  const ask = (changes?: Readonly<Record<string, string>>, at = now) =>
    replyTo(proofOf(settings, currencies, webhook(question(changes)), at)).body;
  assert.equal(ask(), 'YES');
  assert.equal(ask({ LMI_PAYMENT_AMOUNT: '0.01' }), 'NO', 'another amount');
  assert.equal(ask({ LMI_PAYMENT_NO: '1000008' }), 'NO', 'another number');
  assert.equal(ask({ LMI_PAYEE_PURSE: 'Z999999999999' }), 'NO', 'somebody else’s purse');
  assert.equal(ask({ LMI_MODE: '1' }), 'NO', 'a test payment');
  assert.equal(ask({ KURS_UNTIL: '2026-11-23T12:00:00.000Z' }), 'NO', 'a later end than in our form');
  assert.equal(ask({ KURS_SIGN: '' }), 'NO');
  assert.equal(ask({}, new Date('2026-11-22T12:00:01Z')), 'NO', 'after the end of the wait');
});

const unproven: readonly (readonly [string, ReturnType<typeof webhook>])[] = [
  ['no hash', webhook(notice({}, ''))],
  ['a hash in small letters', webhook(notice({}, HASH2.toLowerCase()))],
  ['the hash without separators', webhook(notice({}, '57395502E5DC9D753E8B4C4582C6487364272D3181CD7B887CB29829D08EFA9D'))],
  ['only LMI_HASH', webhook({ ...notice({}, ''), LMI_HASH: '57395502E5DC9D753E8B4C4582C6487364272D3181CD7B887CB29829D08EFA9D' })],
  ['another key', webhook(notice({}, '867E118F9F18503D6744AB8D44D7804BFFD09A8C69C7A77ADA0DCAD51FFA660D'))],
  [
    'the test mode and a valid hash',
    webhook(notice({ LMI_MODE: '1' }, '8C2EC7846526B5B8EEB389DB1FEE39FC159A91730028D664EA82252A70AC2E06')),
  ],
  [
    'somebody else’s purse and a valid hash',
    webhook(notice({ LMI_PAYEE_PURSE: 'Z999999999999' }, 'FFCFB9632F26FF562E1F413CE77CF07B6EC9A348F63936F2F22274B54C29104F')),
  ],
  [
    'a number before our first',
    webhook(notice({ LMI_PAYMENT_NO: '999999' }, 'D5F4F29A8281A0080A90923C1E600EB3DB7485D7FA0669AAEF6C6B88F40392B7')),
  ],
  [
    'a number above the largest',
    webhook(notice({ LMI_PAYMENT_NO: '2147483648' }, '7AF071961D881A80830077901D4D66471B319302CD0294256948A3C52D0C7E86')),
  ],
  [
    'a number with a leading zero',
    webhook(notice({ LMI_PAYMENT_NO: '01000007' }, '19DA8CA3DBD008AA025AECE5BE4CE05CC52DE1DE6DF5F6826F5F0573899A1495')),
  ],
  ['another amount', webhook(notice({ LMI_PAYMENT_AMOUNT: '1050' }, HASH2))],
  ['a hold that isn’t signed', webhook(notice({ LMI_HOLD: '30' }, HASH2))],
  ['a field given twice', webhook(notice({}, HASH2), '&LMI_PAYMENT_NO=1000008')],
  ['no fields', webhook({})],
];

for (const [words, message] of unproven) {
  test(`a notice with ${words} is not proven`, () => {
    assert.deepEqual(proofOf(settings, currencies, message, now), { isProven: false });
  });
}
