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

/** The newest block, and the newest that is solid: nothing at or below it changes any more. */
export interface Head extends Block {
  readonly solid: Block;
}

/** What sun buys now, by the chain's own parameters. */
export interface Prices {
  readonly energy: bigint;
  readonly byte: bigint;
  /** A transfer of TRX to an account that isn't there yet: in the system contract, and in place of its bandwidth. */
  readonly activation: bigint;
}

/** The blocks that a node is asked about. */
export type View = 'wallet' | 'walletsolidity';

/** What the parts of this rail share: the node, our addresses, and the newest head that was seen. */
export interface Chain {
  readonly config: TronConfig;
  readonly client: TronClient;
  readonly hot: string;
  readonly deposit: (index: number) => string;
  /** The head now. Throws Unreachable when the node has fallen behind what was seen before. */
  head(): Promise<Head>;
  prices(): Promise<Prices>;
}

const PRICES_MS = 60_000;

/** The node answers, and is none of ours: it doesn't know our contracts. No second try helps. */
export class WrongNode extends Unreachable {}

/** Opens a chain; asks nothing yet. */
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
      // Of two calls under way the slower one may bring the older answer: only what was known before it was asked counts.
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
 * The newest block of a view, or the one of a height, without its transactions; undefined where there is none. Throws
 * Unreachable for one whose height is another than its id says.
 */
export async function blockAt(client: TronClient, view: View, height?: number): Promise<Block | undefined> {
  const reply = await client.ask(`${view}/getblock`, { detail: false, ...(height !== undefined && { id_or_num: `${height}` }) });
  const { blockID: id } = reply;
  if (typeof id !== 'string') return undefined;
  const header = part(part(reply, 'block_header'), 'raw_data');
  const block: Block = { height: count(header['number']), id, time: count(header['timestamp']) };
  // A block's id begins with its number: a height by itself would make every payment deep.
  if (block.height !== Number.parseInt(id.slice(0, 16), 16) || (height !== undefined && block.height !== height))
    throw new Unreachable(`The node shows block ${id.slice(0, 64)} as ${block.height}`);
  return block;
}

/** developers.tron.network, "GetChainParameters". */
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

/** What an account has of TRX; undefined where the chain doesn't know it yet. */
export async function coinOf(client: TronClient, view: View, account: string): Promise<bigint | undefined> {
  const reply = await client.ask(`${view}/getaccount`, { address: toHex(account) });
  return reply['address'] === undefined ? undefined : integer(reply['balance']);
}

/** What an account has of a token. */
export async function tokensOf(client: TronClient, view: View, token: TronToken, account: string): Promise<bigint> {
  const reply = await callConstant(client, view, token, account, 'balanceOf(address)', wordOf(account));
  const [held] = (reply['constant_result'] ?? []) as unknown[];
  return word(held);
}

/** A transfer that the network would not carry out (a blocked receiver, too little there). */
export class Reverts extends Error {}

/** Energy that a token's transfer would take now. Throws Reverts. */
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

/** The less of what an account has now and in solid blocks: no reorg takes that away, and it isn't spent. */
export async function atHand(ask: (view: View) => Promise<bigint | undefined>): Promise<bigint> {
  const [now, solid] = await Promise.all([ask('wallet'), ask('walletsolidity')]);
  return (now ?? 0n) < (solid ?? 0n) ? (now ?? 0n) : (solid ?? 0n);
}

/** A currency's token, or undefined for TRX itself. Throws for a code that this chain doesn't carry. */
export function tokenOf(config: TronConfig, currency: string): TronToken | undefined {
  const token = config.tokens.find(({ code }) => code === currency);
  if (!token && currency !== config.coin.code) throw new Error(`${config.id} carries no ${currency}`);
  return token;
}

/** What a currency is on this chain. Throws for a code that it doesn't carry. */
export function moneyOf(config: TronConfig, currency: string): TronMoney {
  return tokenOf(config, currency) ?? config.coin;
}
