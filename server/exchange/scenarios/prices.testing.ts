import type { Tx } from '../../platform/index.ts';
import { recordSnapshot } from '../../rates/index.ts';

/** Stores a snapshot of market prices: a bitcoin at `btc` USD, all other assets at their usual prices. */
export async function recordPrices(tx: Tx, btc: string, ltc?: string, eur?: string): Promise<void> {
  const usual = { at: tx.now.toISOString(), live: 3, deviation: '0.0500' };
  const body = {
    assets: {
      USD: { bid: '1', ask: '1', live: 1, deviation: '0.0000' },
      USDT: { ...usual, bid: '1', ask: '1', deviation: '0.0100' },
      BTC: { ...usual, bid: btc, ask: btc },
      ETH: { ...usual, bid: '3000', ask: '3000' },
      TRX: { ...usual, bid: '0.3', ask: '0.3' },
      ...(ltc !== undefined && { LTC: { ...usual, bid: ltc, ask: ltc } }),
      ...(eur !== undefined && { EUR: { ...usual, bid: eur, ask: eur, deviation: '0.0100' } }),
    },
    sources: {},
    isSeeded: true,
  };
  await recordSnapshot(tx, body);
}
