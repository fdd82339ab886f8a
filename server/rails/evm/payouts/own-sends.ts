import type { Address, Hex } from 'viem';
import { getAddress } from 'viem/utils';
import type { OwnPayment, OwnSend, OwnSends, WalletState } from '../../rail.ts';
import { sameAddress } from '../address.ts';
import { type Chain, toParts } from '../chain.ts';
import { count, expect, quantity } from '../client.ts';
import { type RawTransaction, useOf } from './nonce-used-by.ts';
import { lastNonce, nonceSpend, readTransfer } from './transaction.ts';

/** Maximum number of unknown nonces that are reported one by one. More are one range: new books over an old account. */
const MAX_APART = 20;

/**
 * Returns sends of the hot wallet that the given state doesn't know. Their nonces are above those of our rows, or they took the nonce
 * of an unfinished send of ours. Pending ones count too. Throws `RpcError` or `Unreachable` if they can't be read.
 */
export async function ownSends(chain: Chain, state: WalletState): Promise<OwnSends> {
  const { client, hot, config } = chain;
  // Throws if the node is of another chain, or behind.
  const { height } = await chain.head();
  const [latest, pending] = await client.batch(
    ['latest', 'pending'].map((block) => ({ method: 'eth_getTransactionCount', params: [hot, block] })),
  );
  const mined = count(expect(latest));
  const used = Math.max(mined, count(expect(pending)));
  const next = Math.max(state.nextNonce ?? 0, (lastNonce(state.spent, config.chainId, hot) ?? -1) + 1);
  const unknown = used - next > MAX_APART ? [rangeOf(chain, next, used - 1)] : await each(chain, { next, used, mined, height });
  return { sends: [...unknown, ...(await replaced(chain, state, { mined, height }))] };
}

function rangeOf({ config, hot }: Chain, first: number, last: number): OwnSend {
  const spend = `${nonceSpend(config.chainId, hot, first)}-${last}`;
  return { reference: spend, spend, nonces: { first, last }, pays: [] };
}

interface Counted {
  readonly mined: number;
  readonly height: number;
}

/** Returns a send for each nonce that our rows don't know, with its transaction if the node still shows it. */
async function each(chain: Chain, { next, used, mined, height }: Counted & { next: number; used: number }): Promise<OwnSend[]> {
  const sends: OwnSend[] = [];
  for (let nonce = next; nonce < used; nonce += 1) {
    const found = nonce < mined ? await useOf(chain.client, chain.hot, nonce, height) : undefined;
    sends.push(found ? sendOf(chain, nonce, found.transaction, found.time) : bare(chain, nonce));
  }
  return sends;
}

function bare({ config, hot }: Chain, nonce: number): OwnSend {
  const spend = nonceSpend(config.chainId, hot, nonce);
  return { reference: spend, spend, nonces: { first: nonce, last: nonce }, pays: [] };
}

/** Returns mined transactions that used the nonce of an unfinished send of ours, and are no such send. */
async function replaced(chain: Chain, state: WalletState, { mined, height }: Counted): Promise<OwnSend[]> {
  const { client, config, hot } = chain;
  const ours = state.unconfirmed.flatMap(({ txid, spends = [] }) => {
    const nonce = lastNonce(spends, config.chainId, hot);
    return nonce === undefined || nonce >= mined ? [] : [{ txid, nonce }];
  });
  const receipts = await client.batch(ours.map(({ txid }) => ({ method: 'eth_getTransactionReceipt', params: [txid] })));
  const happened = new Set(ours.flatMap(({ nonce }, at) => (expect<object | null>(receipts[at]) === null ? [] : nonce)));
  const sends: OwnSend[] = [];
  for (const nonce of new Set(ours.map((one) => one.nonce))) {
    if (happened.has(nonce)) continue;
    const found = await useOf(client, hot, nonce, height);
    const isOurs = ours.some(({ txid }) => txid.toLowerCase() === found?.transaction.hash.toLowerCase());
    if (found && !isOurs) sends.push(sendOf(chain, nonce, found.transaction, found.time));
  }
  return sends;
}

function sendOf(chain: Chain, nonce: number, transaction: RawTransaction, time: number | undefined): OwnSend {
  return {
    ...bare(chain, nonce),
    reference: transaction.hash.toLowerCase(),
    pays: paysOf(chain, transaction),
    ...(time !== undefined && { at: new Date(time * 1_000) }),
  };
}

/** Returns the payment of a transaction in coin or in an allow-listed token; other tokens are not read. */
function paysOf({ config }: Chain, { to, value = '0x0', input = '0x' }: RawTransaction): OwnPayment[] {
  if (!to) return [];
  const token = config.tokens.find(({ contract }) => sameAddress(contract, to as Address));
  const transfer = token && readTransfer(input as Hex);
  if (token && transfer) return [{ currency: token.code, parts: toParts(token, transfer.value), to: transfer.to }];
  const coin = quantity(value);
  return coin > 0n ? [{ currency: config.native, parts: coin, to: getAddress(to) }] : [];
}
