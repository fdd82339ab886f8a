import { crc32 } from 'node:zlib';
import { AppendFile } from '../../server/platform/files/append-file.ts';

/** Kind of a record: a raw block, a raw transaction that the mempool admitted, or one that was dropped permanently. */
type RecordKind = 'block' | 'transaction' | 'dropped';

const KINDS: Readonly<Record<RecordKind, number>> = { block: 0x42, transaction: 0x54, dropped: 0x44 };
const HEAD = 5;
const TAIL = 4;

/**
 * Append-only file of blocks and transactions in the order in which the chain accepted them. A record is one byte of kind, four
 * bytes of length, the content, and four bytes of CRC-32 over all of these (little endian). A kill during a write leaves an
 * incomplete last record, which reading removes.
 */
export class BlockLog {
  readonly #file: AppendFile;

  constructor(path: string) {
    this.#file = new AppendFile(path);
  }

  /** Reads all records and removes an incomplete last one. Throws if an earlier record is damaged. */
  *read(): Generator<{ readonly kind: RecordKind; readonly raw: Buffer }> {
    const bytes = this.#file.bytes();
    let position = 0;
    while (position < bytes.length) {
      const record = recordAt(bytes, position);
      if (!record) break;
      yield record;
      position += HEAD + record.raw.length + TAIL;
    }
    if (position === bytes.length) return;
    if (endOf(bytes, position) < bytes.length) throw new Error(`The record at byte ${position} of the chain is damaged`);
    this.#file.cutBack(position);
  }

  /** Appends one record. With `sync`, waits until it is on the disk. */
  append(kind: RecordKind, raw: Buffer, sync: boolean): void {
    const record = Buffer.alloc(HEAD + raw.length + TAIL);
    record.writeUInt8(KINDS[kind], 0);
    record.writeUInt32LE(raw.length, 1);
    raw.copy(record, HEAD);
    record.writeUInt32LE(crc32(record.subarray(0, HEAD + raw.length)), HEAD + raw.length);
    this.#file.append(record, { lasting: sync });
  }

  sync(): void {
    this.#file.sync();
  }

  close(): void {
    this.#file.close();
  }
}

/** Returns the end of the record at a position, by its length; beyond the file's end if the record is incomplete. */
const endOf = (bytes: Buffer, position: number): number =>
  position + HEAD > bytes.length ? Infinity : position + HEAD + bytes.readUInt32LE(position + 1) + TAIL;

function recordAt(bytes: Buffer, position: number): { kind: RecordKind; raw: Buffer } | undefined {
  if (position + HEAD > bytes.length) return undefined;
  const kind = (Object.keys(KINDS) as RecordKind[]).find((name) => KINDS[name] === bytes[position]);
  const end = position + HEAD + bytes.readUInt32LE(position + 1);
  if (!kind || end + TAIL > bytes.length) return undefined;
  if (crc32(bytes.subarray(position, end)) !== bytes.readUInt32LE(end)) return undefined;
  return { kind, raw: bytes.subarray(position + HEAD, end) };
}
