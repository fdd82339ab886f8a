// Runs as a separate process: switches rails on, one after the other, and prints the modules loaded after each step as JSON.

import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';

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
  KURS_SIGNER_CAPS: '',
  railMistakes: {},
};
const NOWHERE = 'http://127.0.0.1:9';
const LIBRARY = /node_modules\/((?:@[^/]+\/)?[^/]+)/;
/** Files of a rail that every process loads: its settings, and its words in the API's document. */
const READ_OF_ALL = new Set(['config.ts', 'webhook-words.ts']);
/** Libraries that every process loads: zod reads all settings. */
const EVERYWHERE = new Set(['zod']);

/** Modules loaded after one step. */
export interface AtWork {
  /** Rail switched on in this step; empty before the first one. */
  readonly on: string;
  /** Folders of rails with loaded files besides those in `READ_OF_ALL`. */
  readonly rails: readonly string[];
  readonly libraries: readonly string[];
}

const steps: AtWork[] = [];

function note(on: string): void {
  const rails = [...loaded].flatMap((url) => {
    const [, rail, file] = /\/server\/rails\/([a-z]+)\/([^/]+)$/.exec(url) ?? [];
    return rail !== undefined && rail !== 'provider' && !READ_OF_ALL.has(file ?? '') ? [rail] : [];
  });
  const libraries = [...loaded].flatMap((url) => LIBRARY.exec(url)?.[1] ?? []).filter((name) => !EVERYWHERE.has(name));
  steps.push({ on, rails: [...new Set(rails)].toSorted(), libraries: [...new Set(libraries)].toSorted() });
}

/** Switches on the rails of some settings. Their invalid keys and settings don't matter here. */
async function switchOn(environment: Partial<typeof NOTHING>, settings: Record<string, unknown> = {}): Promise<void> {
  const context = { reference: String, webhookUrl: '', siteUrl: (path: string) => path };
  const providers = { settings, contextOf: () => context };
  const config = railsConfig({ ...NOTHING, ...environment });
  const signer = { sign: () => assert.fail('nothing is signed') };
  await buildRails(config, { bitcoin: {}, evm: {}, tron: {} } as never, signer, providers);
}

const none = { settings: {}, contextOf: assert.fail };
assert.equal((await buildRails(railsConfig(NOTHING), {} as never, {} as never, none)).rails.size, 0);
note('');
for (const name of PROVIDER_NAMES) {
  await switchOn({}, { [name]: {} });
  note(name);
}
await switchOn({ KURS_TRON_API: NOWHERE });
note('tron');
await switchOn({ KURS_ESPLORA: NOWHERE });
note('bitcoin');
await switchOn({ KURS_BSC_RPC: NOWHERE });
note('evm');
process.stdout.write(JSON.stringify(steps));
