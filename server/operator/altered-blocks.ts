import { openBlocks } from '../compliance/index.ts';
import type { Statements } from '../platform/index.ts';
import { blockActions } from './people/store.ts';

/** Customers whose blocks, or the keys of these, are not what the audit says was done: a block that is gone stops nobody. */
export async function alteredBlocks(db: Statements): Promise<string[]> {
  const wanted = new Map<string, Set<string>>();
  for (const { act, who, keys } of await blockActions(db)) {
    if (act === 'unblock') wanted.delete(who);
    else wanted.set(who, new Set([...(wanted.get(who) ?? []), ...keys]));
  }
  const stand = new Map((await openBlocks(db)).map(({ who, keys }) => [who, keys]));
  const text = (keys: Iterable<string> | undefined): string => [...(keys ?? [])].sort().join(' ');
  return [...new Set([...wanted.keys(), ...stand.keys()])].filter((who) => text(wanted.get(who)) !== text(stand.get(who)));
}
