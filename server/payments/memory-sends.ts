// Sends from our own account, as a memory rail shows them.

import type { OwnSend } from '../rails/rail.ts';
import { type MemoryWorld, slotOf } from './memory-world.ts';

interface Terms {
  readonly world: MemoryWorld;
  readonly provider?: object;
  readonly fuel?: string;
}

/** Returns our own sends from the world; a provider shows our reference. */
export function ownSendsOf({ world, provider, fuel }: Terms): OwnSend[] {
  return world.ownSends().map(({ tx: { id, own, outputs }, at }) => {
    const slot = slotOf(own?.spends[0] ?? '');
    const pays = outputs.filter(({ to }) => to !== 'hot' && !world.isOurs(to));
    return {
      reference: id,
      pays,
      ...(own?.spends[0] !== undefined && { spend: own.spends[0] }),
      ...(fuel !== undefined && slot >= 0 && { nonces: { first: slot, last: slot } }),
      ...(provider && { ours: id.replace(/#\d+$/, '') }),
      ...(at && { at }),
    };
  });
}
