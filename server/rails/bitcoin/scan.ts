import type { Scan, UsedAddress } from '../rail.ts';
import type { Esplora } from './client.ts';
import { type Account, type Branch, CHANGE, RECEIVE } from './keys.ts';

/** Returns a scan for those of our addresses that were ever in a transaction, even a waiting one, and for the coins there. */
export function bitcoinScan(esplora: Esplora, account: Account): Scan {
  const usedOn = async (branch: Branch, indexes: readonly number[]): Promise<UsedAddress[]> => {
    const found = await Promise.all(
      indexes.map(async (index): Promise<UsedAddress[]> => {
        const { address: to } = account.place(branch, index);
        const { transactions, last } = await esplora.newest(to);
        if (transactions.length === 0 && last === undefined) return [];
        const parts = (await esplora.unspent(to)).reduce((sum, { value }) => sum + value, 0n);
        return [{ index, to, holds: parts > 0n ? [{ currency: 'BTC', parts }] : [] }];
      }),
    );
    return found.flat();
  };
  return {
    receiving: (indexes) => usedOn(RECEIVE, indexes),
    change: (indexes) => usedOn(CHANGE, indexes),
  };
}
