// `npm run keys -- addresses`: prints the addresses that the product hands out, from the folder of keys alone.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { mnemonicToSeedSync } from '@scure/bip39';
import { openPayins, useRails } from '../payments/index.ts';
import { newId, newSeed } from '../platform/index.ts';
import { type TestDb, testDb } from '../platform/testing.ts';
import { buildRails, derivePublicKeys, railsConfig } from '../rails/index.ts';

const NOWHERE = 'http://127.0.0.1:9';
const home = mkdtempSync(join(tmpdir(), 'kurs-addresses-'));
const seed = newSeed();
let world: TestDb;
/** Handed-out addresses, by currency and index. */
const handedOut = new Map<string, Map<number, string>>();

before(async () => {
  world = await testDb();
  const keys = await derivePublicKeys(mnemonicToSeedSync(seed), 'regtest');
  for (const [folder, name, content] of [
    ['all', 'seed', `${seed}\n`],
    ['public', 'public.json', JSON.stringify(keys)],
  ] as const) {
    mkdirSync(join(home, folder, 'keys'), { recursive: true, mode: 0o700 });
    writeFileSync(join(home, folder, 'keys', name), content, { mode: 0o600 });
  }
  const signer = { sign: () => Promise.reject(new Error('nothing is signed here')) };
  const config = railsConfig({
    ...{ KURS_BITCOIN_NETWORK: 'regtest', KURS_ESPLORA: NOWHERE, KURS_EVM_RPC: NOWHERE, KURS_EVM_CHAIN_ID: 31_337 },
    ...{ KURS_USDT_ERC20: `0x${'a1'.repeat(20)}`, KURS_BSC_RPC: NOWHERE, KURS_BSC_CHAIN_ID: 31_338 },
    ...{ KURS_USDT_BEP20: `0x${'b2'.repeat(20)}`, KURS_TRON_API: NOWHERE, KURS_TRON_API_KEY: '', KURS_USDT_TRC20: '' },
    ...{ KURS_SIGNER_CAPS: '', railMistakes: {} },
  });
  const { rails } = await buildRails(config, keys, signer, { settings: {}, contextOf: () => assert.fail() });
  useRails(rails);
  for (const { code } of [...rails.values()].flatMap(({ currencies }) => currencies)) {
    const inputs = Array.from({ length: 9 }, () => ({
      owner: { kind: 'order' as const, id: newId() },
      currency: code,
      parts: 1n,
      customerKey: 'ann',
    }));
    await world.db.tx((tx) => openPayins(tx, inputs));
    const rows = await world.db.rows<{ number: string; to: string }>(
      'select number, to_text as to from receiving_address where currency = $1 and owner_id is not null and number > 0',
      [code],
    );
    assert.equal(rows.length, 9);
    handedOut.set(code, new Map(rows.map(({ number, to }) => [Number(number), to])));
  }
});
after(async () => {
  useRails(new Map());
  await world.drop();
  rmSync(home, { recursive: true });
});

/** Runs the command with only a folder of keys. */
function addresses(folder: string, ...args: string[]): Promise<{ readonly code: number | null; readonly text: string }> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const command = fileURLToPath(new URL('keys.ts', import.meta.url));
  const child = spawn(process.execPath, [command, 'addresses', ...args], {
    env: { KURS_DATA: join(home, folder), PATH, NODE_COMPILE_CACHE },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return new Promise((done) => child.once('close', (code) => done({ code, text })));
}

test('shows the addresses that the product hands out, under the same numbers, of every currency of a chain', async () => {
  assert.equal(handedOut.size, 7);
  for (const [code, rows] of handedOut) {
    const { code: ended, text } = await addresses('all', code, '60');
    assert.equal(ended, 0, text);
    const shown = new Map([...text.matchAll(/^receiving (\d+) +m\S+ +(\S+)$/gm)].map(([, index, to]) => [Number(index), to]));
    assert.equal(shown.size, 60);
    for (const [number, to] of rows) assert.equal(shown.get(number), to, `${code} ${number}`);
  }
  assert.deepEqual(readdirSync(join(home, 'all')), ['keys'], 'nothing else is made');
});

test('shows the same by the public keys alone, from any index on, with the change or the hot wallet', async () => {
  for (const code of ['BTC', 'USDT_ERC20', 'BNB', 'USDT_TRC20']) {
    const [bySeed, byPublic] = await Promise.all([addresses('all', code, '3', '10000'), addresses('public', code, '3', '10000')]);
    assert.equal(bySeed.code, 0, bySeed.text);
    assert.deepEqual(byPublic, bySeed);
    assert.match(bySeed.text, /^receiving 10002 /m);
    assert.equal(/^(?:change 10002|hot wallet) +m\//m.test(bySeed.text), true, bySeed.text);
  }
});

test('says what is wrong with its arguments, and where there are no keys', async () => {
  for (const [args, words] of [
    [['DOGE', '3'], /no addresses of DOGE.*BTC, ETH, USDT_ERC20, BNB, USDT_BEP20, TRX, USDT_TRC20/],
    [['BTC', '0'], /N is at least 1/],
    [['BTC', '1', '1073741824'], /last index is 1073741823/],
    [['BTC'], /addresses CURRENCY N/],
    [['BTC', '1', '-1'], /addresses CURRENCY N/],
  ] as const) {
    const { code, text } = await addresses('all', ...args);
    assert.equal(code, 1);
    assert.match(text, words);
  }
  const { code, text } = await addresses('empty', 'BTC', '1');
  assert.equal(code, 1);
  assert.match(text, /neither a seed nor public\.json/);
});
