import { sumOf, reportOdd, timeOf } from '../odd.ts';
import type { HandedOn, Lies, Payin, ObservedPayment, ReceivingAddress } from '../rail.ts';
import { fromHex, toHex } from './address.ts';
import { type Chain, blockAt, coinOf } from './chain.ts';
import { type Reply, count, each, eachApart, integer, parts } from './client.ts';
import { infoOf, isSolid } from './ending.ts';
import { observedPayment } from './observed-payments.ts';

/**
 * TRX that a contract hands on (an internal transaction). No transaction names the address; only a balance shows it, and the
 * node's record of internal transactions, where it keeps them, says which transaction it was.
 */

/** The key of what one transaction handed on to an address, all of it. */
export const handedKey = (txid: string, to: string): string => `${txid}:handed:${to}`;

/** What is known to have been handed on to addresses, as payments: each where its transaction is, and was carried out. */
export async function handedOnAt(chain: Chain, addresses: readonly ReceivingAddress[]): Promise<ObservedPayment[]> {
  const known = addresses.flatMap(({ to, handedOn = [] }) => handedOn.map((one) => ({ ...one, to })));
  const head = await chain.head();
  const found = await eachApart(chain.config.id, 'what was handed on', known, async ({ to, txid, parts: sum }) => {
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
        { key: handedKey(txid, to), currency: chain.config.coin.code, to, parts: sum, txid, from, block, solid },
        head,
      ),
    ];
  });
  return found.flat();
}

/** What lies at addresses by the solid blocks. */
export async function lies({ client, config, head }: Chain, addresses: readonly string[]): Promise<Lies> {
  const { solid } = await head();
  const found = await eachApart(config.id, 'what lies at a place', addresses, async (to) => {
    const held = (await coinOf(client, 'walletsolidity', to)) ?? 0n;
    return [to, held] as const;
  });
  return { currency: config.coin.code, height: solid.height, parts: new Map(found) };
}

/** The search for what was handed on, by the reports of the solid blocks; absent where the node doesn't keep it. */
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

/** What the calls within a transaction handed on to an address. What was rejected never happened. */
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
