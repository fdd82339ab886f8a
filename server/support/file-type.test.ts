import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '@kurs/contract';
import { storedFiles } from './file-type.ts';

const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.from('rest')]);
const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n%%EOF\n');
const store = (name: string, bytes: Buffer) => storedFiles([{ name, data: bytes.toString('base64') }])[0];
const refused = (code: string) => (error: unknown) =>
  error instanceof Problem && JSON.stringify(error.details.errors).includes(`"${code}"`);

test('a file’s type follows from its bytes, whatever its name', () => {
  const webp = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8 '), Buffer.alloc(8)]);
  const kinds = {
    'image/png': PNG,
    'image/jpeg': Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0]),
    'image/webp': webp,
    'application/pdf': PDF,
  };
  for (const [type, bytes] of Object.entries(kinds)) assert.equal(store('page.html', bytes)?.type, type);
  for (const text of [
    '<html>',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'GIF89a',
    '%PDF-1.7 cut',
    '%PDF-<script>%%EOF',
    'MZ',
  ])
    assert.throws(() => store('picture.png', Buffer.from(text)), refused('file_format'), text);
});

test('neither an empty file nor one that is too large is kept', () => {
  assert.throws(() => store('a.png', Buffer.alloc(0)), refused('file_empty'));
  assert.throws(() => store('a.png', Buffer.concat([PNG, Buffer.alloc(4 * 1024 * 1024)])), refused('file_large'));
});

test('a file name contains no path and no special characters', () => {
  const names = {
    '../../etc/passwd': 'passwd',
    'C:\\Users\\me\\чек (1).png': 'чек (1).png',
    'a"\r\nset-cookie: x.png': 'aset-cookie x.png'.replace(':', ''),
    'gnp.\u202Eexe': 'gnp.exe',
    '...': 'file.png',
  };
  for (const [given, stored] of Object.entries(names)) assert.equal(store(given, PNG)?.name, stored, given);
  assert.equal(store(`${'x'.repeat(150)}.png`, PNG)?.name.length, 80);
});
