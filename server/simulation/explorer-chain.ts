// A chain in memory as bitcoin's own code sees it: by an explorer whose answers may be short, shared, stale or wrong.

import type { MemoryRail } from '../payments/memory.ts';
import type { Payin } from '../rails/rail.ts';
import { type ChainInMemory, type Explorer, type ExplorerTricks, HONEST, openExplorer } from '../rails/testing.ts';
import type { Dice } from './dice.ts';

type World = MemoryRail['world'];
type ChainTx = NonNullable<ReturnType<ChainInMemory['transaction']>>;

/** Opens an explorer of a memory world's payments in one currency. */
export function exploring(world: World, currency: string): Explorer {
  const transaction = (id: string): ChainTx | undefined => {
    const { tx, block } = world.status(id) ?? {};
    if (!tx) return undefined;
    const { outputs, inputs = [], isReplaceable, isFeeOk } = tx;
    return { id, outputs: outputs.filter((one) => one.currency === currency), inputs, isReplaceable, isFeeOk, block };
  };
  return openExplorer({
    height: () => world.height,
    hashAt: (height) => world.hashAt(height),
    paying: (to) => world.paying(to).flatMap((tx) => transaction(tx.id) ?? []),
    transaction,
    spending: (input) => world.minedSpenders(input).map(({ id }) => id),
  });
}

/** Returns a rail's payin with one currency seen by an explorer and all others as in the memory rail. */
export function explored(inner: Payin, { payin }: Explorer, currency: string): Payin {
  return {
    ...inner,
    tip: async () => (await inner.tip()) && payin.tip(),
    observe: async (addresses, unread) => {
      const others = (await inner.observe(addresses)).filter((one) => one.currency !== currency);
      return [
        ...(await payin.observe(
          addresses.map((address) => ({ ...address, currency })),
          unread,
        )),
        ...others,
      ];
    },
    seek: async (missing) => {
      const others = (await inner.seek?.(missing)) ?? [];
      const fates = await payin.seek(missing);
      return missing.map((one, at) => (one.currency === currency ? fates : others)[at] ?? { is: 'unknown', detail: 'not asked' });
    },
  };
}

const BAD_DAYS = {
  honest: () => ({}),
  shared: (dice) => ({ isShared: true, dust: { waiting: dice.int(20, 60), mined: 0 } }),
  short: (dice) => ({ rows: dice.int(1, 3), dust: { waiting: 0, mined: dice.int(0, 30) } }),
  stale: (dice) => ({ isStale: true, isUnspent: dice.chance(0.5) }),
  hiding: (dice) => {
    const salt = dice.int(0, 9);
    return { hides: (id) => (id.charCodeAt(0) + id.charCodeAt(1) + salt) % 3 === 0, isUnspent: dice.chance(0.5) };
  },
  lying: (dice) => ({ lie: dice.pick(['lower', 'higher', 'another block', 'far above', 'no time']), rows: dice.pick([2, 25]) }),
} satisfies Record<string, (dice: Dice) => Partial<ExplorerTricks>>;

/** The ways in which an explorer answers. */
export const EXPLORERS = Object.keys(BAD_DAYS) as readonly (keyof typeof BAD_DAYS)[];

/** The explorer's way of answering from now on, and its name. */
export function explorerMood(dice: Dice): { readonly name: keyof typeof BAD_DAYS; readonly tricks: ExplorerTricks } {
  const name = dice.pick(EXPLORERS);
  return { name, tricks: { ...HONEST, ...BAD_DAYS[name](dice) } };
}
