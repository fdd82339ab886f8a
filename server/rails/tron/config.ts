/** TRON, and what of it we use. */
export interface TronConfig {
  /** The rail's id: `tron`. */
  readonly id: string;
  /** A node's HTTP interface with TronGrid's index beside it (`https://api.trongrid.io`). */
  readonly api: string;
  /** TronGrid's key, sent as `TRON-PRO-API-KEY`; empty: none. */
  readonly apiKey: string;
  readonly coin: TronMoney;
  readonly tokens: readonly TronToken[];
  /** Most sun that one transaction may cost. */
  readonly maxFee: bigint;
  /** Milliseconds of the chain's clock for which a signed transaction can be mined. */
  readonly lifeMs: bigint;
  /** Solid blocks after a transaction's end before its absence is believed. */
  readonly blocksAfterEnd: number;
  /** Whether the node keeps internal transactions (`vm.saveInternalTx`), so that what a contract hands on can be found. */
  readonly traces: '' | 'on';
  /** Milliseconds after which a look begins to read nothing more that can be left to the next. */
  readonly pollMs: number;
  /** Milliseconds after which a call that has no reply is given up. */
  readonly timeoutMs: number;
}

/** What TRX and a token have in common. Both have the decimals of their units. */
export interface TronMoney {
  readonly code: string;
  readonly unit: string;
  /** The network's name for people. */
  readonly network: string;
  readonly decimals: number;
  readonly payDigits: number;
  /** The smallest payment that counts, in unit parts. */
  readonly dust: bigint;
  /** The smallest deposit that is worth its cost to sweep, in unit parts. */
  readonly sweepFrom: bigint;
}

/** An allow-listed contract. Whatever calls itself USDT elsewhere doesn't exist for us. */
export interface TronToken extends TronMoney {
  readonly contract: string;
  /** Energy of a transfer to somebody who held none, for what a payout is said to cost. */
  readonly transferEnergy: bigint;
}

const TRX = 1_000_000n;

/** USDT on TRON's mainnet (tether.to, "Supported protocols"). */
const MAINNET_USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

/** TRON with TRX and USDT. Takes the endpoint, TronGrid's key and the contract (mainnet's when none is given). */
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
