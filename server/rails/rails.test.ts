// A rail that is off costs nothing: neither its own modules nor its libraries are loaded before it is switched on.

import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';

/** What was loaded so far, each as its path in the project. */
const loaded = new Set<string>();
registerHooks({
  load: (url, context, next) => {
    loaded.add(url);
    return next(url, context);
  },
});

const { buildRails, railsConfig } = await import('./rails.ts');
const { PROVIDER_NAMES } = await import('./providers.ts');

const NOTHING = {
  KURS_BITCOIN_NETWORK: 'regtest',
  KURS_ESPLORA: '',
  KURS_EVM_RPC: '',
  KURS_EVM_CHAIN_ID: 1,
  KURS_USDT_ERC20: '',
  KURS_BSC_RPC: '',
  KURS_BSC_CHAIN_ID: 56,
  KURS_USDT_BEP20: '',
  KURS_TRON_API: '',
  KURS_TRON_API_KEY: '',
  KURS_USDT_TRC20: '',
};
const CHAINS = ['bitcoin', 'evm', 'tron'];
const LIBRARY = /node_modules\/((?:@[^/]+\/)?[^/]+)/;
/** zod reads the settings of all processes. */
const EVERYWHERE = new Set(['zod']);

/** Folders of rails of which more than the configuration was loaded, and the libraries. */
function atWork(): { rails: string[]; libraries: string[] } {
  const rails = [...loaded].flatMap((url) => {
    const [, rail, file] = /\/server\/rails\/([a-z]+)\/([^/]+)$/.exec(url) ?? [];
    return rail !== undefined && rail !== 'provider' && file !== 'config.ts' ? [rail] : [];
  });
  const libraries = [...loaded].flatMap((url) => LIBRARY.exec(url)?.[1] ?? []).filter((name) => !EVERYWHERE.has(name));
  return { rails: [...new Set(rails)].toSorted(), libraries: [...new Set(libraries)].toSorted() };
}

/** Switches on what is given; that its keys or settings are none doesn't matter here. */
async function switchOn(environment: Partial<typeof NOTHING>, settings: Record<string, unknown> = {}): Promise<void> {
  const parts = { reference: String, callbackUrl: '', returnUrl: () => '' };
  const providers = { settings, partsOf: () => parts };
  const config = railsConfig({ ...NOTHING, ...environment });
  const signer = { sign: () => assert.fail('nothing is signed') };
  await buildRails(config, { bitcoin: {}, evm: {}, tron: {} } as never, signer, providers).catch(() => undefined);
}

test('with every rail off none is there, and neither their modules nor their libraries are loaded', async () => {
  assert.equal(
    (await buildRails(railsConfig(NOTHING), {} as never, {} as never, { settings: {}, partsOf: assert.fail })).size,
    0,
  );
  assert.deepEqual(atWork(), { rails: [], libraries: [] });
});

test('a provider that is switched on loads itself and no other', async () => {
  const on: string[] = [];
  for (const name of PROVIDER_NAMES) {
    await switchOn({}, { [name]: {} });
    on.push(name);
    assert.deepEqual(atWork().rails, on.toSorted());
  }
});

test('so does a chain', async () => {
  const before = atWork().rails;
  await switchOn({ KURS_TRON_API: 'http://127.0.0.1:9' });
  await switchOn({ KURS_ESPLORA: 'http://127.0.0.1:9' });
  assert.deepEqual(atWork().rails, [...before, 'bitcoin', 'tron'].toSorted());
  await switchOn({ KURS_BSC_RPC: 'http://127.0.0.1:9' });
  assert.deepEqual(atWork().rails, [...PROVIDER_NAMES, ...CHAINS].toSorted());
});
