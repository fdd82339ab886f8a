import { type BitcoinConfig, bitcoin, bitcoinPublicKeys, bitcoinRail, bitcoinSigning } from './bitcoin/index.ts';
import { type EvmConfig, type EvmEndpoint, bsc, ethereum, evmPublicKeys, evmRail, evmSigning } from './evm/index.ts';
import type { ProviderParts } from './provider/index.ts';
import { openProviders } from './providers.ts';
import type { Rail, Signer } from './rail.ts';
import type { PublicKeys, SigningRail } from './signer.ts';
import { type TronConfig, tron, tronPublicKeys, tronRail, tronSigning } from './tron/index.ts';

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
      ...chainAt(ethereum, KURS_EVM_RPC, KURS_EVM_CHAIN_ID, KURS_USDT_ERC20),
      ...chainAt(bsc, KURS_BSC_RPC, KURS_BSC_CHAIN_ID, KURS_USDT_BEP20),
    ],
    ...(api === '' ? {} : { tron: tron({ api, apiKey, ...(trc20 === '' ? {} : { usdt: trc20 }) }) }),
  };
}

function chainAt(chain: (at: EvmEndpoint) => EvmConfig, rpc: string, chainId: number, usdt: string): EvmConfig[] {
  return rpc === '' ? [] : [chain({ rpc, chainId, ...(usdt === '' ? {} : { usdt: usdt as `0x${string}` }) })];
}

/** What an operator says of each provider, by the name of its rail, and what their rails are built from beside it. */
export interface Providers {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly partsOf: (rail: string) => ProviderParts;
}

/** The rails of this process by id. Nothing is asked of the network yet. Throws as `openProviders`. */
export async function buildRails(
  config: RailsConfig,
  keys: PublicKeys,
  signer: Signer,
  providers: Providers,
): Promise<Map<string, Rail>> {
  const rails: Rail[] = config.evm.map((chain) => evmRail(chain, keys.evm, signer));
  if (config.bitcoin) rails.unshift(bitcoinRail(config.bitcoin, keys.bitcoin, signer));
  if (config.tron) rails.push(tronRail(config.tron, keys.tron, signer));
  rails.push(...(await openProviders(providers.settings, providers.partsOf)));
  return new Map(rails.map((rail) => [rail.id, rail]));
}

/** The signer's half of every rail by id; takes the seed (BIP 39's 64 bytes). */
export function buildSigningRails(config: RailsConfig, seed: Uint8Array): Map<string, SigningRail> {
  const rails: SigningRail[] = config.evm.map((chain) => evmSigning(seed, chain));
  if (config.bitcoin) rails.unshift(bitcoinSigning(seed, config.bitcoin));
  if (config.tron) rails.push(tronSigning(seed, config.tron));
  return new Map(rails.map((rail) => [rail.id, rail]));
}

/** What everyone may know of a seed's keys. `network` is bitcoin's, which decides the derivation path. */
export function derivePublicKeys(seed: Uint8Array, network: string): PublicKeys {
  return { bitcoin: bitcoinPublicKeys(seed, network), evm: evmPublicKeys(seed), tron: tronPublicKeys(seed) };
}
