import { blocksNotLifted } from '../compliance/index.ts';
import type { Statements } from '../platform/index.ts';
import { blockActions } from './people/store.ts';

interface Wanted {
  readonly keys: readonly string[];
  readonly until: string | null;
}

/**
 * Customers whose blocks, their ends or their keys, are not what the audit says was done: a block that is gone, or ended before
 * its time, stops nobody.
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
