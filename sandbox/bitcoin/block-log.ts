import { crc32 } from 'node:zlib';
import { AppendFile } from '../../server/platform/files/append-file.ts';

/** What a record holds: a raw block, a raw transaction that the mempool admitted, or one that was dropped for good. */
type RecordKind = 'block' | 'transaction' | 'dropped';

const KINDS: Readonly<Record<RecordKind, number>> = { block: 0x42, transaction: 0x54, dropped: 0x44 };
const HEAD = 5;
const TAIL = 4;

/**
 * An append-only file of blocks and transactions, in the order in which the chain met them. A record is one byte
 * of kind, four of length, the bytes, four of CRC-32 over all before (little endian). A kill in the middle of a write
 * leaves a torn last record: reading cuts it off.
 */
export class BlockLog {
  readonly #file: AppendFile;

  constructor(path: string) {
    this.#file = new AppendFile(path);
  }

  /** Reads every record; one that the end of the file cuts off is taken back. Throws where one before the end is damaged. */
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

  /** Appends one record. `sync` waits until the disk has it. */
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

/** Where the record at a position ends by its own length; behind the end of what is there for one that was cut off. */
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
