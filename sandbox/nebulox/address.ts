import { createHash, randomBytes } from 'node:crypto';

/** First byte of an address of a key's hash (P2PKH), by coin. */
const PREFIX: Readonly<Record<string, number>> = { LTC: 0x30, DOGE: 0x1e };
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** Returns an address in a coin's form (base58check), for which no key exists. */
export function freshAddress(coin: string): string {
  const body = Buffer.concat([Buffer.from([PREFIX[coin] ?? 0]), randomBytes(20)]);
  const bytes = Buffer.concat([body, sha256(sha256(body)).subarray(0, 4)]);
  let left = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (; left > 0n; left /= 58n) text = `${ALPHABET[Number(left % 58n)]}${text}`;
  return text;
}
