// Screens payments, and reads the alarm about holds, for tests of what only people end the hold of.

import { configureCompliance } from '../compliance/index.ts';
import type { Db } from '../platform/index.ts';
import { foundInRooms } from './state.ts';

const PLAIN = { botKey: 'key', passToken: 'sandbox', isLoopbackCounted: true } as const;

/** Screens payments from now on: those of the account `thief` are held until people decide, those of `mixer` for a time. */
export function screenSenders(): void {
  configureCompliance({
    ...PLAIN,
    screener: async (requests) =>
      requests.map(({ fields: { address } }) => {
        if (address === 'thief') return { score: 1, labels: [{ name: 'stolen funds', kind: 'hard' }] };
        return { score: address === 'mixer' ? 100 : 1 };
      }),
  });
}

/** Ends the screening. */
export const screenNobody = (): void => configureCompliance(PLAIN);

/** Returns the words of the alarms about holds. */
export const heldWords = async (db: Db): Promise<string[]> =>
  (await foundInRooms(db)).flatMap(({ kind, words }) => (kind === 'held' ? [words] : []));
