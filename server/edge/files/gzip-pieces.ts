// Gzip (RFC 1952, RFC 1951) of a page in pieces. A piece that comes again, as a page's CSS does, is compressed once and
// as well as can be; the rest of a page lightly, for its one reader. Together that is quicker than any compression of
// the whole, and smaller.

import { constants, crc32, deflateRawSync } from 'node:zlib';

/** No name, no time, any system. */
const HEAD = Buffer.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);
/** A last block with nothing in it. */
const END = Buffer.of(3, 0);
/** So few bytes cost more to compress for one reader than they would save. */
const SHORT = 1_000;
/** Fewer are not worth the looking whether they come again. */
const SHORTEST = 200;
/** With little memory: pieces are short, and to get memory costs more than to compress them. */
const LIGHT = { level: 1, windowBits: 13, memLevel: 6 } as const;
const BEST = { level: 9 } as const;

/** A piece that came again: its compressed bytes and their effect on a checksum. */
interface Kept {
  readonly blocks: Uint8Array;
  readonly checksum: number;
  readonly shift: number;
}

const seen = new WeakSet<Uint8Array>();
const kept = new WeakMap<Uint8Array, Kept>();

/** The whole, as one gzip member. A piece that is the same object as one before is taken for unchanged. */
export function gzipPieces(pieces: readonly Uint8Array[]): Buffer {
  const tail = Buffer.alloc(8);
  const blocks: Uint8Array[] = [HEAD];
  let [checksum, length] = [0, 0];
  for (const piece of pieces) {
    const known = kept.get(piece) ?? keepAgain(piece);
    blocks.push(known?.blocks ?? (piece.length < SHORT ? stored(piece) : blocksOf(piece, LIGHT)));
    checksum = known ? product(known.shift, checksum) ^ known.checksum : crc32(piece, checksum >>> 0);
    length += piece.length;
  }
  tail.writeUInt32LE(checksum >>> 0);
  tail.writeUInt32LE(length >>> 0, 4);
  return Buffer.concat([...blocks, END, tail]);
}

/** Undefined for a piece that comes for the first time or is too short to keep. */
function keepAgain(piece: Uint8Array): Kept | undefined {
  if (piece.length < SHORTEST) return undefined;
  if (!seen.has(piece)) return void seen.add(piece);
  const found = { blocks: blocksOf(piece, BEST), checksum: crc32(piece), shift: shiftOf(piece.length) };
  kept.set(piece, found);
  return found;
}

/** Blocks that end at a byte and refer to nothing before them. */
const blocksOf = (piece: Uint8Array, options: typeof LIGHT | typeof BEST): Uint8Array =>
  deflateRawSync(piece, { ...options, finishFlush: constants.Z_SYNC_FLUSH });

/** The polynomial of RFC 1952's checksum and the number one, as the checksum has them: the highest bit is of power 0. */
const POLYNOMIAL = 0xedb88320;
const ONE = 0x80000000;

/** Two polynomials over GF(2) multiplied, modulo the checksum's. */
function product(one: number, other: number): number {
  let [sum, shifted] = [0, other];
  for (let bit = 31; bit >= 0; bit -= 1) {
    if ((one >>> bit) & 1) sum ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ POLYNOMIAL : shifted >>> 1;
  }
  return sum;
}

/**
 * x to the power of 8 × length. With that of the second of two texts, the checksum of both is
 * `product(shift, first) ^ second`, as in zlib's `crc32_combine`.
 */
function shiftOf(length: number): number {
  let [power, square] = [ONE, 1 << 23];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) power = product(power, square);
    square = product(square, square);
  }
  return power;
}

/** One block as it is, its length said twice. */
function stored(piece: Uint8Array): Uint8Array {
  const head = Buffer.alloc(5);
  head.writeUInt16LE(piece.length, 1);
  head.writeUInt16LE(~piece.length & 0xffff, 3);
  return Buffer.concat([head, piece]);
}
