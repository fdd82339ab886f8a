// Writes a ZIP archive (PKWARE APPNOTE 6.3) while its files arrive. No file is held in memory, since the format allows size and
// checksum to follow the data.

import { Readable, pipeline } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

/** A file of an archive: its path, and its text in pieces. */
export interface ZipFile {
  readonly path: string;
  readonly text: AsyncIterable<string> | Iterable<string>;
}

/** Maximum size of a file and of the archive, in bytes: the format stores sizes in four bytes. No export needs more. */
const MAX_BYTES = 2 ** 32 - 1;
const VERSION = 20;
/** Flags of a file. Bit 3: its sizes follow the data. Bit 11: its path is UTF-8. */
const FLAGS = 0x0808;
const DEFLATED = 8;
/** Date of all files: 1 January 1980, the first date of the format. */
const NO_DATE = 0x21;

interface Written {
  readonly path: Buffer;
  readonly offset: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
}

/**
 * Yields an archive in pieces. Throws a `RangeError` if the archive grows above 4 GB, and any error that reading a file's text
 * throws.
 */
export async function* zip(files: AsyncIterable<ZipFile> | Iterable<ZipFile>): AsyncGenerator<Buffer> {
  const written: Written[] = [];
  let offset = 0;
  for await (const { path, text } of files) {
    const name = Buffer.from(path);
    const head = fields([4, 0x04034b50], ...common({ crc: 0, packed: 0, size: 0 }, name));
    yield Buffer.concat([head, name]);
    const sums = { crc: 0, packed: 0, size: 0 };
    for await (const piece of deflated(text, sums)) {
      sums.packed += piece.length;
      yield piece;
    }
    const tail = fields([4, 0x08074b50], [4, sums.crc], [4, sums.packed], [4, sums.size]);
    yield tail;
    written.push({ path: name, offset, ...sums });
    offset += head.length + name.length + sums.packed + tail.length;
    if (sums.size > MAX_BYTES || offset > MAX_BYTES) throw new RangeError('The archive is above 4 GB');
  }
  yield directory(written, offset);
}

async function* deflated(text: ZipFile['text'], sums: { crc: number; size: number }): AsyncGenerator<Buffer> {
  const bytes = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of text) {
      const chunk = Buffer.from(piece);
      sums.crc = crc32(chunk, sums.crc);
      sums.size += chunk.length;
      yield chunk;
    }
  };
  // If reading the text fails, the stream is destroyed, and the loop below throws the error.
  const packed = pipeline(Readable.from(bytes(), { highWaterMark: 2 }), createDeflateRaw({ level: 4 }), () => undefined);
  for await (const chunk of packed) yield chunk as Buffer;
}

const common = ({ crc, packed, size }: { crc: number; packed: number; size: number }, path: Buffer): [number, number][] => [
  ...([
    [2, VERSION],
    [2, FLAGS],
    [2, DEFLATED],
    [2, 0],
    [2, NO_DATE],
  ] satisfies [number, number][]),
  ...([
    [4, crc],
    [4, packed],
    [4, size],
    [2, path.length],
    [2, 0],
  ] satisfies [number, number][]),
];

function directory(files: readonly Written[], offset: number): Buffer {
  const entries = files.map((file) =>
    Buffer.concat([
      fields([4, 0x02014b50], [2, VERSION], ...common(file, file.path), [2, 0], [2, 0], [2, 0], [4, 0], [4, file.offset]),
      file.path,
    ]),
  );
  const size = entries.reduce((sum, { length }) => sum + length, 0);
  const count = files.length;
  const end = fields([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, offset], [2, 0]);
  return Buffer.concat([...entries, end]);
}

/** Returns the given numbers, in two or four little-endian bytes each. */
function fields(...numbers: readonly (readonly [bytes: number, value: number])[]): Buffer {
  const buffer = Buffer.alloc(numbers.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of numbers) at = buffer.writeUIntLE(value, at, bytes);
  return buffer;
}
