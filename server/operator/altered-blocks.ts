import { blocksNotLifted } from '../compliance/index.ts';
import type { Statements } from '../platform/index.ts';
import { blockActions } from './people/store.ts';

interface Wanted {
  readonly keys: readonly string[];
  readonly until: string | null;
}

/**
 * Returns customers whose block has other keys or another end than the audit says. Without this check, deleting a block's row
 * would silently lift the block.
 */
export async function alteredBlocks(db: Statements): Promise<string[]> {
  const wanted = new Map<string, Wanted>();
  for (const { action, who, keys, until } of await blockActions(db)) {
    if (action === 'unblock') wanted.delete(who);
    else wanted.set(who, { keys: [...(wanted.get(who)?.keys ?? []), ...keys], until });
  }
  const rows = await blocksNotLifted(db);
  const found = new Map(rows.map(({ who, keys, until }) => [who, { keys, until: until?.toISOString() ?? null }]));
  const text = (one: Wanted | undefined): string => [one?.until, ...[...new Set(one?.keys)].sort()].join(' ');
  return [...new Set([...wanted.keys(), ...found.keys()])].filter((who) => text(wanted.get(who)) !== text(found.get(who)));
}
