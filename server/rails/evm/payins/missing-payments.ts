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
 * What became of payments that a look did not show. Each is looked up by its receipt: it stands where that is of a block of
 * this chain and has the very transfer. Else it is gone where another block stands in the place of its own. What is asked of
 * one payment is asked of one node together.
 */
export function seeker(chain: Chain): (missing: readonly Missing[]) => Promise<readonly Fate[]> {
  return async (missing) => {
    const known = chain.head();
    // Asked once for all; anyone who needs it learns that there is none.
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

/** Two calls that one node answers together; null for what it doesn't have. Throws what it says instead. */
async function pairOf<A, B>(chain: Chain, ...calls: readonly [Call, Call]): Promise<readonly [A | null, B | null]> {
  const answers = await chain.client.batch(calls.map(([method, ...params]) => ({ method, params })));
  for (const answer of answers) if (answer instanceof Error) throw answer;
  return answers as [A | null, B | null];
}

/** The payment as a receipt of this chain shows it: the same transfer, and carried out. */
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

/** Whether a receipt has the transfer of a payment. What a transaction itself carries is the same wherever it is mined. */
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
