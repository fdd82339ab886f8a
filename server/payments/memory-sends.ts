// Sends from our own account, as a memory rail shows them.

import type { OwnSend } from '../rails/rail.ts';
import { type MemoryWorld, slotOf } from './memory-world.ts';

interface Terms {
  readonly world: MemoryWorld;
  readonly provider?: object;
  readonly fuel?: string;
}

/** Returns the sends from our own account. A provider's list also has the reference that we gave. */
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
