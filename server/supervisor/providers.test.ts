// In live mode no rail is on by default, and no provider is called without encryption.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { returnPages } from '@kurs/contract';
import { loadConfig, makeSecret } from '../platform/index.ts';
import { railsConfig } from '../rails/index.ts';
import { providersOf } from './providers.ts';

const folder = mkdtempSync(join(tmpdir(), 'kurs-providers-'));
makeSecret(folder, 'references.key');
after(() => rmSync(folder, { recursive: true }));
const live = (more: Record<string, string> = {}) =>
  loadConfig({ KURS_MODE: 'live', BASE_URL: 'https://desk.example.org', KURS_DATA: folder, ...more });
function says(file: string, text: string): void {
  mkdirSync(join(folder, 'providers'), { recursive: true });
  writeFileSync(join(folder, 'providers', file), text, { mode: 0o600 });
}
const refusal = (): string => providersOf(live()).refused?.get('payeer') ?? '';

test('in live mode every rail starts off: no chain without its address, no provider without its file', () => {
  const { caps: _, ...chains } = railsConfig(live());
  assert.deepEqual(chains, { evm: [], refused: new Map() });
  assert.deepEqual(providersOf(live()).settings, {});
  assert.deepEqual(railsConfig(live({ KURS_ESPLORA: 'https://esplora.example.org' })).evm, []);
});

test('a file switches on its own provider only; providers receive our own addresses', () => {
  says('payeer.json', '{"account":"P1000000"}');
  says('notes.txt', 'not a provider');
  const { settings, contextOf } = providersOf(live());
  assert.deepEqual(settings, { payeer: { account: 'P1000000' } });
  const { webhookUrl, siteUrl, reference } = contextOf('payeer');
  assert.equal(webhookUrl, 'https://desk.example.org/api/v1/payment/payeer/confirmation');
  assert.equal(siteUrl(returnPages('KX-7F3Q-2M8C', 'ru').fail), 'https://desk.example.org/Ru/payment/fail?id=KX-7F3Q-2M8C');
  assert.match(reference(1), /^[0-9A-HJKMNP-TV-Z]{16}$/);
  assert.equal(contextOf('payeer').reference(1), reference(1), 'the same after a restart');
  assert.notEqual(contextOf('volet').reference(1), reference(1));
});

test('names a wrong file, and quotes nothing from it', () => {
  says('payeer.json', '{"secret":"hush"');
  assert.match(refusal(), /payeer\.json is no JSON/);
  assert.doesNotMatch(refusal(), /hush/);
  says('payeer.json', '{"apiUrl":"http://payeer.example/","secret":"hush"}');
  assert.match(refusal(), /payeer\.json.*apiUrl.*https/);
  assert.doesNotMatch(refusal(), /hush/);
  says('payeer.json', '{"certificates":{"from":["HTTP://payeer.example/"]}}');
  assert.match(refusal(), /certificates\.from\.0/);
  says('payeer.json', '{"apiUrl":"https://payeer.example/"}');
  assert.equal(refusal(), '');
});
