// Gzip (RFC 1952, RFC 1951) of a page in pieces. A piece that comes again, as a page's CSS does, is compressed once and
// as well as can be; the rest of a page lightly, for its one reader. Together that is quicker than any compression of
// the whole, and smaller.

import { constants, crc32, deflateRawSync } from 'node:zlib';

/** No name, no time, any system. */
const HEAD = Buffer.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);
/** A last block with nothing in it. */
const END = Buffer.of(3, 0);
/** Bytes that cost more to compress than they would save. */
const SHORT = 1_000;
/** With little memory: pieces are short, and to get memory costs more than to compress them. */
const LIGHT = { level: 1, windowBits: 13, memLevel: 6 } as const;
const BEST = { level: 9 } as const;

const seen = new WeakSet<Uint8Array>();
const kept = new WeakMap<Uint8Array, Uint8Array>();

/** The whole, as one gzip member. A piece that is the same object as one before is taken for unchanged. */
export function gzipPieces(pieces: readonly Uint8Array[]): Buffer {
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(pieces.reduce((sum, piece) => crc32(piece, sum), 0));
  tail.writeUInt32LE(pieces.reduce((sum, piece) => sum + piece.length, 0) >>> 0, 4);
  return Buffer.concat([HEAD, ...pieces.map(blocksOf), END, tail]);
}

/** A piece as blocks that end at a byte and refer to nothing before them. */
function blocksOf(piece: Uint8Array): Uint8Array {
  const known = kept.get(piece);
  if (known) return known;
  if (piece.length < SHORT) return stored(piece);
  const again = seen.has(piece);
  const blocks = deflateRawSync(piece, { ...(again ? BEST : LIGHT), finishFlush: constants.Z_SYNC_FLUSH });
  if (again) kept.set(piece, blocks);
  else seen.add(piece);
  return blocks;
}

/** One block as it is, its length said twice. */
function stored(piece: Uint8Array): Uint8Array {
  const head = Buffer.alloc(5);
  head.writeUInt16LE(piece.length, 1);
  head.writeUInt16LE(~piece.length & 0xffff, 3);
  return Buffer.concat([head, piece]);
}
