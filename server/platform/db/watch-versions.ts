import { every } from '../base/sweeper.ts';
import { type Topic, onWake } from './wakes.ts';

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

/** Wakes begin no look sooner than so long after the last. */
const CALM_MS = 50;

/**
 * Begins to look, each so many milliseconds and whenever one of `topics` is told, by one `read` for all listeners of the
 * process; `name` is the loop's in the log. What `read` doesn't give has not changed.
 */
export function watchVersions(
  ms: number,
  name: string,
  read: (ids: string[]) => Promise<ReadonlyMap<string, number>>,
  topics: readonly Topic[] = [],
): VersionWatch {
  const listeners = new Set<Listener>();
  const sweeper = every(ms, name, look, { calmMs: CALM_MS });
  // What nobody looks at here is waited for by nobody.
  let deaf: (() => void)[] = [];
  const hear = (): void => void (deaf = topics.map((topic) => onWake(topic, () => sweeper.wake())));
  const stopHearing = (): void => {
    for (const stop of deaf) stop();
    deaf = [];
  };
  async function look(): Promise<void> {
    if (listeners.size === 0) return;
    const versions = await read([...new Set([...listeners].map(({ id }) => id))]);
    for (const listener of listeners) {
      const version = versions.get(listener.id);
      if (version === undefined || version <= listener.seen) continue;
      listener.seen = version;
      listener.changed(version);
    }
  }
  return {
    listen(id, seen, changed) {
      const listener = { id, seen, changed };
      listeners.add(listener);
      if (listeners.size === 1) hear();
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stopHearing();
      };
    },
    async stop() {
      stopHearing();
      await sweeper.stop();
    },
  };
}
