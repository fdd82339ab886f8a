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
 * Ethereum's side of the sandbox, and that of chains like it: a real node (anvil) kept by this process, told over the
 * JSON-RPC that providers sell, and a customer who has coin and tokens.
 *
 * - **Bank**: the customer's account with the genesis coins and the right to mint the test USDT.
 * - **Endow**: to give a fresh account what it is about to pay, in a block mined at once.
 * - **Quiet**: nothing waits and the newest transaction is deep; then blocks come once a minute.
 */

export { anvilBinary } from './anvil.ts';
export { BSC, ETHEREUM, type EvmNetwork } from './networks.ts';

/** A customer's node takes a transfer for settled at this depth; so deep is the desk's own money at the start. */
const FUNDING_DEPTH = 13;

/** A currency of a chain: its unit, and the decimals that the chain itself counts it in. */
interface Kind {
  readonly unit: string;
  readonly kind: 'tokens' | 'coin';
  readonly decimals: number;
}

export interface EvmOptions {
  /** Ethereum when absent. */
  readonly network?: EvmNetwork;
  /** The sandbox's own folder; absent: nothing is kept. */
  readonly folder?: string;
  /** Milliseconds between blocks while there is something to mine; absent: only when told. */
  readonly blockMs?: number;
}

/** The counterpart of one chain, with what only tests ask of it. */
export interface Evm extends ChainCounterpart {
  readonly network: EvmNetwork;
  readonly chain: EvmChain;
  readonly customer: Customer;
}

/** Opens the chain (from its folder, or a new one), deploys the contracts where they aren't yet, and begins to mine. */
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
 * What the token's owner can do to somebody's account, or to all: no transfer from or to it succeeds from the next block on.
 */
function tricksOf(customer: Customer): NonNullable<ChainCounterpart['tricks']> {
  return {
    block: async ({ account, blocked }) => {
      await customer.govern('setBlackListed', [address(String(account), 'account'), blocked !== false]);
      return { account };
    },
  };
}

/** Kept on the disk before it is answered: a payment that was told must outlive a kill of this process. */
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
    // A node that died is started again; its next block comes with the next tick.
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

/** What an amount is in the chain's own counting. */
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
