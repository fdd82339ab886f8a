import type { Fate, Missing } from '../../rail.ts';
import { timeOf } from '../../odd.ts';
import { replacementOf, seekEach } from '../../seek.ts';
import { addressIn, sameAddress } from '../address.ts';
import { type Arrival, type Chain, toParts } from '../chain.ts';
import { Unreachable, count, hex, quantity } from '../client.ts';
import { observedPayment } from './observed-payments.ts';
import { TRANSFER_TOPIC } from '../payouts/transaction.ts';

interface RawReceipt {
  readonly status: string;
  readonly blockHash: string;
  readonly blockNumber: string;
  readonly logs: readonly { readonly address: string; readonly topics: readonly string[]; readonly data: string }[];
}

interface RawBlock {
  readonly number: string;
  readonly hash: string;
  readonly timestamp: string;
}

/**
 * Returns the search for payments that a poll did not show. A payment is there if its receipt is of a block of this chain and has the
 * same transfer. Otherwise it is gone if another block stands at the height of its own. Calls whose answers are compared share one
 * request, so that one node answers both.
 */
export function seeker(chain: Chain): (missing: readonly Missing[]) => Promise<readonly Fate[]> {
  return async (missing) => {
    const known = chain.head();
    // One request for all payments. Each of them awaits it, and fails with its error; here the error is only marked as handled.
    known.catch(() => undefined);
    return seekEach(missing, async (payment) => {
      const head = await known;
      const [latest, receipt] = await pairOf<RawBlock, RawReceipt>(
        chain,
        ['eth_getBlockByNumber', 'latest', false],
        ['eth_getTransactionReceipt', payment.txid],
      );
      if (!latest) throw new Unreachable('The node has no newest block');
      const arrival = receipt && (await statusOf(chain, payment, receipt));
      if (arrival) return { is: 'there', sighting: observedPayment(arrival, head) };
      const { block } = payment;
      const [tip, there] = await pairOf<RawBlock, RawBlock>(
        chain,
        ['eth_getBlockByNumber', 'latest', false],
        ['eth_getBlockByNumber', hex(block?.height ?? 0), false],
      );
      const by = await replacementOf(block, { tip: async () => count(tip?.number), hashAt: async () => there?.hash });
      return by ? { is: 'gone', by } : { is: 'unknown', detail: 'its receipt shows it no more, and its block stands' };
    });
  };
}

type Call = readonly [method: string, ...params: unknown[]];

/** Makes two calls in one request, so that one node answers both. A missing object is null. Throws an error of either call. */
async function pairOf<A, B>(chain: Chain, ...calls: readonly [Call, Call]): Promise<readonly [A | null, B | null]> {
  const answers = await chain.client.batch(calls.map(([method, ...params]) => ({ method, params })));
  for (const answer of answers) if (answer instanceof Error) throw answer;
  return answers as [A | null, B | null];
}

/** Returns a payment by its receipt; undefined if the receipt failed or lacks the transfer. Throws `Unreachable`. */
async function statusOf(chain: Chain, payment: Missing, receipt: RawReceipt): Promise<Arrival | undefined> {
  if (receipt.status !== '0x1' || !brings(chain, payment, receipt)) return undefined;
  const height = count(receipt.blockNumber);
  const block = await chain.client.call<RawBlock | null>('eth_getBlockByNumber', hex(height), false);
  if (block?.hash !== receipt.blockHash) throw new Unreachable('The chain moved while it was read');
  const { key, currency, to, parts, txid, from } = payment;
  return {
    ...{ key, currency, to, parts, txid, height },
    from: from[0] ?? '',
    hash: block.hash,
    minedAt: timeOf(count(block.timestamp) * 1000),
  };
}

/** True if a receipt has the transfer of a payment. Coin leaves no log: its transaction is the same in any block. */
function brings({ config }: Chain, { key, currency, to, parts, txid }: Missing, receipt: RawReceipt): boolean {
  if (key === `${config.chainId}:${txid}:native` || key.startsWith(`${config.chainId}:${txid}:handed:`)) return true;
  const token = config.tokens.find(({ code }) => code === currency);
  return receipt.logs.some(
    ({ address, topics, data }, position) =>
      token !== undefined &&
      key === `${config.chainId}:${txid}:${position}` &&
      sameAddress(address, token.contract) &&
      topics[0] === TRANSFER_TOPIC &&
      sameAddress(addressIn(topics[2] ?? ''), to) &&
      toParts(token, quantity(data)) === parts,
  );
}
