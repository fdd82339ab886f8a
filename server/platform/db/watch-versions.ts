import { every } from '../base/sweeper.ts';

/** Tells listeners of things that count their changes. */
export interface VersionWatch {
  /** Calls back with each new version of a thing after `seen`. Gives the way to stop. */
  listen(id: string, seen: number, changed: (version: number) => void): () => void;
  stop(): Promise<void>;
}

interface Listener {
  readonly id: string;
  seen: number;
  readonly changed: (version: number) => void;
}

/**
 * Begins to look, each so many milliseconds, by one `read` for all listeners of the process; `name` is the loop's in the
 * log. What `read` doesn't give has not changed.
 */
export function watchVersions(
  ms: number,
  name: string,
  read: (ids: string[]) => Promise<ReadonlyMap<string, number>>,
): VersionWatch {
  const listeners = new Set<Listener>();
  const sweeper = every(ms, name, async () => {
    if (listeners.size === 0) return;
    const versions = await read([...new Set([...listeners].map(({ id }) => id))]);
    for (const listener of listeners) {
      const version = versions.get(listener.id);
      if (version === undefined || version <= listener.seen) continue;
      listener.seen = version;
      listener.changed(version);
    }
  });
  return {
    listen(id, seen, changed) {
      const listener = { id, seen, changed };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop: () => sweeper.stop(),
  };
}
