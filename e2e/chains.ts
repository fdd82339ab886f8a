import { parse } from '@kurs/money';
import type { System } from './system.ts';

/** Asks the test chains themselves, by their own protocols, with nothing of the product in between. */
export interface Chains {
  /** What an account holds, waiting transactions left out, in the currency's smallest parts. */
  holds(currency: string, account: string): Promise<bigint>;
  /** Confirmations of a bitcoin transaction; 0 while it waits, undefined where nobody knows it. */
  depth(txid: string): Promise<number | undefined>;
  /** What only the other side can do: `bitcoin/replace`, `evm/block`, `rates/move`, … */
  trick(name: string, input: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>;
}

/** The unit in which a currency's amounts are counted. */
export const unitOf = (currency: string): string => (currency.startsWith('USDT') ? 'USDT' : currency);

/** An amount's smallest parts, so that `275.93` and `275.930000` are the same. */
export const partsOf = (currency: string, amount: string): bigint => parse(unitOf(currency), amount).parts;

/** Opens the chains of a running system: Esplora for bitcoin, JSON-RPC for the token on Ethereum. */
export async function openChains(system: System): Promise<Chains> {
  const { ports } = await system.run();
  const esplora = `http://127.0.0.1:${ports.sandbox}/sandbox/bitcoin`;
  const rpc = `http://127.0.0.1:${ports.sandbox}/sandbox/evm`;
  const control = `http://127.0.0.1:${ports.sandboxControl}`;
  const ready = (await (await fetch(`${control}/ready`)).json()) as {
    environment: { KURS_USDT_ERC20: string };
  };
  return {
    holds: (currency, account) =>
      currency === 'BTC' ? bitcoinOf(esplora, account) : tokensOf(rpc, ready.environment.KURS_USDT_ERC20, account),
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

/** github.com/Blockstream/esplora, API.md: `GET /address/:address`. */
async function bitcoinOf(esplora: string, account: string): Promise<bigint> {
  const response = await fetch(`${esplora}/address/${account}`);
  const { chain_stats: stats } = (await response.json()) as {
    chain_stats: { funded_txo_sum: number; spent_txo_sum: number };
  };
  return BigInt(stats.funded_txo_sum) - BigInt(stats.spent_txo_sum);
}

/** ERC-20: `balanceOf(address)`. */
async function tokensOf(rpc: string, contract: string, account: string): Promise<bigint> {
  const data = `0x70a08231${account.slice(2).toLowerCase().padStart(64, '0')}`;
  const response = await fetch(rpc, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to: contract, data }, 'latest'] }),
  });
  return BigInt(((await response.json()) as { result: string }).result);
}
