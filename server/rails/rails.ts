import { type BitcoinConfig, bitcoin } from './bitcoin/config.ts';
import { type EvmConfig, type EvmEndpoint, bsc, ethereum } from './evm/config.ts';
import type { ProviderParts } from './provider/index.ts';
import { PROVIDER_NAMES, openProviders } from './providers.ts';
import type { Rail, Signer } from './rail.ts';
import type { PublicKeys, SigningRail } from './signer.ts';
import { type TronConfig, tron } from './tron/config.ts';

/** The chains that there are, each loaded (its libraries too) only where it is switched on. */
const loadBitcoin = () => import('./bitcoin/index.ts');
const loadEvm = () => import('./evm/index.ts');
const loadTron = () => import('./tron/index.ts');

/** The ids of all rails that there are, set up or not, in the order in which people see them. */
export const RAIL_NAMES: readonly string[] = ['bitcoin', 'evm', 'bsc', 'tron', ...PROVIDER_NAMES];

/** What all rails are built from. A rail whose endpoint isn't configured is absent. */
export interface RailsConfig {
  readonly bitcoin?: BitcoinConfig;
  readonly evm: readonly EvmConfig[];
  readonly tron?: TronConfig;
}

/** What the process's configuration says about rails (platform's `Config` has all of it). */
export interface RailsEnvironment {
  readonly KURS_BITCOIN_NETWORK: string;
  readonly KURS_ESPLORA: string;
  readonly KURS_EVM_RPC: string;
  readonly KURS_EVM_CHAIN_ID: number;
  readonly KURS_USDT_ERC20: string;
  readonly KURS_BSC_RPC: string;
  readonly KURS_BSC_CHAIN_ID: number;
  readonly KURS_USDT_BEP20: string;
  readonly KURS_EVM_TRACES?: EvmConfig['traces'];
  readonly KURS_BSC_TRACES?: EvmConfig['traces'];
  readonly KURS_TRON_TRACES?: '' | 'on';
  readonly KURS_TRON_API: string;
  readonly KURS_TRON_API_KEY: string;
  readonly KURS_USDT_TRC20: string;
}

/** Turns the process's configuration into the rails'. Throws where a value can't be. */
export function railsConfig(environment: RailsEnvironment): RailsConfig {
  const { KURS_BITCOIN_NETWORK: network, KURS_ESPLORA: esplora } = environment;
  const { KURS_EVM_RPC, KURS_EVM_CHAIN_ID, KURS_USDT_ERC20, KURS_BSC_RPC, KURS_BSC_CHAIN_ID, KURS_USDT_BEP20 } = environment;
  const { KURS_TRON_API: api, KURS_TRON_API_KEY: apiKey, KURS_USDT_TRC20: trc20 } = environment;
  return {
    ...(esplora === '' ? {} : { bitcoin: bitcoin({ network, esplora }) }),
    evm: [
      ...chainAt(ethereum, KURS_EVM_RPC, KURS_EVM_CHAIN_ID, KURS_USDT_ERC20, environment.KURS_EVM_TRACES),
      ...chainAt(bsc, KURS_BSC_RPC, KURS_BSC_CHAIN_ID, KURS_USDT_BEP20, environment.KURS_BSC_TRACES),
    ],
    ...(api === ''
      ? {}
      : { tron: { ...tron({ api, apiKey, ...(trc20 !== '' && { usdt: trc20 }) }), traces: environment.KURS_TRON_TRACES ?? '' } }),
  };
}

function chainAt(
  chain: (at: EvmEndpoint) => EvmConfig,
  rpc: string,
  chainId: number,
  usdt: string,
  traces: EvmConfig['traces'] = '',
): EvmConfig[] {
  return rpc === '' ? [] : [{ ...chain({ rpc, chainId, ...(usdt !== '' && { usdt: usdt as `0x${string}` }) }), traces }];
}

/** What an operator says of each provider, by the name of its rail, and what their rails are built from beside it. */
export interface Providers {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly partsOf: (rail: string) => ProviderParts;
}

/**
 * The rails of this process by id. What is not switched on is not loaded. Nothing is asked of the network yet. Throws as
 * `openProviders`.
 */
export async function buildRails(
  { bitcoin: btc, evm, tron: trx }: RailsConfig,
  keys: PublicKeys,
  signer: Signer,
  providers: Providers,
): Promise<Map<string, Rail>> {
  const rails: Rail[] = [];
  if (btc) rails.push((await loadBitcoin()).bitcoinRail(btc, keys.bitcoin, signer));
  for (const chain of evm) rails.push((await loadEvm()).evmRail(chain, keys.evm, signer));
  if (trx) rails.push((await loadTron()).tronRail(trx, keys.tron, signer));
  rails.push(...(await openProviders(providers.settings, providers.partsOf)));
  return new Map(rails.map((rail) => [rail.id, rail]));
}

/** The signer's half of every rail that is switched on, by id; takes the seed (BIP 39's 64 bytes). */
export async function buildSigningRails(
  { bitcoin: btc, evm, tron: trx }: RailsConfig,
  seed: Uint8Array,
): Promise<Map<string, SigningRail>> {
  const rails: SigningRail[] = [];
  if (btc) rails.push((await loadBitcoin()).bitcoinSigning(seed, btc));
  for (const chain of evm) rails.push((await loadEvm()).evmSigning(seed, chain));
  if (trx) rails.push((await loadTron()).tronSigning(seed, trx));
  return new Map(rails.map((rail) => [rail.id, rail]));
}

/**
 * What everyone may know of a seed's keys, also of chains that are off: switching one on must not wait for the signer.
 * `network` is bitcoin's, which decides the derivation path.
 */
export async function derivePublicKeys(seed: Uint8Array, network: string): Promise<PublicKeys> {
  const [{ bitcoinPublicKeys }, { evmPublicKeys }, { tronPublicKeys }] = await Promise.all([
    loadBitcoin(),
    loadEvm(),
    loadTron(),
  ]);
  return { bitcoin: bitcoinPublicKeys(seed, network), evm: evmPublicKeys(seed), tron: tronPublicKeys(seed) };
}
