// A wrong setting of one rail stops that rail only, and its reason is reported.

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { ConfigError, loadConfig, makeSecret } from '../../platform/index.ts';
import { type Signer, buildRails, buildSigningRails, derivePublicKeys, railsConfig } from '../../rails/index.ts';
import { providersOf } from '../../supervisor/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'kurs-rails-'));
makeSecret(folder, 'references.key');
const providers = join(folder, 'providers');
beforeEach(() => {
  rmSync(providers, { recursive: true, force: true });
  mkdirSync(providers, { recursive: true });
});
after(() => rmSync(folder, { recursive: true }));

const SEED = new Uint8Array(64).fill(7);
const keys = await derivePublicKeys(SEED, 'mainnet');
const signer: Signer = { sign: () => assert.fail('nothing is signed') };
const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
/** Configuration of all chains. */
const CHAINS = {
  KURS_ESPLORA: 'https://esplora.example.org',
  KURS_EVM_RPC: 'https://evm.example.org',
  KURS_EVM_CHAIN_ID: '1',
  KURS_BSC_RPC: 'https://bsc.example.org',
  KURS_TRON_API: 'https://tron.example.org',
};
const live = (more: Record<string, string> = {}) =>
  loadConfig({ KURS_MODE: 'live', BASE_URL: 'https://desk.example.org', KURS_DATA: folder, ...CHAINS, ...more });

/** Returns the rails that each process sets up, and the reasons for missing ones. */
async function rails(more: Record<string, string> = {}) {
  const config = live(more);
  const [settings, said] = [railsConfig(config), providersOf(config)];
  const [built, signing] = [await buildRails(settings, keys, signer, said), await buildSigningRails(settings, SEED)];
  for (const rail of built.rails.values()) await rail.close();
  return { here: [...built.rails.keys()], signs: [...signing.rails.keys()], refused: Object.fromEntries(built.refused) };
}
function says(file: string, text: string, mode = 0o600): void {
  writeFileSync(join(providers, file), text, { mode });
  chmodSync(join(providers, file), mode);
}

const ALL = ['bitcoin', 'evm', 'bsc', 'tron'];

test('refuses nothing if all settings are right', async () => {
  assert.deepEqual(await rails(), { here: ALL, signs: ALL, refused: {} });
});

const WRONG: readonly [rail: string, what: Record<string, string>, why: RegExp][] = [
  ['evm', { KURS_EVM_CHAIN_ID: '' }, /KURS_EVM_CHAIN_ID/],
  ['evm', { KURS_EVM_CHAIN_ID: 'mainnet' }, /KURS_EVM_CHAIN_ID/],
  ['evm', { KURS_EVM_CHAIN_ID: '5' }, /USDT.*chain 5/],
  ['evm', { KURS_EVM_RPC: 'hush.example' }, /KURS_EVM_RPC/],
  ['evm', { KURS_USDT_ERC20: '0x12' }, /KURS_USDT_ERC20/],
  ['evm', { KURS_USDT_ERC20: USDT.replace('dAC', 'DAc') }, /USDT_ERC20|0x/],
  ['evm', { KURS_EVM_TRACES: 'all' }, /KURS_EVM_TRACES/],
  ['bsc', { KURS_BSC_CHAIN_ID: '97' }, /USDT.*chain 97/],
  ['bsc', { KURS_BSC_RPC: '//' }, /KURS_BSC_RPC/],
  ['bsc', { KURS_USDT_BEP20: 'x' }, /KURS_USDT_BEP20/],
  ['tron', { KURS_TRON_API: 'tron' }, /KURS_TRON_API/],
  ['tron', { KURS_TRON_API_KEY: 'k'.repeat(101) }, /KURS_TRON_API_KEY/],
  ['tron', { KURS_USDT_TRC20: `T${'1'.repeat(33)}` }, /TRC20|T1111/],
  ['bitcoin', { KURS_BITCOIN_NETWORK: 'signet' }, /KURS_BITCOIN_NETWORK/],
  ['bitcoin', { KURS_ESPLORA: 'esplora' }, /KURS_ESPLORA/],
  ['bitcoin', { KURS_SIGNER_CAPS: 'BTC=much, USDT_ERC20=1, ETH=1, USDT_TRC20=1' }, /KURS_SIGNER_CAPS.*BTC/],
  ['evm', { KURS_SIGNER_CAPS: 'BTC=1, USDT_ERC20=1, USDT_ERC20=2' }, /KURS_SIGNER_CAPS.*USDT_ERC20/],
  ['tron', { KURS_SIGNER_CAPS: 'BTC=1; TRX=1.2.3' }, /KURS_SIGNER_CAPS/],
];

for (const [rail, what, why] of WRONG)
  test(`${Object.entries(what).join(' ')}: ${rail} alone is not set up, and the reason is reported`, async () => {
    const { here, signs, refused } = await rails(what);
    assert.match(refused[rail] ?? '', why);
    assert.doesNotMatch(refused[rail] ?? '', /hush/, 'an address may hold a key');
    const others = ALL.filter((name) => refused[name] === undefined);
    assert.deepEqual([here, signs], [others, others]);
    if (!JSON.stringify(what).includes(';')) assert.deepEqual(Object.keys(refused), [rail]);
  });

test('a wrong setting that belongs to no rail stops the start', () => {
  assert.throws(() => live({ SMTP_URL: 'nowhere' }), ConfigError);
});

const GOOD = JSON.stringify({ clientId: 'x' });
const FILES: readonly [rail: string, text: string, mode: number, why: RegExp][] = [
  ['payeer', '{"secret":"hush"', 0o600, /payeer\.json is no JSON/],
  ['payeer', '{"apiUrl":"http://payeer.example/","secret":"hush"}', 0o600, /payeer\.json: apiUrl must begin with https/],
  ['payeer', '{"secret":"hush"}', 0o644, /payeer\.json can be read by others: chmod 600/],
  ['payeer', '{"secret":"hush"}', 0o620, /payeer\.json can be read by others: chmod 600/],
  ['webmoney', '[]', 0o600, /webmoney/],
  ['paypal', '"hush"', 0o600, /paypal/],
  ['volet', '{"wallets":{"USD":"hush"}}', 0o600, /volet/],
  ['westernunion', GOOD, 0o600, /no provider called westernunion/],
];
for (const [rail, text, mode, why] of FILES)
  test(`${rail}.json, ${mode.toString(8)}: ${text}`, async () => {
    says(`${rail}.json`, text, mode);
    const { here, refused } = await rails();
    assert.match(refused[rail] ?? '', why);
    assert.doesNotMatch(refused[rail] ?? '', /hush/);
    assert.deepEqual([here, Object.keys(refused)], [ALL, [rail]]);
  });

test('an unreadable file stops its own provider only', async () => {
  mkdirSync(join(providers, 'payeer.json'));
  const { here, refused } = await rails();
  assert.deepEqual([here, Object.keys(refused)], [ALL, ['payeer']]);
});

test('chain ids of the sandbox are valid in the sandbox alone', () => {
  assert.equal(railsConfig(loadConfig({ KURS_EVM_RPC: 'http://127.0.0.1:1', KURS_USDT_ERC20: USDT })).evm[0]?.chainId, 31_337);
  assert.deepEqual(
    railsConfig(live({ KURS_EVM_CHAIN_ID: '', KURS_USDT_ERC20: USDT })).evm.map(({ id }) => id),
    ['bsc'],
  );
});
