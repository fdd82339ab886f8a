/** A bitcoin network: how its addresses are written, and the coin type of its keys (SLIP 44). */
export interface Network {
  readonly name: NetworkName;
  readonly bech32: string;
  readonly pubKeyHash: number;
  readonly scriptHash: number;
  readonly wif: number;
  readonly coinType: 0 | 1;
}

type NetworkName = 'mainnet' | 'testnet' | 'regtest';

/** `regtest` is written as bcoin writes it, which is what the sandbox runs. */
const NETWORKS: Readonly<Record<NetworkName, Network>> = {
  mainnet: { name: 'mainnet', bech32: 'bc', pubKeyHash: 0x00, scriptHash: 0x05, wif: 0x80, coinType: 0 },
  testnet: { name: 'testnet', bech32: 'tb', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef, coinType: 1 },
  regtest: { name: 'regtest', bech32: 'rb', pubKeyHash: 0x3c, scriptHash: 0x26, wif: 0x5a, coinType: 1 },
};

/** What the rail must know of its network and of the desk's rules. Fee rates are in millisatoshi per virtual byte. */
export interface BitcoinConfig {
  readonly id: string;
  readonly network: Network;
  /** Base URL of an Esplora API. */
  readonly esplora: string;
  /** Blocks within which our own sends are to be mined, and within which a customer's fee must get theirs mined. */
  readonly payoutBlocks: number;
  readonly payinBlocks: number;
  /** The rate where Esplora estimates nothing. */
  readonly fallbackRate: bigint;
  /** Above this rate a send waits. */
  readonly maxRate: bigint;
  /** Most satoshi that one transaction may pay the network. */
  readonly maxFee: bigint;
  /** Milliseconds after which a call that has no reply is given up. */
  readonly timeoutMs: number;
  /** Milliseconds that a look at many addresses may take: what was not read by then is told as unread. */
  readonly pollMs: number;
}

/** A network by its name. Throws for a name that is none. */
export function networkOf(name: string): Network {
  const network = Object.values(NETWORKS).find((candidate) => candidate.name === name);
  if (!network) throw new Error(`No bitcoin network is called ${name}`);
  return network;
}

/** The bitcoin rail on a network, with the usual rules. */
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
