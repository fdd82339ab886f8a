// Only the visible image of an uploaded picture is stored.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '@kurs/contract';
import sharp from 'sharp';
import { type Picture, redrawPicture } from './picture.ts';

/** Decodes a picture and encodes it again, with sides of at most 512 pixels. */
const redrawn = (bytes: Buffer): Promise<Picture> => redrawPicture(bytes, { field: 'avatar', side: 512 });

const SECRET = 'SECRET <script>alert(1)</script>';
const exif = { IFD0: { ImageDescription: SECRET, Artist: SECRET }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '44/1 49/1 3/1' } };

/** Returns a picture with a red left and a blue right half. */
const halves = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'red' } }).composite([
    { input: { create: { width: width / 2, height, channels: 3, background: 'blue' } }, left: width / 2, top: 0 },
  ]);
const plain = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: 'red' } });

const refusedAs = async (bytes: Buffer, code: string, what = code): Promise<void> =>
  assert.rejects(
    redrawn(bytes),
    (error) => error instanceof Problem && JSON.stringify(error.details.errors).includes(code),
    what,
  );

/** Stores a picture. Returns the names of its file's parts, its size, and the colours at two points. */
async function stored(sent: Buffer) {
  const { type, bytes } = await redrawn(sent);
  assert.equal(type, 'image/webp');
  for (const text of ['SECRET', 'Exif', 'EXIF', 'ICCP', 'XMP ', 'GPS']) assert.ok(!bytes.includes(text), text);
  assert.equal(bytes.readUInt32LE(4) + 8, bytes.length, 'nothing hangs behind the end');
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const colourAt = (x: number, y: number) => {
    const at = (y * info.width + x) * info.channels;
    return (data[at] as number) > 128 ? 'red' : (data[at + 2] as number) > 128 ? 'blue' : 'dark';
  };
  return { sides: [info.width, info.height], first: colourAt(0, 0), last: colourAt(info.width - 1, info.height - 1) };
}

test('a PNG, a JPEG and a WebP are drawn anew, and lose their places, their notes and what hangs behind their end', async () => {
  const noted = () =>
    halves(40, 20).withExif(exif).withIccProfile('p3').withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${SECRET}</x:xmpmeta>`);
  for (const sent of await Promise.all([noted().png().toBuffer(), noted().jpeg().toBuffer(), noted().webp().toBuffer()])) {
    assert.ok(sent.includes('SECRET'), 'it was there');
    assert.deepEqual(await stored(sent), { sides: [40, 20], first: 'red', last: 'blue' });
    const second = Buffer.concat([sent, Buffer.from(`<html>${SECRET}</html>`), Buffer.from('%PDF-1.7\n%%EOF')]);
    assert.deepEqual(await stored(second), { sides: [40, 20], first: 'red', last: 'blue' }, 'a page and a document behind it');
  }
});

test('it is shown the right way up, and no larger than it has to be', async () => {
  const turned = await halves(40, 20).withMetadata({ orientation: 3 }).jpeg().toBuffer();
  assert.deepEqual(await stored(turned), { sides: [40, 20], first: 'blue', last: 'red' });
  const upright = await halves(40, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  assert.deepEqual((await stored(upright)).sides, [20, 40]);
  const large = await plain(4_096, 2_048).png().toBuffer();
  assert.deepEqual((await stored(large)).sides, [512, 256]);
});

test('makes a square with transparent margins of a picture of any form', async () => {
  for (const [width, height] of [
    [40, 20],
    [20, 40],
    [600, 600],
  ] as const) {
    const { bytes } = await redrawPicture(await plain(width, height).png().toBuffer(), {
      field: 'mark',
      side: 256,
      isSquare: true,
    });
    const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    assert.deepEqual([info.width, info.height], [256, 256]);
    const alphaAt = (x: number, y: number): number => data[(y * 256 + x) * 4 + 3] as number;
    assert.equal(alphaAt(128, 128), 255);
    assert.equal(alphaAt(0, 0), width === height ? 255 : 0);
  }
  await assert.rejects(redrawPicture(Buffer.from('x'), { field: 'mark', side: 256 }), (error) => {
    assert.ok(error instanceof Problem);
    return Object.keys(error.details.errors ?? {}).join() === 'mark';
  });
});

test('keeps the first frame of an animation', async () => {
  const frames = await Promise.all(
    ['red', 'blue'].map(async (background) =>
      sharp({ create: { width: 20, height: 20, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const moving = await sharp(frames, { join: { animated: true } })
    .webp({ loop: 0, delay: [100, 100] })
    .toBuffer();
  assert.ok(moving.includes('ANMF'));
  assert.deepEqual(await stored(moving), { sides: [20, 20], first: 'red', last: 'red' });
});

test('refuses a picture that would unpack to a huge image before unpacking it', async () => {
  for (const [width, height] of [
    [4_097, 16],
    [16, 4_097],
  ] as const)
    await refusedAs(await plain(width, height).png().toBuffer(), 'picture_sides');
  const flood = await plain(9_000, 9_000).png({ palette: true }).toBuffer();
  assert.ok(flood.length < 100_000);
  const before = process.memoryUsage.rss();
  await refusedAs(flood, 'picture_sides');
  assert.ok(process.memoryUsage.rss() - before < 50_000_000);
  await refusedAs(await plain(16_000, 8).webp().toBuffer(), 'picture_sides');
});

test('refuses a broken or truncated picture', async () => {
  const png = await halves(64, 64).png().toBuffer();
  const flipped = (at: number) => Buffer.from(png.map((byte, index) => (index === at ? byte ^ 1 : byte)));
  await refusedAs(flipped(29), 'picture_format', 'the sum of the head');
  await refusedAs(flipped(png.indexOf('IDAT') + 12), 'picture_format', 'the lines');
  await refusedAs(png.subarray(0, -20), 'picture_format', 'a PNG without its end');
  const jpeg = await halves(64, 64).jpeg().toBuffer();
  await refusedAs(jpeg.subarray(0, jpeg.length / 2), 'picture_format', 'half a JPEG');
  const webp = await halves(64, 64).webp({ lossless: true }).toBuffer();
  await refusedAs(webp.subarray(0, webp.length - 10), 'picture_format', 'a WebP without its end');
  // A header that promises more data than there is.
  const promising = Buffer.from(png);
  promising.writeUInt32BE(4_000, 16);
  await refusedAs(promising, 'picture_format');
  assert.equal((await redrawn(jpeg)).type, 'image/webp', 'the next one is not held up');
});

test('refuses any other format, whatever its name', async () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>`;
  const others = [svg, `<?xml version="1.0"?>${svg}`, '<!doctype html>', '%PDF-1.7\n%%EOF', ''];
  for (const text of others) await refusedAs(Buffer.from(text), 'picture_format', text);
  for (const format of ['gif', 'tiff', 'avif'] as const)
    await refusedAs(await plain(8, 8).toFormat(format).toBuffer(), 'picture_format', format);
  // SVG after the first bytes of a picture.
  for (const head of ['89504e470d0a1a0a', 'ffd8ffe0'])
    await refusedAs(Buffer.concat([Buffer.from(head, 'hex'), Buffer.from(svg)]), 'picture_format', head);
});

test('the library itself can read no other format', async () => {
  await redrawn(await plain(8, 8).png().toBuffer());
  for (const format of ['gif', 'tiff', 'avif'] as const)
    await assert.rejects(sharp(await plain(8, 8).toFormat(format).toBuffer()).metadata(), /unsupported/, format);
  await assert.rejects(sharp(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')).metadata());
});
