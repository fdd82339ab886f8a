import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import type { Receipt, ReceiptKey, ReceiptTerms } from '@kurs/contract/receipt';
import { checkReceipt } from './check.ts';
import { receiptFile } from './receipt-file.ts';

const pair = generateKeyPairSync('ed25519');
const raw = Buffer.from(pair.publicKey.export({ format: 'der', type: 'spki' })).subarray(-32);
const KEYS: ReceiptKey[] = [
  { key_id: 'older', algorithm: 'Ed25519', public_key: Buffer.alloc(32, 9).toString('base64url') },
  { key_id: 'own', algorithm: 'Ed25519', public_key: raw.toString('base64url') },
];
const TERMS = { type: 'kurs-receipt', version: 1, id: 'KX-1', get: { amount: '894.89', currency: 'USDT_ERC20' }, name: 'Курс' };

function made(terms: object = TERMS, keyId = 'own'): Receipt {
  const bytes = Buffer.from(JSON.stringify(terms));
  return {
    payload: bytes.toString('base64url'),
    signature: sign(null, bytes, pair.privateKey).toString('base64url'),
    key_id: keyId,
  };
}
const check = (receipt: unknown) => checkReceipt(typeof receipt === 'string' ? receipt : JSON.stringify(receipt), KEYS);

test('a receipt of this desk is valid as a file, as an order and as an API answer', async () => {
  const receipt = made();
  const good = { verdict: 'fits', terms: TERMS as unknown as ReceiptTerms, keyId: 'own' };
  assert.deepEqual(await check(receipt), good);
  assert.deepEqual(await check(`\n ${JSON.stringify(receipt, null, 2)}\n`), good);
  assert.deepEqual(await check({ id: 'KX-1', receipt }), good);
  assert.deepEqual(await check({ data: { id: 'KX-1', receipt } }), good);
  const { href, name } = receiptFile('KX-1', receipt);
  assert.equal(name, 'KX-1.json');
  assert.deepEqual(await check(await (await fetch(href)).text()), good);
});

test('a receipt with any changed character or another signature is not valid', async () => {
  const receipt = made();
  const forged = Buffer.from(JSON.stringify({ ...TERMS, get: { ...TERMS.get, amount: '994.89' } })).toString('base64url');
  assert.deepEqual(await check({ ...receipt, payload: forged }), { verdict: 'changed' });
  assert.deepEqual(await check({ ...receipt, signature: made({ type: 'other' }).signature }), { verdict: 'changed' });
  assert.deepEqual(await check({ ...receipt, signature: '' }), { verdict: 'changed' });
  assert.deepEqual(await check({ ...receipt, key_id: 'theirs' }), { verdict: 'stranger' });
  assert.deepEqual(await check({ ...receipt, payload: `${receipt.payload.slice(0, -2)}AA` }), { verdict: 'changed' });
});

test('other texts are reported as unreadable', async () => {
  const receipt = made();
  for (const text of [
    '',
    'KX-7F3Q-2M8C',
    'null',
    '[]',
    '{"payload":1,"signature":"a","key_id":"own"}',
    JSON.stringify({ ...receipt, payload: 'not base64!' }),
    JSON.stringify({ ...receipt, payload: 'A'.repeat(30_000) }),
    `"${'x'.repeat(300_000)}"`,
  ])
    assert.deepEqual(await check(text), { verdict: 'unreadable' }, text.slice(0, 40));
  // Signed by this desk, but no receipt.
  assert.deepEqual(await check(made({ type: 'invoice' })), { verdict: 'unreadable' });
});

test('a browser without Ed25519 says so, and never calls a receipt invalid', async () => {
  const listed = { key_id: 'own', algorithm: 'Ed25519', public_key: 'AAAA' } as const;
  await assert.rejects(checkReceipt(JSON.stringify(made()), [listed]), { name: 'CannotCheck' });
});
