/** A bitcoin network: the prefixes of its addresses and keys, and the coin type of its keys (SLIP 44). */
export interface Network {
  readonly name: NetworkName;
  readonly bech32: string;
  readonly pubKeyHash: number;
  readonly scriptHash: number;
  readonly wif: number;
  readonly coinType: 0 | 1;
}

type NetworkName = 'mainnet' | 'testnet' | 'regtest';

/** `regtest` has the prefixes of bcoin, the node that the sandbox runs. */
const NETWORKS: Readonly<Record<NetworkName, Network>> = {
  mainnet: { name: 'mainnet', bech32: 'bc', pubKeyHash: 0x00, scriptHash: 0x05, wif: 0x80, coinType: 0 },
  testnet: { name: 'testnet', bech32: 'tb', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef, coinType: 1 },
  regtest: { name: 'regtest', bech32: 'rb', pubKeyHash: 0x3c, scriptHash: 0x26, wif: 0x5a, coinType: 1 },
};

/** Configuration of the rail: its network and the desk's rules. Fee rates are in millisatoshi per virtual byte. */
export interface BitcoinConfig {
  readonly id: string;
  readonly network: Network;
  /** Base URL of an Esplora API. */
  readonly esplora: string;
  /** Number of blocks within which our own sends should be mined. */
  readonly payoutBlocks: number;
  /** Number of blocks within which the fee of a customer's payment must get it mined. */
  readonly payinBlocks: number;
  /** Rate to use if Esplora gives no estimate. */
  readonly fallbackRate: bigint;
  /** Maximum rate: above it a send waits. */
  readonly maxRate: bigint;
  /** Maximum fee of one transaction, in satoshi. */
  readonly maxFee: bigint;
  /** Milliseconds after which a call without an answer is given up. */
  readonly timeoutMs: number;
  /** Maximum time of a poll of many addresses, in ms: addresses not read by then are reported as unread. */
  readonly pollMs: number;
}

/** Returns a network by its name. Throws an Error for an unknown name. */
export function networkOf(name: string): Network {
  const network = Object.values(NETWORKS).find((candidate) => candidate.name === name);
  if (!network) throw new Error(`No bitcoin network is called ${name}`);
  return network;
}

/** Returns the configuration of the bitcoin rail on a network, with the usual rules. Throws an Error for an unknown network. */
export function bitcoin(at: { esplora: string; network: string }): BitcoinConfig {
  return {
    id: 'bitcoin',
    network: networkOf(at.network),
    esplora: at.esplora.replace(/\/+$/, ''),
    payoutBlocks: 3,
    payinBlocks: 6,
    fallbackRate: 10_000n,
    maxRate: 300_000n,
    maxFee: 5_000_000n,
    timeoutMs: 5000,
    pollMs: 10_000,
  };
}
