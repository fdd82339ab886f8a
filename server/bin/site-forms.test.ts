import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '@kurs/contract';
import { readForm, requireTakesFiles } from './site-forms.ts';

const refused = (error: unknown): boolean => error instanceof Problem && error.code === 'unsupported_media_type';

async function sent(fill: (form: FormData) => void): Promise<Awaited<ReturnType<typeof readForm>>> {
  const form = new FormData();
  fill(form);
  const request = new Response(form);
  return readForm(request.headers.get('content-type') ?? '', Buffer.from(await request.arrayBuffer()));
}

test('fields are read as of a form without files, and files beside them, byte for byte', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
  const { body, files } = await sent((form) => {
    form.set('text', 'Где «платёж» & когда?\n2 = 2');
    form.set('files', new File([bytes], 'чек.png'));
    // What a browser sends for a field in which nothing was chosen.
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

test('what is no such form is refused, and every other page takes none', async () => {
  await assert.rejects(readForm('multipart/form-data', Buffer.from('x')), refused);
  await assert.rejects(readForm('multipart/form-data; boundary=a', Buffer.from('--b\r\n\r\nx')), refused);
  for (const url of ['/En/contact-us', '/Ru/contact-us?order=KX', '/En/contact-us/ticket?id=1']) requireTakesFiles(url);
  for (const url of ['/En', '/En/order?id=1', '/contact-us', '/En/contact-us/else', '/api/v1/support/tickets'])
    assert.throws(() => requireTakesFiles(url), refused, url);
});
