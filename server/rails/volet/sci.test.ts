// The payment form and its messages, by the formulas of the documents. Another program (Python's hashlib) computed the expected
// hashes over the same texts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { money } from '@kurs/money';
import type { ProviderContext } from '../provider/index.ts';
import { currenciesOf, settings as shape } from './config.ts';
import { formFor, proofOf } from './sci.ts';

const settings = shape.parse({
  account: 'shop@kurs.example',
  sciName: 'Kurs',
  sciPassword: 'sci secret',
  apiName: 'payouts',
  apiPassword: 'api secret',
  wallets: { USD: 'U100000000001', EUR: 'E100000000001', RUB: 'R100000000001' },
});
const currencies = currenciesOf(settings);
const context: ProviderContext = {
  reference: () => '7K3M9Q2XW4TB8ZND',
  webhookUrl: 'https://kurs.example/api/v1/payment/volet/confirmation',
  siteUrl: (path) => `https://kurs.example${path}`,
};

/** Builds a message as Volet sends it, with these fields changed and this hash. */
function message(changes: Readonly<Record<string, string>>, hash: string, extra = ''): { raw: Buffer; headers: {} } {
  const fields = {
    ac_transfer: 'a91f649c-0d5e-4f1c-9a54-9d35c3b7c1aa',
    ac_start_date: '2026-11-22 10:00:00',
    ac_sci_name: 'Kurs',
    ac_src_wallet: 'U200000000002',
    ac_dest_wallet: 'U100000000001',
    ac_order_id: '7K3M9Q2XW4TB8ZND',
    ac_amount: '10.50',
    ac_merchant_currency: 'USD',
    ac_transaction_status: 'COMPLETED',
    ...changes,
    ac_hash: hash,
  };
  return { raw: Buffer.from(`${new URLSearchParams(fields).toString()}${extra}`), headers: {} };
}
const HASH = 'e958be211f90180e3a14d9c2e7c0b167ec61dd621836d925d5df73165e433afd';

test('signs the form’s own texts: two digits, no group separators, RUR for roubles', () => {
  const [, , rub] = currencies;
  assert.ok(rub);
  const until = new Date('2026-11-22T12:00:00Z');
  const amount = money('VOLET_RUB', 100_000n);
  const request = {
    currency: 'VOLET_RUB',
    to: '7K3M9Q2XW4TB8ZND',
    amount,
    label: 'KU-1',
    back: { success: '/ru/order/KU-1?success', fail: '/ru/order/KU-1?fail' },
    locale: 'ru',
    until,
    payer: {},
  } as const;
  const way = formFor(settings, context, rub, request);
  assert.ok(way.kind === 'redirect');
  assert.equal(way.method, 'POST');
  assert.equal(way.url, 'https://account.volet.com/sci/');
  assert.equal(way.fields['ac_amount'], '1000.00');
  assert.equal(way.fields['ac_currency'], 'RUR');
  assert.equal(way.fields['ac_sign'], '793f61d8d00fd43e6d54fb8c1f5d698788eb44b41d7a6f22bc5fbbbe7225f717');
  assert.equal(way.fields['ac_status_url'], context.webhookUrl);
  assert.equal(way.fields['ac_success_url'], 'https://kurs.example/ru/order/KU-1?success');
  assert.ok(!JSON.stringify(way).includes('sci secret'));
});

test('proves a message of our shop and returns its order, at any claimed status', () => {
  assert.deepEqual(proofOf(settings, currencies, message({}, HASH)), { isProven: true, to: '7K3M9Q2XW4TB8ZND' });
  // The status is not in the hash, so a forger could change it: it is ignored.
  const pending = message({ ac_transaction_status: 'PENDING' }, HASH);
  assert.deepEqual(proofOf(settings, currencies, pending), { isProven: true, to: '7K3M9Q2XW4TB8ZND' });
});

const unproven: readonly (readonly [string, ReturnType<typeof message>])[] = [
  ['no hash', message({}, '')],
  ['a hash in capitals', message({}, HASH.toUpperCase())],
  ['a hash of another secret', message({}, '32d67d3fedd7ffc3bd97dc1473762f4fa3222ae58c1e040676206b08b7b91c55')],
  ['an amount other than the signed one', message({ ac_amount: '1050.00' }, HASH)],
  ['the signed amount in another notation', message({ ac_amount: '10.5' }, HASH)],
  ['an order other than the signed one', message({ ac_order_id: '7K3M9Q2XW4TB8ZNE' }, HASH)],
  ['another shop', message({ ac_sci_name: 'Other' }, '54222b9e46e05caab4629648bef3a71a1abb86ac0e716da4f232cdc9b3e05dc0')],
  [
    'somebody else’s wallet',
    message({ ac_dest_wallet: 'U999999999999' }, 'f8a00745937d0c0d7e816ded81dab1532bbf316c0e12dcf3c36f34553b2838bb'),
  ],
  [
    'our wallet of another currency',
    message({ ac_merchant_currency: 'EUR' }, '78fc63c41060923f5336ba97bf803ad586094da2cf338ae87cadf59c8dde1911'),
  ],
  [
    'a currency in which we have no wallet',
    message({ ac_merchant_currency: 'UAH' }, 'a11d1d6d2337bee464a41463f17a4526d25fd014e40aba06406f4ea25091f3a1'),
  ],
  [
    'a reference of another form than ours',
    message({ ac_order_id: '1 or 1=1' }, '1007f535fa356235d231632e9b43df079f6d0c7ad1ceb9d2a6a89bd0d3eec3e8'),
  ],
  [
    'group separators in its amount',
    message({ ac_amount: '1,000.00' }, '2e4f7c104f4e5d1adf6a7fef5ea3e6876876842ae306c5d8f3cdd54da3c20ccf'),
  ],
  ['a repeated field', message({}, HASH, '&ac_order_id=7K3M9Q2XW4TB8ZNE')],
  ['no content', { raw: Buffer.from(''), headers: {} }],
];

for (const [words, webhook] of unproven) {
  test(`does not prove a message with ${words}`, () => {
    assert.deepEqual(proofOf(settings, currencies, webhook), { isProven: false });
  });
}
