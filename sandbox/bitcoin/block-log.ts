import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** What a record holds: a raw block, a raw transaction that the mempool admitted, or one that was dropped for good. */
type RecordKind = 'block' | 'transaction' | 'dropped';

const KINDS: Readonly<Record<RecordKind, number>> = { block: 0x42, transaction: 0x54, dropped: 0x44 };
const HEAD = 5;
const TAIL = 4;

/**
 * An append-only file of blocks and transactions, in the order in which the chain met them. A record is one byte
 * of kind, four of length, the bytes, four of CRC-32 over all before (little endian). A kill in the middle of a write
 * leaves a torn last record: opening cuts it off.
 */
export class BlockLog {
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, 'a+', 0o600);
  }

  /** Reads every whole record; whatever follows the last whole one is cut off. */
  *read(): Generator<{ readonly kind: RecordKind; readonly raw: Buffer }> {
    const bytes = this.#readAll();
    let position = 0;
    while (position < bytes.length) {
      const record = recordAt(bytes, position);
      if (!record) break;
      yield record;
      position += HEAD + record.raw.length + TAIL;
    }
    if (position < bytes.length) ftruncateSync(this.#file, position);
  }

  /** Appends one record. `sync` waits until the disk has it. */
  append(kind: RecordKind, raw: Buffer, sync: boolean): void {
    const record = Buffer.alloc(HEAD + raw.length + TAIL);
    record.writeUInt8(KINDS[kind], 0);
    record.writeUInt32LE(raw.length, 1);
    raw.copy(record, HEAD);
    record.writeUInt32LE(crc32(record.subarray(0, HEAD + raw.length)), HEAD + raw.length);
    writeSync(this.#file, record);
    if (sync) this.sync();
  }

  sync(): void {
    fsyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }

  #readAll(): Buffer {
    const { size } = fstatSync(this.#file);
    const bytes = Buffer.alloc(size);
    let read = 0;
    while (read < size) {
      const count = readSync(this.#file, bytes, read, size - read, read);
      if (count === 0) break;
      read += count;
    }
    return bytes.subarray(0, read);
  }
}

function recordAt(bytes: Buffer, position: number): { kind: RecordKind; raw: Buffer } | undefined {
  if (position + HEAD > bytes.length) return undefined;
  const kind = (Object.keys(KINDS) as RecordKind[]).find((name) => KINDS[name] === bytes[position]);
  const end = position + HEAD + bytes.readUInt32LE(position + 1);
  if (!kind || end + TAIL > bytes.length) return undefined;
  if (crc32(bytes.subarray(position, end)) !== bytes.readUInt32LE(end)) return undefined;
  return { kind, raw: bytes.subarray(position + HEAD, end) };
}
