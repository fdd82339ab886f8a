// Pictures that people send us: PNG, JPEG or WebP by their bytes, and of those only what draws the picture. Notes, places,
// previews, profiles and whatever hides behind the end are left out; nothing is decoded here. Pure.
//
// PNG: W3C PNG (Third Edition) §5 · JPEG: ITU-T T.81 Annex B · WebP: RFC 9649 §2

import { crc32 } from 'node:zlib';
import { fieldProblem } from '@kurs/contract';

export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp';

/** A picture that is safe to show. */
export interface Picture {
  readonly type: PictureType;
  readonly bytes: Buffer;
}

/** Bytes of a picture as it is sent, at most. */
export const PICTURE_BYTES = 2 * 1024 * 1024;
/** Pixels a side: whoever shows it has to unpack it. */
const MOST_SIDE = 4_096;

/** What draws the picture, copied. Throws `validation` at `avatar` for what is no such picture, broken, or too large. */
export function cleanPicture(bytes: Buffer): Picture {
  const found = of('image/png', png, bytes) ?? of('image/jpeg', jpeg, bytes) ?? of('image/webp', webp, bytes);
  if (!found) throw fieldProblem('avatar', 'picture_format');
  return found;
}

type Size = readonly [width: number, height: number];
/** Copies the kept parts; undefined for another format, or what is broken. */
type Cleaner = (bytes: Buffer) => { readonly size: Size; readonly parts: readonly Buffer[] } | undefined;

function of(type: PictureType, clean: Cleaner, bytes: Buffer): Picture | undefined {
  const found = clean(bytes);
  if (!found) return undefined;
  if (found.size.some((side) => side < 1 || side > MOST_SIDE)) {
    throw fieldProblem('avatar', 'picture_sides', { most: String(MOST_SIDE) });
  }
  return { type, bytes: Buffer.concat(found.parts) };
}

const PNG_HEAD = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PNG_KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

function png(bytes: Buffer): ReturnType<Cleaner> {
  if (!bytes.subarray(0, 8).equals(PNG_HEAD)) return undefined;
  const parts: Buffer[] = [PNG_HEAD];
  let size: Size | undefined;
  let hasData = false;
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length || bytes.readUInt32BE(end - 4) !== crc32(bytes.subarray(at + 4, end - 4))) return undefined;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if ((type === 'IHDR') !== (at === 8) || (type === 'IHDR' && length !== 13)) return undefined;
    if (type === 'IHDR') size = [bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12)];
    hasData ||= type === 'IDAT';
    if (PNG_KEPT.has(type)) parts.push(bytes.subarray(at, end));
    if (type === 'IEND') return size && hasData ? { size, parts } : undefined;
    at = end;
  }
  return undefined;
}

/** Frames (baseline, extended, progressive), tables, restarts, the scan, and the two notes that say how colours are meant. */
const JPEG_FRAMES = new Set([0xc0, 0xc1, 0xc2]);
const JPEG_KEPT = new Set([...JPEG_FRAMES, 0xc4, 0xdb, 0xdd, 0xda]);
/**
 * Those two notes: what they begin with, and how many bytes of them are kept. Of JFIF all but its preview (ITU-T T.871 §10.1),
 * of Adobe's what it is (ITU-T T.872 §6.5.3). Others under the same marks may hold anything.
 */
const JPEG_NOTES: Readonly<Record<number, readonly [begins: string, bytes: number]>> = {
  0xe0: ['JFIF\0', 14],
  0xee: ['Adobe', 12],
};

function jpeg(bytes: Buffer): ReturnType<Cleaner> {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  const parts: Buffer[] = [bytes.subarray(0, 2)];
  let size: Size | undefined;
  for (let at = 2; at + 4 <= bytes.length || bytes.readUInt16BE(at) === 0xffd9;) {
    const marker = bytes[at + 1] as number;
    if (bytes[at] !== 0xff) return undefined;
    if (marker === 0xd9) return size && { size, parts: [...parts, bytes.subarray(at, at + 2)] };
    const length = bytes.readUInt16BE(at + 2);
    let end = at + 2 + length;
    if (length < 2 || end > bytes.length) return undefined;
    if (JPEG_FRAMES.has(marker)) {
      // A second frame could be drawn larger than the first one says.
      if (length < 8 || size) return undefined;
      size = [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
    }
    if (marker === 0xda) {
      end = endOfScan(bytes, end);
      if (end < 0) return undefined;
    }
    if (JPEG_KEPT.has(marker)) parts.push(bytes.subarray(at, end));
    else parts.push(...noteOf(marker, bytes.subarray(at + 4, end)));
    at = end;
    if (at + 2 > bytes.length) return undefined;
  }
  return undefined;
}

/** What is kept of a note: nothing of most. */
function noteOf(marker: number, body: Buffer): Buffer[] {
  const [begins, length] = JPEG_NOTES[marker] ?? ['', 0];
  if (length === 0 || body.length < length || !body.toString('latin1').startsWith(begins)) return [];
  const kept = Buffer.from(body.subarray(0, length));
  // No preview: none of its width and height.
  if (marker === 0xe0) kept.fill(0, 12);
  const head = Buffer.of(0xff, marker, 0, length + 2);
  return [head, kept];
}

/** Where the next marker stands behind a scan's data, in which FF00 is a byte and FFD0 to FFD7 are restarts; -1 for none. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] as number;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return -1;
}

/** Of the extended header's flags (RFC 9649 §2.7): that there is an alpha channel. Profile, Exif, XMP and animation are not kept. */
const ALPHA = 0x10;

function webp(bytes: Buffer): ReturnType<Cleaner> {
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    return undefined;
  const parts: Buffer[] = [];
  let size: Size | undefined;
  for (let at = 12; at + 8 <= bytes.length && size === undefined;) {
    const type = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length;
    if (end > bytes.length) return undefined;
    const body = bytes.subarray(at + 8, end);
    if (type === 'VP8 ' || type === 'VP8L') {
      size = type === 'VP8 ' ? lossySize(body) : losslessSize(body);
      if (!size) return undefined;
      parts.push(chunk(type, body));
    } else if (type === 'ALPH') parts.push(chunk(type, body));
    else if (type === 'VP8X' && length === 10)
      parts.push(chunk(type, Buffer.concat([Buffer.of((body[0] as number) & ALPHA), body.subarray(1)])));
    at = end + (length % 2);
  }
  if (!size) return undefined;
  const head = Buffer.from('RIFF    WEBP', 'latin1');
  head.writeUInt32LE(4 + parts.reduce((sum, { length }) => sum + length, 0), 4);
  return { size, parts: [head, ...parts] };
}

function chunk(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

/** RFC 6386 §9.1: the start code, then 14 bits each. */
const lossySize = (body: Buffer): Size | undefined =>
  body.length >= 10 && body.readUIntBE(3, 3) === 0x9d012a
    ? [body.readUInt16LE(6) & 0x3fff, body.readUInt16LE(8) & 0x3fff]
    : undefined;

/** RFC 9649 §3.4: the signature, then 14 bits each, less one. */
function losslessSize(body: Buffer): Size | undefined {
  if (body.length < 5 || body[0] !== 0x2f) return undefined;
  const bits = body.readUInt32LE(1);
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
}
