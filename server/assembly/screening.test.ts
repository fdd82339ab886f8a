import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ConfigError, loadConfig } from '../platform/index.ts';
import { screenerOf } from './screening.ts';

const folder = mkdtempSync(join(tmpdir(), 'kurs-screening-'));
const file = join(folder, 'screening.key');
after(() => rmSync(folder, { recursive: true }));
const URL_ = 'https://screening.example.org/accounts';
const of = (url: string, key = file) => screenerOf({ KURS_SCREENING_URL: url, KURS_SCREENING_KEY_FILE: key });
const live = (url: string) => loadConfig({ KURS_MODE: 'live', BASE_URL: 'https://desk.example.org', KURS_SCREENING_URL: url });

test('screens nothing without an address; with one it requires a private key file', () => {
  assert.equal(of(''), undefined);
  for (const missing of ['', join(folder, 'none'), folder]) assert.throws(() => of(URL_, missing), ConfigError);
  writeFileSync(file, 'a-key-of-ours\n', { mode: 0o600 });
  assert.equal(typeof of(URL_), 'function');
  chmodSync(file, 0o640);
  assert.throws(() => of(URL_), /chmod 600/);
  for (const text of ['', 'short', 'two\nlines of a key']) {
    writeFileSync(file, text);
    chmodSync(file, 0o600);
    assert.throws(() => of(URL_), /holds no key/, JSON.stringify(text));
  }
});

test('in live mode the service must use https or run on this machine', () => {
  for (const url of [URL_, 'http://127.0.0.1:9000/x', 'http://localhost/x']) assert.equal(live(url).KURS_SCREENING_URL, url);
  for (const url of ['http://screening.example.org/', 'http://127.0.0.1.example.org/', 'http://10.0.0.1/', 'sandbox'])
    assert.throws(() => live(url), /KURS_SCREENING_URL/, url);
});
