import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { MoneyError, format, money, parse, rescale, scaleOf } from '@kurs/money';
import type { Address } from 'viem';
import { getAddress, isAddress } from 'viem/utils';
import { type ChainCounterpart, type Funding, type Paid, type Payment, Refused } from '../counterpart.ts';
import { Faults } from '../faults.ts';
import { NodeError } from './anvil.ts';
import { EvmChain } from './chain.ts';
import { Customer } from './customer.ts';
import { mountJsonRpc } from './json-rpc.ts';
import { CustomerKeys } from '../customer-keys.ts';
import { ETHEREUM, type EvmNetwork } from './networks.ts';

/**
 * Counterpart of Ethereum and similar chains: a real node (anvil) that this process runs, served over the JSON-RPC that providers
 * sell, and a customer who has coin and tokens.
 *
 * - **Bank**: the customer's account with the genesis coins and the right to mint the test USDT.
 * - **Endow**: give a fresh account what it is about to pay, in a block that is mined immediately.
 * - **Quiet**: no transaction waits, and the newest one is deep. Then a block comes once a minute.
 */

export { anvilBinary } from './anvil.ts';
export { BSC, ETHEREUM, type EvmNetwork } from './networks.ts';

/** Depth at which the desk's initial money lies: a transfer this deep counts as settled. */
const FUNDING_DEPTH = 13;

/** Currency of a chain: its unit, and its decimals on the chain. */
interface Kind {
  readonly unit: string;
  readonly kind: 'tokens' | 'coin';
  readonly decimals: number;
}

export interface EvmOptions {
  /** Ethereum if absent. */
  readonly network?: EvmNetwork;
  /** Folder of the sandbox; if absent, nothing is stored. */
  readonly folder?: string;
  /** Time between blocks while there is something to mine, in ms; if absent, blocks are mined on request only. */
  readonly blockMs?: number;
}

/** Counterpart of one chain, with parts for tests. */
export interface Evm extends ChainCounterpart {
  readonly network: EvmNetwork;
  readonly chain: EvmChain;
  readonly customer: Customer;
}

/** Opens the chain (from its folder, or a new one), deploys missing contracts, and starts mining. */
export async function openEvm(options: EvmOptions = {}): Promise<Evm> {
  const { network = ETHEREUM, folder, blockMs } = options;
  const { rail, chainId, slots, variables } = network;
  if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = (suffix: string): string | undefined => (folder === undefined ? undefined : join(folder, `${rail}.${suffix}`));
  const saved = file('json');
  const chain = await EvmChain.open({ chainId, slots, ...(saved !== undefined && { file: saved }) });
  const customer = await Customer.open(chain, new CustomerKeys(file('keys')), network.token.decimals);
  const kinds = kindsOf(network);
  const faults = new Faults();
  const timer = blockMs === undefined ? undefined : mineByItself(chain, blockMs);
  return {
    rail,
    network,
    currencies: Object.keys(kinds),
    faults,
    chain,
    customer,
    environment: (base) => ({
      [variables.rpc]: base,
      [variables.chainId]: `${chainId}`,
      [variables.token]: customer.contracts.usdt,
    }),
    mount: (scope) => {
      faults.mount(scope);
      mountJsonRpc(scope, () => chain.url(), faults);
    },
    pay: (payment) => pay(chain, customer, kinds, payment),
    address: async () => customer.address(),
    balance: async (currency, account) => balance(chain, customer, known(kinds, currency), account),
    mine: (blocks) => chain.mine(blocks),
    reorg: (depth, drop) => reorg(chain, depth, drop),
    fund: (funding) => fund(chain, customer, kinds, funding),
    tricks: tricksOf(customer),
    close: async () => {
      clearInterval(timer);
      await chain.close();
    },
  };
}

/**
 * Returns the tricks for tests. `block`: as the token's owner, makes all transfers from or to an account fail from the next block
 * on.
 */
function tricksOf(customer: Customer): NonNullable<ChainCounterpart['tricks']> {
  return {
    block: async ({ account, blocked }) => {
      await customer.govern('setBlackListed', [address(String(account), 'account'), blocked !== false]);
      return { account };
    },
  };
}

/** Pays, and stores the chain before it answers: a reported payment must survive a kill of this process. */
async function pay(chain: EvmChain, customer: Customer, kinds: Kinds, { currency, to, amount }: Payment): Promise<Paid> {
  const { kind, value } = sum(kinds, currency, amount);
  const payee = address(to, 'to');
  const paid = kind === 'tokens' ? await customer.payTokens(payee, value) : await customer.payCoin(payee, value);
  await chain.save();
  return paid;
}

async function fund(chain: EvmChain, customer: Customer, kinds: Kinds, { currency, to, amount }: Funding): Promise<void> {
  const { kind, value } = sum(kinds, currency, amount);
  await customer.give(address(to, 'to'), kind, value);
  await chain.mine(FUNDING_DEPTH - 1);
  await chain.save();
}

async function balance(chain: EvmChain, customer: Customer, { unit, kind, decimals }: Kind, account: string): Promise<string> {
  const holder = address(account, 'account');
  const data = `0x70a08231${holder.slice(2).toLowerCase().padStart(64, '0')}`;
  const held =
    kind === 'coin'
      ? await chain.call<string>('eth_getBalance', holder, 'pending')
      : await chain.call<string>('eth_call', { to: customer.contracts.usdt, data }, 'pending');
  return format(money(unit, rescale(BigInt(held), decimals, scaleOf(unit), 'down')));
}

async function reorg(chain: EvmChain, depth: number, drop: boolean): Promise<number> {
  try {
    return await chain.reorg(depth, drop);
  } catch (error) {
    if (error instanceof NodeError) throw new Refused('depth', `The node keeps no state that old: ${error.message}`);
    throw error;
  }
}

function mineByItself(chain: EvmChain, blockMs: number): NodeJS.Timeout {
  let busy = false;
  return setInterval(() => {
    if (busy) return;
    busy = true;
    // A dead node is started again; its next block comes with the next tick.
    void chain
      .tick()
      .catch(() => undefined)
      .finally(() => {
        busy = false;
      });
  }, blockMs).unref();
}

type Kinds = Readonly<Record<string, Kind>>;

function kindsOf({ native, token }: EvmNetwork): Kinds {
  return {
    [token.currency]: { unit: token.unit, kind: 'tokens', decimals: token.decimals },
    [native]: { unit: native, kind: 'coin', decimals: 18 },
  };
}

function known(kinds: Kinds, currency: string): Kind {
  const found = Object.hasOwn(kinds, currency) ? kinds[currency] : undefined;
  if (!found) throw new Refused('currency', `There is no ${currency} here`);
  return found;
}

/** Converts an amount to the chain's decimals. */
function sum(kinds: Kinds, currency: string, amount: string): { readonly kind: 'tokens' | 'coin'; readonly value: bigint } {
  const { unit, kind, decimals } = known(kinds, currency);
  try {
    return { kind, value: rescale(parse(unit, amount).parts, scaleOf(unit), decimals, 'down') };
  } catch (error) {
    if (error instanceof MoneyError) throw new Refused('amount', error.message);
    throw error;
  }
}

function address(text: string, field: string): Address {
  if (!isAddress(text)) throw new Refused(field, 'No address of this chain');
  return getAddress(text);
}
