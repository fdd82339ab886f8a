import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '@kurs/contract';
import { Readable } from 'node:stream';
import { LARGEST_FORM, readForm, receiveForm, requireTakesFiles } from './site-forms.ts';

const refused = (error: unknown): boolean => error instanceof Problem && error.code === 'unsupported_media_type';

/** Yields bytes in pieces, as they arrive on a connection. */
function* inPieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

async function sent(fill: (form: FormData) => void): Promise<Awaited<ReturnType<typeof readForm>>> {
  const form = new FormData();
  fill(form);
  const request = new Response(form);
  const bytes = Buffer.from(await request.arrayBuffer());
  return readForm(request.headers.get('content-type') ?? '', await receiveForm(Readable.from(inPieces(bytes))));
}

test('reads fields as in a form without files, and files byte for byte', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
  const { body, files } = await sent((form) => {
    form.set('text', 'Где «платёж» & когда?\n2 = 2');
    form.set('files', new File([bytes], 'чек.png'));
    // A browser sends this for an empty file field.
    form.append('other', new File([], ''));
  });
  assert.equal(
    new URLSearchParams(body).get('text'),
    'Где «платёж» & когда?\r\n2 = 2'.replace('\r', body.includes('%0D') ? '\r' : ''),
  );
  assert.deepEqual(
    files.map(({ name, data }) => [name, Buffer.from(data, 'base64').equals(bytes)]),
    [['чек.png', true]],
  );
});

test('refuses bodies that are no such form, and forms for all other pages', async () => {
  await assert.rejects(readForm('multipart/form-data', { bytes: Buffer.from('x'), isWhole: true }), refused);
  await assert.rejects(
    readForm('multipart/form-data; boundary=a', { bytes: Buffer.from('--b\r\n\r\nx'), isWhole: true }),
    refused,
  );
  for (const url of ['/En/contact-us', '/Ru/contact-us?order=KX', '/En/contact-us/ticket?id=1']) requireTakesFiles(url);
  for (const url of ['/En', '/En/order?id=1', '/contact-us', '/En/contact-us/else', '/api/v1/support/tickets'])
    assert.throws(() => requireTakesFiles(url), refused, url);
});

test('returns the typed text of a too large form, and none of its files', async () => {
  const { body, files, hasTooLargeFiles } = await sent((form) => {
    form.set('text', 'Где платёж?');
    form.append('files', new File([new Uint8Array(1000)], 'small.png'));
    form.append('files', new File([new Uint8Array(LARGEST_FORM)], 'film.png'));
    form.set('late', 'came after the most that is kept');
  });
  assert.deepEqual([...new URLSearchParams(body)], [['text', 'Где платёж?']]);
  assert.deepEqual([files, hasTooLargeFiles], [[], true]);
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(1024 * 1024);
    })(),
  );
  await assert.rejects(receiveForm(endless), (error) => error instanceof Problem && error.code === 'payload_too_large');
  const alone = await sent((form) => form.set('files', new File([new Uint8Array(LARGEST_FORM)], 'film.png')));
  assert.deepEqual([alone.body, alone.hasTooLargeFiles], ['', true]);
});
