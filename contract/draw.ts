// The draw of a prize, as the desk makes it and as anyone checks it. No schema comes with it: a browser reads it too.
//
// The desk commits to a seed by its hash; the browser adds a text of its own; both together give a number, and the table of prizes
// says what that number wins. With the seed anyone repeats all of it afterwards.

/** One prize: what it is worth, in USD as decimal text, and how many numbers win it. */
export interface PrizeRow {
  readonly prize: string;
  readonly weight: number;
}

/** How many numbers there are; the weights of a table come to it. */
export const NUMBERS = 1_000_000;

/** The text under which a seed makes the MAC of a draw. */
export const drawText = (clientSeed: string, id: string): string => `${clientSeed}:${id}`;

/**
 * The number of a draw by its MAC (HMAC-SHA256 under the seed, RFC 2104): its first 52 bits, as a share of all that there are,
 * of the numbers from 0 to 999 999.
 */
export function numberOf(mac: Uint8Array): number {
  let bits = 0n;
  for (const byte of mac.subarray(0, 7)) bits = (bits << 8n) | BigInt(byte);
  return Number(((bits >> 4n) * BigInt(NUMBERS)) >> 52n);
}

/** What a number wins: the first row up to which the weights come to more than the number. Throws for a table that ends before. */
export function prizeAt(table: readonly PrizeRow[], number: number): string {
  let upTo = 0;
  for (const { prize, weight } of table) {
    upTo += weight;
    if (number < upTo) return prize;
  }
  throw new RangeError(`No prize stands at ${number}`);
}

/** A draw as it was made, with all that its check needs. */
export interface MadeDraw {
  readonly id: string;
  /** SHA-256 of the seed, said before the client seed was known; both in hex. */
  readonly commit: string;
  readonly seed: string;
  readonly clientSeed: string;
  readonly table: readonly PrizeRow[];
  readonly prize: string;
}

/** What the check of a draw finds: whether the seed is the one that was committed to, which number came, and what it wins. */
export interface DrawChecked {
  readonly isCommitted: boolean;
  readonly number: number;
  readonly prize: string;
  /** The seed is the one, and the prize is what it gives. */
  readonly isRight: boolean;
}

/** Checks a draw by WebCrypto, in a browser as on a server. */
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
