import { type Db, every, log } from '../../platform/index.ts';
import { canSend, currencies, estimateSending } from '../../payments/index.ts';
import { type NetworkCost, writeNetworkCosts } from '../directions/store.ts';

const PERIOD_MS = 15_000;

export type PricingWorker = { stop(): Promise<void> };

/**
 * Queries the rails of this process every 15 s for the cost of sending one payout, and stores the costs for all processes. If a
 * rail doesn't answer, its last estimate stays valid for 15 minutes; then the rail's directions close.
 */
export function runCosts(db: Db): PricingWorker {
  return every(PERIOD_MS, 'network costs', async () => {
    const sendable = currencies().filter(({ code }) => canSend(code));
    const costs = new Map<string, NetworkCost>();
    await Promise.all(
      sendable.map(async ({ code }) => {
        try {
          const { currency, parts } = await estimateSending(code);
          costs.set(code, { fuel: currency, parts });
        } catch (error) {
          log.warn('no estimate of a network cost', { currency: code, error });
        }
      }),
    );
    await writeNetworkCosts(db, costs);
  });
}
