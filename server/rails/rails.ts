import { type BitcoinConfig, bitcoin } from './bitcoin/config.ts';
import { type Caps, parseCaps } from './caps.ts';
import { type EvmConfig, type EvmEndpoint, bsc, ethereum } from './evm/config.ts';
import type { ProviderContext } from './provider/index.ts';
import type { OwnAddresses } from './own-addresses.ts';
import { PROVIDER_NAMES, openProvider } from './providers.ts';
import type { Rail, Signer } from './rail.ts';
import type { PublicKeys, SigningRail } from './signer.ts';
import { type TronConfig, tron } from './tron/config.ts';

/** Loads a chain, with its libraries, only if it is switched on; the next two do the same. */
const loadBitcoin = () => import('./bitcoin/index.ts');
const loadEvm = () => import('./evm/index.ts');
const loadTron = () => import('./tron/index.ts');

/** Ids of all rails, enabled or not, in the order for people. */
export const RAIL_NAMES: readonly string[] = ['bitcoin', 'evm', 'bsc', 'tron', ...PROVIDER_NAMES];

/** Settings that each rail needs, by its id: variables of the environment, or a file in the data folder. */
export const RAIL_NEEDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['bitcoin', ['KURS_ESPLORA']],
  ['evm', ['KURS_EVM_RPC', 'KURS_EVM_CHAIN_ID']],
  ['bsc', ['KURS_BSC_RPC']],
  ['tron', ['KURS_TRON_API']],
  ...PROVIDER_NAMES.map((name): [string, string[]] => [name, [`providers/${name}.json`]]),
]);

/** Reasons why rails are missing, by their ids. */
export type Refused = ReadonlyMap<string, string>;

/** Settings of all rails. A rail without an endpoint, or with invalid settings, is absent. */
export interface RailsConfig {
  readonly bitcoin?: BitcoinConfig;
  readonly evm: readonly EvmConfig[];
  readonly tron?: TronConfig;
  /** Maximum amount of each currency that the signer lets leave in 24 hours, in minor units. */
  readonly caps: Caps['daily'];
  readonly refused: Refused;
}

/** The rails' part of the process's configuration (all of it is platform's `Config`). */
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
  readonly KURS_SIGNER_CAPS: string;
  /** Reasons why rails with invalid variables are refused. */
  readonly railMistakes: Readonly<Record<string, string>>;
}

/** Converts the process's configuration into that of the rails. Refuses only rails with invalid variables; never throws for one. */
export function railsConfig(environment: RailsEnvironment): RailsConfig {
  const { KURS_BITCOIN_NETWORK: network, KURS_ESPLORA: esplora, KURS_TRON_API: api } = environment;
  const { KURS_EVM_RPC, KURS_EVM_CHAIN_ID, KURS_USDT_ERC20, KURS_BSC_RPC, KURS_BSC_CHAIN_ID, KURS_USDT_BEP20 } = environment;
  const { KURS_TRON_API_KEY: apiKey, KURS_USDT_TRC20: trc20 } = environment;
  const { daily, unread } = parseCaps(environment.KURS_SIGNER_CAPS);
  const refused = new Map(Object.entries(environment.railMistakes));
  const build = <C>(rail: string, address: string, make: () => C, codesOf: (config: C) => readonly string[]): C[] => {
    if (address === '' || refused.has(rail)) return [];
    try {
      const config = make();
      const wrong = unread.find(({ codes }) => codesOf(config).some((code) => codes.includes(code)));
      if (!wrong) return [config];
      refused.set(rail, `KURS_SIGNER_CAPS: a cap is written like BTC=5, not "${wrong.entry}"`);
    } catch (error) {
      refused.set(rail, messageOf(error));
    }
    return [];
  };
  const evmCodes = ({ native, tokens }: EvmConfig) => [native, ...tokens.map(({ code }) => code)];
  const tronCodes = ({ coin, tokens }: TronConfig) => [coin.code, ...tokens.map(({ code }) => code)];
  const [btc] = build(
    'bitcoin',
    esplora,
    () => bitcoin({ network, esplora }),
    () => ['BTC'],
  );
  const evm = [
    ...build(
      'evm',
      KURS_EVM_RPC,
      () => chainAt(ethereum, 'KURS_EVM_CHAIN_ID', KURS_EVM_RPC, KURS_EVM_CHAIN_ID, KURS_USDT_ERC20, environment.KURS_EVM_TRACES),
      evmCodes,
    ),
    ...build(
      'bsc',
      KURS_BSC_RPC,
      () => chainAt(bsc, 'KURS_BSC_CHAIN_ID', KURS_BSC_RPC, KURS_BSC_CHAIN_ID, KURS_USDT_BEP20, environment.KURS_BSC_TRACES),
      evmCodes,
    ),
  ];
  const tronAt = () => ({
    ...tron({ api, apiKey, ...(trc20 !== '' && { usdt: trc20 }) }),
    traces: environment.KURS_TRON_TRACES ?? '',
  });
  const [trx] = build('tron', api, tronAt, tronCodes);
  return { ...(btc && { bitcoin: btc }), evm, ...(trx && { tron: trx }), caps: daily, refused };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function chainAt(
  chain: (at: EvmEndpoint) => EvmConfig,
  variable: string,
  rpc: string,
  chainId: number,
  usdt: string,
  traces: EvmConfig['traces'] = '',
): EvmConfig {
  if (chainId === 0) throw new Error(`${variable} is missing: say which chain it is`);
  return { ...chain({ rpc, chainId, ...(usdt !== '' && { usdt: usdt as `0x${string}` }) }), traces };
}

/** Dependencies of providers' rails. `settings`: the operator's settings of each provider, by its rail's id. */
export interface Providers {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly contextOf: (rail: string) => ProviderContext;
  /** Reasons why providers with invalid settings are refused. */
  readonly refused?: Refused;
}

/** Rails by id, and the reasons why others are missing. */
export interface Built<R> {
  readonly rails: Map<string, R>;
  readonly refused: Refused;
}

/** Makes each rail separately. A rail that can't be made is refused with the reason. */
async function buildEach<R extends { readonly id: string }>(
  makers: readonly (readonly [name: string, make: () => Promise<R>])[],
  before: Refused,
): Promise<Built<R>> {
  const [rails, refused] = [new Map<string, R>(), new Map(before)];
  for (const [name, make] of makers) {
    try {
      const rail = await make();
      rails.set(rail.id, rail);
    } catch (error) {
      refused.set(name, messageOf(error));
    }
  }
  return { rails, refused };
}

/** Returns the enabled rails, and the reasons why others are missing. Loads no disabled rail and makes no network call. */
export function buildRails(
  { bitcoin: btc, evm, tron: trx, refused }: RailsConfig,
  keys: PublicKeys,
  signer: Signer,
  providers: Providers,
): Promise<Built<Rail>> {
  const makers: [string, () => Promise<Rail>][] = [];
  if (btc) makers.push([btc.id, async () => (await loadBitcoin()).bitcoinRail(btc, keys.bitcoin, signer)]);
  for (const chain of evm) makers.push([chain.id, async () => (await loadEvm()).evmRail(chain, keys.evm, signer)]);
  if (trx) makers.push([trx.id, async () => (await loadTron()).tronRail(trx, keys.tron, signer)]);
  for (const [name, given] of Object.entries(providers.settings))
    makers.push([name, () => openProvider(name, given, providers.contextOf(name))]);
  return buildEach(makers, new Map([...refused, ...(providers.refused ?? [])]));
}

/** Returns the signer's part of every enabled rail. `seed`: 64 bytes (BIP 39). */
export function buildSigningRails(
  { bitcoin: btc, evm, tron: trx, refused }: RailsConfig,
  seed: Uint8Array,
): Promise<Built<SigningRail>> {
  const makers: [string, () => Promise<SigningRail>][] = [];
  if (btc) makers.push([btc.id, async () => (await loadBitcoin()).bitcoinSigning(seed, btc)]);
  for (const chain of evm) makers.push([chain.id, async () => (await loadEvm()).evmSigning(seed, chain)]);
  if (trx) makers.push([trx.id, async () => (await loadTron()).tronSigning(seed, trx)]);
  return buildEach(makers, refused);
}

/**
 * Returns the public keys of a seed, also for disabled chains: enabling a chain must not wait for the signer. `network`:
 * bitcoin's network, which decides the derivation path.
 */
export async function derivePublicKeys(seed: Uint8Array, network: string): Promise<PublicKeys> {
  const [{ bitcoinPublicKeys }, { evmPublicKeys }, { tronPublicKeys }] = await Promise.all([
    loadBitcoin(),
    loadEvm(),
    loadTron(),
  ]);
  return { bitcoin: bitcoinPublicKeys(seed, network), evm: evmPublicKeys(seed), tron: tronPublicKeys(seed) };
}

/** Returns our own addresses on every chain, enabled or not, by the published keys alone. */
export async function everyOwnAddresses(keys: PublicKeys): Promise<OwnAddresses[]> {
  const [{ bitcoinAddresses }, { evmAddresses }, { tronAddresses }] = await Promise.all([loadBitcoin(), loadEvm(), loadTron()]);
  // An address depends neither on a node nor on the chain id.
  const evm = [ethereum({ rpc: '', chainId: 1 }), bsc({ rpc: '', chainId: 56 })];
  return [
    bitcoinAddresses(keys.bitcoin),
    ...evm.map((chain) => evmAddresses(chain, keys.evm)),
    tronAddresses(tron({ api: '' }), keys.tron),
  ];
}
