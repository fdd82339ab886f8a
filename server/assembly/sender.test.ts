import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Config } from '../platform/index.ts';
import { postOf } from './sender.ts';

const config = (MAIL_FROM: string): Config =>
  ({ SMTP_URL: 'smtp://mail', MAIL_FROM, KURS_NAME: 'Kurs, Ltd.', BASE_URL: 'https://kurs.example:8443' }) as Config;

test('letters come from the configured address and name, by default from the site’s domain and the desk’s name', () => {
  assert.equal(postOf(config('')).host, 'kurs.example');
  const cases: readonly (readonly [written: string, name: string, address: string])[] = [
    ['', 'Kurs, Ltd.', 'no-reply@kurs.example'],
    ['desk@mail.example', 'Kurs, Ltd.', 'desk@mail.example'],
    ['<desk@mail.example>', 'Kurs, Ltd.', 'desk@mail.example'],
    ['Desk, the <desk@mail.example>', 'Desk, the', 'desk@mail.example'],
    ['"Desk, the" <desk@mail.example>', 'Desk, the', 'desk@mail.example'],
  ];
  for (const [written, name, address] of cases) assert.deepEqual(postOf(config(written)).from, { name, address }, written);
});
