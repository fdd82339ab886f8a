import { sumOf, reportOdd, timeOf } from '../odd.ts';
import type { HandedOn, Lies, Payin, ObservedPayment, ReceivingAddress } from '../rail.ts';
import { fromHex, toHex } from './address.ts';
import { type Chain, blockAt, coinOf } from './chain.ts';
import { type Reply, count, each, eachApart, integer, parts } from './client.ts';
import { infoOf, isSolid } from './ending.ts';
import { observedPayment } from './observed-payments.ts';

/**
 * Finds TRX that a contract hands on (an internal transaction). No transaction names the receiving address; only its balance
 * grows. A node that stores internal transactions can say which transaction it was.
 */

/** Returns the key of the payment for all TRX that one transaction handed on to an address. */
export const handedKey = (txid: string, to: string): string => `${txid}:handed:${to}`;

/**
 * Returns the known coin handed on to addresses as payments, each if its transaction is mined and succeeded. Logs and leaves
 * out one that can't be read. Throws `Unreachable` if the head can't be read.
 */
export async function handedOnAt(chain: Chain, addresses: readonly ReceivingAddress[]): Promise<ObservedPayment[]> {
  const known = addresses.flatMap(({ to, handedOn = [] }) => handedOn.map((one) => ({ ...one, to })));
  const head = await chain.head();
  const found = await eachApart(chain.config.id, 'coin handed on', known, async ({ to, txid, parts: sum }) => {
    const info = await infoOf(chain.client, 'wallet', txid);
    if (!info || info['result'] !== undefined) return [];
    const height = count(info['blockNumber']);
    const [block, solid] = await Promise.all([
      blockAt(chain.client, 'wallet', height),
      isSolid(chain.client, head, txid, height),
    ]);
    if (!block || block.time !== count(info['blockTimeStamp'])) return [];
    timeOf(block.time);
    const by = info['contract_address'];
    const from = typeof by === 'string' ? [fromHex(by)] : [];
    return [
      observedPayment(
        { key: handedKey(txid, to), currency: chain.config.coin.code, to, parts: sum, txid, from, block, isSolid: solid },
        head,
      ),
    ];
  });
  return found.flat();
}

/** Returns the TRX balances of addresses in solid blocks. Leaves out addresses that can't be read. Throws `Unreachable`. */
export async function lies({ client, config, head }: Chain, addresses: readonly string[]): Promise<Lies> {
  const { solid } = await head();
  const found = await eachApart(config.id, 'a balance of an address', addresses, async (to) => {
    const held = (await coinOf(client, 'walletsolidity', to)) ?? 0n;
    return [to, held] as const;
  });
  return { currency: config.coin.code, height: solid.height, parts: new Map(found) };
}

/** Returns the search for coin handed on, by the reports of solid blocks; nothing if the node doesn't store them. */
export function tracer({ client, config }: Chain): Pick<Payin, 'traced'> {
  if (config.traces === '') return {};
  return {
    traced: async (to, blocks) => {
      const heights = Array.from({ length: blocks.to - blocks.from + 1 }, (_, at) => blocks.from + at);
      const found = await each(heights, async (num) => {
        const reports = await client.askAll('walletsolidity/gettransactioninfobyblocknum', { num });
        return reports.flatMap((report) => handedBy(config.id, toHex(to), report));
      });
      return found.flat();
    },
  };
}

/** Sums the TRX that calls within a transaction handed on to an address. A rejected call moved nothing. */
function handedBy(rail: string, address: string, report: Reply): HandedOn[] {
  const { id: txid } = report;
  try {
    const own = parts(report, 'internal_transactions').filter(
      ({ transferTo_address: to, rejected }) => to === address && rejected !== true,
    );
    const sums = own.flatMap((one) => parts(one, 'callValueInfo')).filter(({ tokenId }) => tokenId === undefined);
    const sum = sums.reduce((all, { callValue }) => all + sumOf(integer(callValue)), 0n);
    return sum > 0n && typeof txid === 'string' && report['result'] === undefined ? [{ txid, parts: sum }] : [];
  } catch (error) {
    reportOdd(rail, 'an internal transaction', { txid, why: String(error) });
    return [];
  }
}
