import { z } from 'zod';
import { route } from '../route.ts';

/** The signed terms of a review or an order (`ReceiptTerms`). */
export const receipt = z
  .object({
    payload: z.string().meta({ description: 'base64url of the signed bytes: the terms as JSON' }),
    signature: z.string().meta({ description: 'base64url of their Ed25519 signature' }),
    key_id: z.string().meta({ description: 'Id of the key in `/.well-known/kurs-receipt-keys.json` that signed' }),
  })
  .meta({ id: 'Receipt' });

export const receiptKeys = route({
  method: 'GET',
  path: '/calculation/receipt-keys',
  allows: 'public',
  tag: 'Calculation',
  summary: 'The public keys of receipts, including older ones; the same as /.well-known/kurs-receipt-keys.json',
  input: z.object({}),
  output: z.object({
    keys: z.array(
      z.object({
        key_id: z.string(),
        algorithm: z.literal('Ed25519'),
        public_key: z.string().meta({ description: 'base64url of its 32 bytes (RFC 8032)' }),
      }),
    ),
  }),
  problems: [],
});
