import type { PublicKeys } from '../signer.ts';
import { depositAddresses, requireContracts, toHex } from './address.ts';
import { type Reply, type TronClient, Unreachable, count, integer, part, parts, said, tronClient, word } from './client.ts';
import type { TronConfig, TronMoney, TronToken } from './config.ts';
import { transferArguments, wordOf } from './transaction.ts';

/** A block as the node shows it. */
export interface Block {
  readonly height: number;
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** The newest block, and the newest solid one: blocks up to it are irreversible. */
export interface Head extends Block {
  readonly solid: Block;
}

/** Current prices in sun, by the chain's own parameters: of one unit of energy, and of one byte of bandwidth. */
export interface Prices {
  readonly energy: bigint;
  readonly byte: bigint;
  /** Creating the receiver's account by a transfer of TRX: the fee of the system contract, and the fee instead of bandwidth. */
  readonly activation: bigint;
}

/** Blocks that a call covers: `wallet` up to the newest one, `walletsolidity` only solid ones. */
export type View = 'wallet' | 'walletsolidity';

/** Shared parts of this rail: the node's client, our addresses, and the newest head seen so far. */
export interface Chain {
  readonly config: TronConfig;
  readonly client: TronClient;
  readonly hot: string;
  readonly deposit: (index: number) => string;
  /** Returns the current head. Throws `Unreachable` if the node fails, or is behind the newest head seen before the call. */
  head(): Promise<Head>;
  prices(): Promise<Prices>;
}

/** Time for which prices are cached. */
const PRICES_MS = 60_000;

/** The node answers, but doesn't know our contracts: it belongs to another network. A retry doesn't help. */
export class WrongNode extends Unreachable {}

/** Opens a chain without calling the node yet. Throws an Error for an invalid token contract. */
export function openChain(config: TronConfig, keys: PublicKeys['tron']): Chain {
  requireContracts(config.tokens);
  const client = tronClient(config);
  let newest: Head | undefined;
  let priced: { readonly prices: Prices; readonly until: number } | undefined;
  return {
    config,
    client,
    hot: keys.hot,
    deposit: depositAddresses(keys.xpub),
    head: async () => {
      // A slower concurrent call may return an older block. Only a head known before this call proves the node to be behind.
      const known = newest;
      const [solid, latest] = await Promise.all([blockAt(client, 'walletsolidity'), blockAt(client, 'wallet')]);
      if (!solid || !latest) throw new Unreachable('The node has no newest block');
      if (known && latest.height < known.height && latest.time <= known.time)
        throw new Unreachable(`The node is behind: block ${latest.height}, it was ${known.height}`);
      const found: Head = { ...latest, solid };
      if (newest === known || !newest || latest.time > newest.time) newest = found;
      return found;
    },
    prices: async () => {
      if (!priced || performance.now() > priced.until)
        priced = { prices: await askPrices(client), until: performance.now() + PRICES_MS };
      return priced.prices;
    },
  };
}

/**
 * Returns the newest block of a view, or the block of a height, without its transactions; undefined if there is none. Throws
 * `Unreachable` if the node fails, or shows a block with another height than its id or the request says.
 */
export async function blockAt(client: TronClient, view: View, height?: number): Promise<Block | undefined> {
  const reply = await client.ask(`${view}/getblock`, { detail: false, ...(height !== undefined && { id_or_num: `${height}` }) });
  const { blockID: id } = reply;
  if (typeof id !== 'string') return undefined;
  const header = part(part(reply, 'block_header'), 'raw_data');
  const block: Block = { height: count(header['number']), id, time: count(header['timestamp']) };
  // A block's id begins with its number. An unchecked height could make every payment look deeply confirmed.
  if (block.height !== Number.parseInt(id.slice(0, 16), 16) || (height !== undefined && block.height !== height))
    throw new Unreachable(`The node shows block ${id.slice(0, 64)} as ${block.height}`);
  return block;
}

/** Reads the prices (developers.tron.network, "GetChainParameters"). Throws `Unreachable` if one is missing or 0. */
async function askPrices(client: TronClient): Promise<Prices> {
  const reply = await client.ask('wallet/getchainparameters');
  const values = new Map(parts(reply, 'chainParameter').map(({ key, value }) => [key, value]));
  const price = (key: string): bigint => {
    const found = integer(values.get(key));
    if (found === 0n) throw new Unreachable(`The node names no ${key}`);
    return found;
  };
  return {
    energy: price('getEnergyFee'),
    byte: price('getTransactionFee'),
    activation: price('getCreateNewAccountFeeInSystemContract') + price('getCreateAccountFee'),
  };
}

/** Returns an account's balance of TRX in sun; undefined if the chain has no such account. Throws `Unreachable`. */
export async function coinOf(client: TronClient, view: View, account: string): Promise<bigint | undefined> {
  const reply = await client.ask(`${view}/getaccount`, { address: toHex(account) });
  return reply['address'] === undefined ? undefined : integer(reply['balance']);
}

/** Returns an account's balance of a token, in its minor units. Throws `Unreachable`. */
export async function tokensOf(client: TronClient, view: View, token: TronToken, account: string): Promise<bigint> {
  const reply = await callConstant(client, view, token, account, 'balanceOf(address)', wordOf(account));
  const [held] = (reply['constant_result'] ?? []) as unknown[];
  return word(held);
}

/** The network would not carry out this transfer: the receiver is blocked, or the balance is too small. */
export class Reverts extends Error {}

/** Returns the energy that a transfer of a token would use now. Throws `Reverts` or `Unreachable`. */
export async function energyOf(
  client: TronClient,
  token: TronToken,
  { from, to, value }: { from: string; to: string; value: bigint },
): Promise<bigint> {
  const reply = await callConstant(client, 'wallet', token, from, 'transfer(address,uint256)', transferArguments(to, value));
  const outcome = parts(part(reply, 'transaction'), 'ret')[0]?.['ret'];
  if (outcome === 'FAILED') throw new Reverts(said(part(reply, 'result')['message']) || 'the call fails');
  const energy = integer(reply['energy_used']);
  if (energy === 0n) throw new Unreachable('The node named no energy');
  return energy;
}

async function callConstant(
  client: TronClient,
  view: View,
  token: TronToken,
  owner: string,
  selector: string,
  parameter: string,
): Promise<Reply> {
  const reply = await client.ask(`${view}/triggerconstantcontract`, {
    owner_address: toHex(owner),
    contract_address: toHex(token.contract),
    function_selector: selector,
    parameter,
  });
  const result = part(reply, 'result');
  if (result['result'] !== true) throw new WrongNode(`The node can't call ${token.code}: ${said(result['message'])}`);
  return reply;
}

/**
 * Returns the smaller of a balance now and in solid blocks, 0 if either is missing. No reorg takes that amount away, and no
 * transaction has spent it yet.
 */
export async function atHand(ask: (view: View) => Promise<bigint | undefined>): Promise<bigint> {
  const [now, solid] = await Promise.all([ask('wallet'), ask('walletsolidity')]);
  return (now ?? 0n) < (solid ?? 0n) ? (now ?? 0n) : (solid ?? 0n);
}

/** Returns a currency's token, or undefined for TRX. Throws an Error for a currency that this chain doesn't carry. */
export function tokenOf(config: TronConfig, currency: string): TronToken | undefined {
  const token = config.tokens.find(({ code }) => code === currency);
  if (!token && currency !== config.coin.code) throw new Error(`${config.id} carries no ${currency}`);
  return token;
}

/** Returns a currency's settings, for TRX or a token. Throws an Error for a currency that this chain doesn't carry. */
export function moneyOf(config: TronConfig, currency: string): TronMoney {
  return tokenOf(config, currency) ?? config.coin;
}
