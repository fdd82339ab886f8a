// Of a picture that is sent nothing stays but what draws it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import { Problem } from '@kurs/contract';
import { cleanPicture } from './picture.ts';

const SECRET = 'GPS 44.8176 20.4633 <script>alert(1)</script>';
const refusedAs = (bytes: Buffer, code: string): void =>
  assert.throws(
    () => cleanPicture(bytes),
    (error) => error instanceof Problem && JSON.stringify(error.details.errors).includes(code),
  );
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const pngChunk = (type: string, body: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  return Buffer.concat([u32(body.length), named, u32(crc32(named))]);
};
const pngOf = ([width, height]: [number, number], ...more: Buffer[]): Buffer =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', Buffer.concat([u32(width), u32(height), Buffer.of(8, 2, 0, 0, 0)])),
    ...more,
    pngChunk('IDAT', deflateSync(Buffer.alloc(height * (1 + 3 * width)))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);

test('a PNG keeps its lines and loses its notes, its places and what hangs behind its end', () => {
  const plain = pngOf([2, 2]);
  const noted = Buffer.concat([
    pngOf([2, 2], pngChunk('tEXt', Buffer.from(SECRET)), pngChunk('eXIf', Buffer.from(SECRET))),
    Buffer.from(SECRET),
  ]);
  assert.deepEqual(cleanPicture(noted), { type: 'image/png', bytes: plain });
  refusedAs(pngOf([4097, 1]), 'picture_sides');
  const broken = Buffer.from(plain);
  broken[20] = (broken[20] as number) ^ 1;
  refusedAs(broken, 'picture_format');
  refusedAs(plain.subarray(0, -6), 'picture_format');
});

const segment = (marker: number, body: Buffer): Buffer => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(body.length + 2);
  return Buffer.concat([Buffer.of(0xff, marker), length, body]);
};
const jpegOf = ([width, height]: [number, number], ...more: Buffer[]): Buffer =>
  Buffer.concat([
    Buffer.of(0xff, 0xd8),
    ...more,
    segment(0xdb, Buffer.alloc(65)),
    segment(0xc0, Buffer.concat([Buffer.of(8, height >> 8, height & 255, width >> 8, width & 255, 1), Buffer.alloc(3)])),
    segment(0xda, Buffer.alloc(4)),
    Buffer.of(1, 2, 0xff, 0, 3, 0xff, 0xd0, 4),
    Buffer.of(0xff, 0xd9),
  ]);

test('a JPEG keeps its scans and loses its Exif, its comments and what hangs behind its end', () => {
  const noted = jpegOf([20, 10], segment(0xe1, Buffer.from(`Exif\0\0${SECRET}`)), segment(0xfe, Buffer.from(SECRET)));
  const cleaned = cleanPicture(Buffer.concat([noted, Buffer.from(SECRET)]));
  assert.deepEqual(cleaned, { type: 'image/jpeg', bytes: jpegOf([20, 10]) });
  refusedAs(jpegOf([20, 5000]), 'picture_sides');
  refusedAs(jpegOf([20, 10]).subarray(0, -2), 'picture_format');
  refusedAs(Buffer.from([0xff, 0xd8, 0xff, 0xd9]), 'picture_format');
});

test('of a JPEG’s notes only what they are for is kept: no preview, nothing that hides under their marks', () => {
  const jfif = (thumbnail: Buffer): Buffer =>
    segment(0xe0, Buffer.concat([Buffer.from('JFIF\0\x01\x02\0\0\x01\0\x01', 'latin1'), thumbnail]));
  const [bare, withPreview] = [jfif(Buffer.of(0, 0)), jfif(Buffer.concat([Buffer.of(1, 1), Buffer.from(SECRET)]))];
  const adobe = segment(0xee, Buffer.from('Adobe\0d\0\0\0\0\x01', 'latin1'));
  const given = [withPreview, adobe, segment(0xe0, Buffer.from(`JFXX\0${SECRET}`)), segment(0xee, Buffer.from(SECRET))];
  assert.deepEqual(cleanPicture(jpegOf([20, 10], ...given)).bytes, jpegOf([20, 10], bare, adobe));
  const frame = segment(0xc0, Buffer.concat([Buffer.of(8, 0x20, 0, 0x20, 0, 1), Buffer.alloc(3)]));
  refusedAs(jpegOf([20, 10], frame), 'picture_format');
});

const riff = (...chunks: [string, Buffer][]): Buffer => {
  const body = Buffer.concat(
    chunks.map(([type, bytes]) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return Buffer.concat([Buffer.from(type, 'latin1'), length, bytes, Buffer.alloc(bytes.length % 2)]);
    }),
  );
  const head = Buffer.from('RIFF    WEBP', 'latin1');
  head.writeUInt32LE(body.length + 4, 4);
  return Buffer.concat([head, body]);
};
const losslessOf = (width: number, height: number): [string, Buffer] => {
  const bytes = Buffer.alloc(9);
  bytes[0] = 0x2f;
  bytes.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 1);
  return ['VP8L', bytes];
};

test('a WebP keeps its picture and loses its Exif, its profile and what hangs behind its end', () => {
  const extended = (flags: number): [string, Buffer] => ['VP8X', Buffer.of(flags, 0, 0, 0, 19, 0, 0, 9, 0, 0)];
  const noted = riff(extended(0x3c), ['ICCP', Buffer.from(SECRET)], losslessOf(20, 10), ['EXIF', Buffer.from(SECRET)]);
  const cleaned = cleanPicture(Buffer.concat([noted, Buffer.from(SECRET)]));
  assert.deepEqual(cleaned, { type: 'image/webp', bytes: riff(extended(0x10), losslessOf(20, 10)) });
  const before = riff(extended(0x3c), ['EXIF', Buffer.from(SECRET)], ['XMP ', Buffer.from(SECRET)], losslessOf(20, 10));
  assert.deepEqual(cleanPicture(before).bytes, cleaned.bytes);
  refusedAs(riff(losslessOf(16_000, 10)), 'picture_sides');
  refusedAs(riff(['ANIM', Buffer.alloc(6)], ['ANMF', Buffer.alloc(40)]), 'picture_format');
});

test('what is none of these is refused, whatever it is called', () => {
  for (const text of [`<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>`, 'GIF89a', '<!doctype html>', ''])
    refusedAs(Buffer.from(text), 'picture_format');
  // A drawing behind the first bytes of a picture.
  refusedAs(Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('<svg onload=alert(1)>')]), 'picture_format');
});
