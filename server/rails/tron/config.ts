/** Settings of the TRON rail. */
export interface TronConfig {
  /** Id of the rail: `tron`. */
  readonly id: string;
  /** URL of a node's HTTP interface with TronGrid's index (`https://api.trongrid.io`). */
  readonly api: string;
  /** TronGrid's API key, sent as `TRON-PRO-API-KEY`; empty if there is none. */
  readonly apiKey: string;
  readonly coin: TronMoney;
  readonly tokens: readonly TronToken[];
  /** Highest fee of one transaction, in sun. */
  readonly maxFee: bigint;
  /** Lifetime of a signed transaction by the chain's clock, in ms. After that it can't be mined. */
  readonly lifeMs: bigint;
  /** Number of solid blocks after a transaction's expiration that prove its absence. */
  readonly blocksAfterEnd: number;
  /** `on` if the node stores internal transactions (`vm.saveInternalTx`), so that coin handed on by contracts can be found. */
  readonly traces: '' | 'on';
  /** Time of one poll, in ms. After it, a poll leaves the remaining work to the next one. */
  readonly pollMs: number;
  /** Timeout of a call, in ms. */
  readonly timeoutMs: number;
}

/** Settings common to TRX and tokens. Both have the decimals of their units. */
export interface TronMoney {
  readonly code: string;
  readonly unit: string;
  /** The network's name for people. */
  readonly network: string;
  readonly decimals: number;
  readonly payDigits: number;
  /** Smallest payment that counts, in minor units. */
  readonly dust: bigint;
  /** Smallest deposit that is worth the cost of its sweep, in minor units. */
  readonly sweepFrom: bigint;
}

/** A token with its allow-listed contract. Transfers of other contracts are ignored, even if they are named USDT. */
export interface TronToken extends TronMoney {
  readonly contract: string;
  /** Energy of a transfer to an address without this token, for estimates of a payout's cost. */
  readonly transferEnergy: bigint;
}

const TRX = 1_000_000n;

/** USDT on TRON's mainnet (tether.to, "Supported protocols"). */
const MAINNET_USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

/** Returns the settings of TRON with TRX and USDT. Takes the endpoint, TronGrid's key and USDT's contract (default: mainnet's). */
export function tron(at: { api: string; apiKey?: string; usdt?: string }): TronConfig {
  return {
    id: 'tron',
    api: at.api.replace(/\/+$/, ''),
    apiKey: at.apiKey ?? '',
    coin: { code: 'TRX', unit: 'TRX', network: 'TRON', decimals: 6, payDigits: 2, dust: TRX / 10n, sweepFrom: 2n * TRX },
    tokens: [
      {
        code: 'USDT_TRC20',
        unit: 'USDT',
        network: 'TRON · TRC-20',
        contract: at.usdt ?? MAINNET_USDT,
        decimals: 6,
        payDigits: 2,
        dust: 10_000n,
        sweepFrom: TRX,
        transferEnergy: 130_285n,
      },
    ],
    maxFee: 100n * TRX,
    lifeMs: 300_000n,
    blocksAfterEnd: 20,
    traces: '',
    pollMs: 9000,
    timeoutMs: 5000,
  };
}
