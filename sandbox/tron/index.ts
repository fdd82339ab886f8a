import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { MoneyError, format, money, parse } from '@kurs/money';
import { type ChainCounterpart, type Payment, Refused } from '../counterpart.ts';
import { CustomerKeys } from '../customer-keys.ts';
import { Faults } from '../faults.ts';
import { balanceWithWaiting, mountIndex, mountNode } from './api.ts';
import { SOLID_BEHIND, TronChain } from './chain.ts';
import { Customer, hexOf } from './customer.ts';
import { USDT } from './state.ts';
import { addressHex, base58 } from './wire.ts';

/**
 * TRON side of the sandbox: a simulated chain, since no node of TRON can be installed (decision 13), served over a node's HTTP
 * interface and TronGrid's index, and a customer who has TRX and USDT.
 *
 * - **Solid**: a block that 19 others follow; `/walletsolidity` serves these blocks.
 * - **Accepted**: a transaction that passed a node's checks and waits for a block.
 */

const UNITS: Readonly<Record<string, { readonly unit: string; readonly kind: 'tokens' | 'coin' }>> = {
  USDT_TRC20: { unit: 'USDT', kind: 'tokens' },
  TRX: { unit: 'TRX', kind: 'coin' },
};

export interface TronOptions {
  /** Folder of the sandbox; if absent, nothing is stored. */
  readonly folder?: string;
  /** Time between blocks while there is something to mine, in ms; if absent, blocks are mined on request only. */
  readonly blockMs?: number;
}

/** TRON counterpart, with parts for tests. */
export interface Tron extends ChainCounterpart {
  readonly chain: TronChain;
  readonly customer: Customer;
}

/** Opens the chain (from its folder, or a new one) and starts mining. */
export async function openTron({ folder, blockMs }: TronOptions = {}): Promise<Tron> {
  if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const keys = new CustomerKeys(folder === undefined ? undefined : join(folder, 'tron.keys'));
  const chain = new TronChain({ bank: hexOf(keys.bank), ...(folder !== undefined && { file: join(folder, 'tron.jsonl') }) });
  // The newest block's time is the chain's clock, which stood still while no process ran.
  chain.mine(1);
  const customer = new Customer(chain, keys);
  const faults = new Faults();
  const timer = blockMs === undefined ? undefined : setInterval(() => chain.tick(), blockMs).unref();
  return {
    rail: 'tron',
    currencies: Object.keys(UNITS),
    faults,
    chain,
    customer,
    environment: (base) => ({ KURS_TRON_API: base, KURS_USDT_TRC20: base58(USDT) }),
    mount: (scope) => {
      faults.mount(scope);
      mountNode(scope, chain);
      mountIndex(scope, chain, faults);
    },
    pay: async ({ currency, to, amount }: Payment) => {
      const { kind, parts } = sum(currency, amount);
      const { txid, from } = await customer.pay(holder(to, 'to'), kind, parts);
      chain.save();
      return { txid, from: base58(from) };
    },
    address: async () => base58(customer.address()),
    balance: async (currency, account) => {
      const { unit, kind } = known(currency);
      return format(money(unit, balanceWithWaiting(chain, holder(account, 'account'), kind)));
    },
    mine: async (blocks) => chain.mine(blocks),
    reorg: async (depth, drop) => chain.reorg(depth, drop),
    fund: async ({ currency, to, amount }) => {
      const { kind, parts } = sum(currency, amount);
      await customer.give(holder(to, 'to'), kind, parts);
      chain.mine(SOLID_BEHIND);
      chain.save();
    },
    tricks: {
      /** Makes all transfers from or to an account fail from the next block on, as the token's owner. */
      block: async ({ account, blocked }) => {
        customer.block(holder(String(account), 'account'), blocked !== false);
        return { account };
      },
      /** Moves the chain's clock forward by some seconds, so that earlier signed transactions expire. */
      skip: async ({ seconds }) => {
        chain.skip(typeof seconds === 'number' ? seconds * 1000 : 0);
        return { height: chain.mine(1) };
      },
    },
    close: async () => {
      clearInterval(timer);
      chain.save();
      chain.close();
    },
  };
}

function known(currency: string): { readonly unit: string; readonly kind: 'tokens' | 'coin' } {
  const found = Object.hasOwn(UNITS, currency) ? UNITS[currency] : undefined;
  if (!found) throw new Refused('currency', `There is no ${currency} here`);
  return found;
}

function sum(currency: string, amount: string): { readonly kind: 'tokens' | 'coin'; readonly parts: bigint } {
  const { unit, kind } = known(currency);
  try {
    const { parts } = parse(unit, amount);
    if (parts > 0n) return { kind, parts };
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
  }
  throw new Refused('amount', `No amount of ${unit}`);
}

function holder(text: string, field: string): string {
  const hex = addressHex(text);
  if (hex === undefined || !text.startsWith('T')) throw new Refused(field, 'No address of this chain');
  return hex;
}
