// What a memory rail shows of sends from our own account.

import type { OwnSend } from '../rails/rail.ts';
import { type MemoryWorld, slotOf } from './memory-world.ts';

interface Terms {
  readonly world: MemoryWorld;
  readonly provider?: object;
  readonly fuel?: string;
}

/** As the world shows them; a provider shows the reference of ours that a send bears. */
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
