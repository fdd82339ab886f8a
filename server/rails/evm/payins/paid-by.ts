import { getAddress } from 'viem/utils';
import { timeOf } from '../../odd.ts';
import type { PaidBy, Payin } from '../../rail.ts';
import { addressIn, sameAddress } from '../address.ts';
import { type Arrival, type Chain, isCoin, toParts, tokenOf } from '../chain.ts';
import { Unreachable, count, hex, quantity } from '../client.ts';
import { TRANSFER_TOPIC } from '../payouts/transaction.ts';
import { observedPayment } from './observed-payments.ts';

interface RawReceipt {
  readonly status: string;
  readonly blockHash: string;
  readonly blockNumber: string;
  readonly logs: readonly { readonly address: string; readonly topics: readonly string[]; readonly data: string }[];
}
interface RawTransaction {
  readonly from: string;
  readonly to: string | null;
  readonly value: string;
}
interface RawBlock {
  readonly hash: string;
  readonly timestamp: string;
}
type Sum = Pick<Arrival, 'key' | 'parts' | 'from'>;

/**
 * Returns the query for a transaction's payments to an address, by its receipt: transfers of the token, or the coin that the
 * transaction itself carries.
 */
export function paidBy(chain: Chain): NonNullable<Payin['paidBy']> {
  const { client } = chain;
  return async ({ currency, to }, hash): Promise<PaidBy> => {
    const txid = `0x${hash}`;
    const head = await chain.head();
    const calls = ['eth_getTransactionByHash', 'eth_getTransactionReceipt'].map((method) => ({ method, params: [txid] }));
    const answers = await client.batch(calls);
    for (const answer of answers) if (answer instanceof Error) throw answer;
    const [tx, receipt] = answers as [RawTransaction | null, RawReceipt | null];
    if (!tx) return { is: 'unknown' };
    if (!receipt) return { is: 'waiting' };
    if (receipt.status !== '0x1') return { is: 'mined', payments: [] };
    const height = count(receipt.blockNumber);
    const block = await client.call<RawBlock | null>('eth_getBlockByNumber', hex(height), false);
    if (block?.hash !== receipt.blockHash) throw new Unreachable('The chain moved while it was read');
    const at = { currency, to, txid, height, hash: block.hash, minedAt: timeOf(count(block.timestamp) * 1000) };
    const sums = isCoin(chain.config, currency)
      ? coinIn(chain, tx, { to, txid })
      : tokensIn(chain, receipt, { currency, to, txid });
    return { is: 'mined', payments: sums.map((sum) => observedPayment({ ...at, ...sum }, head)) };
  };
}

type Place = { readonly to: string; readonly txid: string };

function coinIn({ config }: Chain, { from, to: receiver, value }: RawTransaction, { to, txid }: Place): Sum[] {
  const parts = quantity(value);
  if (receiver === null || !sameAddress(receiver, to) || parts === 0n) return [];
  return [{ key: `${config.chainId}:${txid}:native`, parts, from: getAddress(from) }];
}

function tokensIn({ config }: Chain, { logs }: RawReceipt, { currency, to, txid }: Place & { readonly currency: string }): Sum[] {
  const token = tokenOf(config, currency);
  return logs.flatMap(({ address, topics, data }, position): Sum[] => {
    const isOurs = sameAddress(address, token.contract) && topics[0] === TRANSFER_TOPIC && topics.length === 3;
    if (!isOurs || !sameAddress(addressIn(topics[2] ?? ''), to)) return [];
    const parts = toParts(token, quantity(data));
    return parts === 0n ? [] : [{ key: `${config.chainId}:${txid}:${position}`, parts, from: addressIn(topics[1] ?? '') }];
  });
}
