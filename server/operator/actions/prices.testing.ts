import type { Db } from '../../platform/index.ts';
import { recordSnapshot, seedRates } from '../../rates/index.ts';

/** Stores a rate of 100 000 USD for a bitcoin. */
export async function recordBitcoin(db: Db): Promise<void> {
  await db.tx(async (tx) => {
    await seedRates(tx, [
      { code: 'USD', kind: 'peg', peg: '1' },
      { code: 'BTC', kind: 'other' },
    ]);
    const live = { live: 3, deviation: '0.0000' };
    const assets = { USD: { ...live, bid: '1', ask: '1' }, BTC: { ...live, bid: '100000', ask: '100000' } };
    await recordSnapshot(tx, { assets, sources: {}, isSeeded: true });
  });
}
