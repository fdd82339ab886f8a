import { parse, rescale, scaleOf } from '@kurs/money';
import type { System } from '../harness/system.ts';
import { isOnTron, tronOf, tronTo } from './tron.ts';

/** Queries the test chains by their own protocols, without any code of the product in between. */
export interface Chains {
  /** Returns an account's balance without pending transactions, in the currency's smallest units. */
  holds(currency: string, account: string): Promise<bigint>;
  /** Returns the sum of all confirmed transfers to an account, spent or not, in the currency's smallest units. */
  arrived(currency: string, account: string): Promise<bigint>;
  /** Returns the number of confirmations of a Bitcoin transaction: 0 while it is in the mempool, undefined if it is unknown. */
  depth(txid: string): Promise<number | undefined>;
  /**
   * Calls the sandbox's control server, which does what only the other side can do: `bitcoin/replace`, `evm/block`, `rates/move`,
   * …
   */
  trick(name: string, input: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>;
}

/** Returns the unit in which a currency's amounts are counted. */
export const unitOf = (currency: string): string => (currency.startsWith('USDT') ? 'USDT' : currency);

/** Returns an amount in the currency's smallest units, so that `275.93` and `275.930000` are equal. */
export const partsOf = (currency: string, amount: string): bigint => parse(unitOf(currency), amount).parts;

/** EVM chain: its node, and the token's contract with the contract's number of decimals. */
interface EvmChain {
  readonly rpc: string;
  readonly contract: string;
  readonly decimals: number;
}

/**
 * Connects to the chains of a running system: Esplora for Bitcoin, JSON-RPC for Ethereum and BNB Smart Chain, TronGrid for TRON.
 */
export async function openChains(system: System): Promise<Chains> {
  const { ports } = await system.run();
  const esplora = `http://127.0.0.1:${ports.sandbox}/sandbox/bitcoin`;
  const rpc = (rail: string): string => `http://127.0.0.1:${ports.sandbox}/sandbox/${rail}`;
  const control = `http://127.0.0.1:${ports.sandboxControl}`;
  const ready = (await (await fetch(`${control}/ready`)).json()) as {
    environment: { KURS_USDT_ERC20: string; KURS_USDT_BEP20: string; KURS_USDT_TRC20: string };
  };
  const { KURS_USDT_ERC20, KURS_USDT_BEP20, KURS_USDT_TRC20 } = ready.environment;
  const tron = { api: rpc('tron'), contract: KURS_USDT_TRC20 };
  const ethereum: EvmChain = { rpc: rpc('evm'), contract: KURS_USDT_ERC20, decimals: 6 };
  const bsc: EvmChain = { rpc: rpc('bsc'), contract: KURS_USDT_BEP20, decimals: 18 };
  const chainOf = (currency: string): EvmChain => (currency === 'USDT_BEP20' || currency === 'BNB' ? bsc : ethereum);
  return {
    holds: (currency, account) =>
      currency === 'BTC'
        ? bitcoinOf(esplora, account)
        : isOnTron(currency)
          ? tronOf(tron, currency, account)
          : evmOf(chainOf(currency), currency, account),
    arrived: async (currency, account) =>
      currency === 'BTC'
        ? BigInt((await bitcoinStats(esplora, account)).funded_txo_sum)
        : isOnTron(currency)
          ? tronTo(tron, currency, account)
          : evmTo(chainOf(currency), currency, account),
    depth: async (txid) => {
      const response = await fetch(`${esplora}/tx/${txid}`);
      if (response.status === 404) return undefined;
      const { status } = (await response.json()) as { status: { confirmed: boolean; block_height: number } };
      if (!status.confirmed) return 0;
      const tip = Number.parseInt(await (await fetch(`${esplora}/blocks/tip/height`)).text(), 10);
      return tip - status.block_height + 1;
    },
    trick: async (name, input) => {
      const body = JSON.stringify(input);
      const response = await fetch(`${control}/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      if (!response.ok) throw new Error(`${name} ${body}: ${response.status} ${await response.text()}`);
      return (await response.json()) as Record<string, unknown>;
    },
  };
}

interface BitcoinStats {
  readonly funded_txo_sum: number;
  readonly spent_txo_sum: number;
}

/** github.com/Blockstream/esplora, API.md: `GET /address/:address`. */
async function bitcoinStats(esplora: string, account: string): Promise<BitcoinStats> {
  const response = await fetch(`${esplora}/address/${account}`);
  return ((await response.json()) as { chain_stats: BitcoinStats }).chain_stats;
}

async function bitcoinOf(esplora: string, account: string): Promise<bigint> {
  const stats = await bitcoinStats(esplora, account);
  return BigInt(stats.funded_txo_sum) - BigInt(stats.spent_txo_sum);
}

/**
 * Returns an account's balance: of the chain's own coin in wei, or of the token (ERC-20: `balanceOf(address)`) in USDT's smallest
 * units.
 */
async function evmOf(chain: EvmChain, currency: string, account: string): Promise<bigint> {
  const { rpc, contract, decimals } = chain;
  if (unitOf(currency) === currency) return BigInt(await ask<string>(rpc, 'eth_getBalance', account, 'latest'));
  const call = { to: contract, data: `0x70a08231${wordOf(account)}` };
  return inUnit(BigInt(await ask<string>(rpc, 'eth_call', call, 'latest')), decimals);
}

/**
 * Returns the sum of all transfers to an account: of the coin from the transactions of every block, of tokens from their events.
 */
async function evmTo(chain: EvmChain, currency: string, account: string): Promise<bigint> {
  if (unitOf(currency) !== currency) return tokensTo(chain, account);
  let sum = 0n;
  for (let height = Number.parseInt(await ask<string>(chain.rpc, 'eth_blockNumber'), 16); height > 0; height -= 1) {
    const block = await ask<{ transactions: { to: string | null; value: string }[] }>(
      chain.rpc,
      'eth_getBlockByNumber',
      `0x${height.toString(16)}`,
      true,
    );
    for (const { to, value } of block.transactions) if (to?.toLowerCase() === account.toLowerCase()) sum += BigInt(value);
  }
  return sum;
}

/** Returns the sum of all ERC-20 `Transfer` events to an account, each rounded down to USDT's smallest unit. */
async function tokensTo({ rpc, contract, decimals }: EvmChain, account: string): Promise<bigint> {
  const topics = ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', null, `0x${wordOf(account)}`];
  const filter = { address: contract, topics, fromBlock: '0x0', toBlock: 'latest' };
  const logs = await ask<{ data: string }[]>(rpc, 'eth_getLogs', filter);
  return logs.reduce((sum, { data }) => sum + inUnit(BigInt(data), decimals), 0n);
}

const inUnit = (value: bigint, decimals: number): bigint => rescale(value, decimals, scaleOf('USDT'), 'down');

const wordOf = (account: string): string => account.slice(2).toLowerCase().padStart(64, '0');

async function ask<T>(rpc: string, method: string, ...params: unknown[]): Promise<T> {
  const response = await fetch(rpc, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return ((await response.json()) as { result: T }).result;
}
