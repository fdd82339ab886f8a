import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { Receipt, ReceiptKey, ReceiptTerms } from '@kurs/contract/receipt';

/** Signing key of the stub. Its private bytes are no secret. */
const KEY = createPrivateKey({
  key: Buffer.from(`302e020100300506032b657004220420${'07'.repeat(32)}`, 'hex'),
  format: 'der',
  type: 'pkcs8',
});
const PUBLIC = Buffer.from(createPublicKey(KEY).export({ format: 'der', type: 'spki' })).subarray(-32);

export const RECEIPT_KEYS: ReceiptKey[] = [
  { key_id: 'stub-key-0000001', algorithm: 'Ed25519', public_key: PUBLIC.toString('base64url') },
];

type Own = Pick<ReceiptTerms, 'kind' | 'id' | 'give' | 'get' | 'rate' | 'fees'> & Partial<ReceiptTerms>;

/** Returns the terms of the stub's orders and reviews, signed. */
export function stubReceipt(own: Own): Receipt {
  const terms: ReceiptTerms = {
    type: 'kurs-receipt',
    version: 1,
    issuer: { name: 'Kurs', url: 'https://kurs.example' },
    rates_version: '123456',
    exchanged: { amount: '0.00994089', currency: 'BTC' },
    limits: { min: '0.0006', max: '0.01087000' },
    reserve_held: true,
    policy_version: '1',
    rules: {
      late: { first_confirmation_minutes: 60, offer_seconds: 180, choose_hours: 72 },
      short: { goes_on_from: { amount: '0.00800000', currency: 'BTC' } },
      ...(own.kind === 'order' && { more: { up_to: { amount: '0.00020000', currency: 'BTC' } } }),
      refund: { costs: { amount: '0.00000911', currency: 'BTC' }, smallest: { amount: '0.00003', currency: 'BTC' } },
    },
    ...own,
  };
  const bytes = Buffer.from(JSON.stringify(terms));
  return {
    payload: bytes.toString('base64url'),
    signature: sign(null, bytes, KEY).toString('base64url'),
    key_id: RECEIPT_KEYS[0]?.key_id ?? '',
  };
}
