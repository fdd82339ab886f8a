// Computes the prize of a draw, for the desk and for anyone who checks the draw. This module has no schemas, since browsers load
// it too.
//
// The desk commits to a seed by its hash, and the browser adds a text of its own. Seed and text together give a number, and the
// table of prizes says what the number wins. With the seed anyone can repeat the calculation afterwards.

/** A prize in USD as decimal text, and the count of numbers that win it. */
export interface PrizeRow {
  readonly prize: string;
  readonly weight: number;
}

/** Count of all numbers, which the weights of a table add up to. */
export const NUMBERS = 1_000_000;

/** Returns the text whose MAC under the seed decides a draw. */
export const drawText = (clientSeed: string, id: string): string => `${clientSeed}:${id}`;

/**
 * Returns the number of a draw, 0 to 999 999: the first 52 bits of the MAC (HMAC-SHA256 under the seed, RFC 2104), scaled to the
 * count of numbers.
 */
export function numberOf(mac: Uint8Array): number {
  let bits = 0n;
  for (const byte of mac.subarray(0, 7)) bits = (bits << 8n) | BigInt(byte);
  return Number(((bits >> 4n) * BigInt(NUMBERS)) >> 52n);
}

/**
 * Returns the prize of a number: the prize of the first row for which the weights up to and including it add up to more than
 * the number. Throws RangeError if there is no such row.
 */
export function prizeAt(table: readonly PrizeRow[], number: number): string {
  let upTo = 0;
  for (const { prize, weight } of table) {
    upTo += weight;
    if (number < upTo) return prize;
  }
  throw new RangeError(`No prize stands at ${number}`);
}

/** A completed draw with all data for its check. */
export interface MadeDraw {
  readonly id: string;
  /** SHA-256 of the seed in hex, published before the client seed was known. */
  readonly commit: string;
  /** The desk's seed, in hex. */
  readonly seed: string;
  readonly clientSeed: string;
  readonly table: readonly PrizeRow[];
  readonly prize: string;
}

/** Result of checking a draw. */
export interface DrawChecked {
  /** True if the seed matches the commitment. */
  readonly isCommitted: boolean;
  readonly number: number;
  readonly prize: string;
  /** True if the seed matches and gives this prize. */
  readonly isRight: boolean;
}

/** Checks a draw with WebCrypto, in a browser or on a server. */
export async function checkDraw({ id, commit, seed, clientSeed, table, prize }: MadeDraw): Promise<DrawChecked> {
  const { subtle } = globalThis.crypto;
  const secret = bytesOf(seed);
  const [hash, key] = await Promise.all([
    subtle.digest('SHA-256', secret),
    subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']),
  ]);
  const mac = await subtle.sign('HMAC', key, new TextEncoder().encode(drawText(clientSeed, id)));
  const number = numberOf(new Uint8Array(mac));
  const wins = prizeAt(table, number);
  const isCommitted = hexOf(new Uint8Array(hash)) === commit;
  return { isCommitted, number, prize: wins, isRight: isCommitted && wins === prize };
}

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

export const hexOf = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
