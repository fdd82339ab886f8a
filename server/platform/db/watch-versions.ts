import { every } from '../base/sweeper.ts';
import { type Topic, onWake } from './wakes.ts';

/** Notifies listeners of new versions of things that count their changes. */
export interface VersionWatch {
  /** Calls `changed` with each version of a thing that is newer than `seen`. Returns a function that ends this. */
  listen(id: string, seen: number, changed: (version: number) => void): () => void;
  stop(): Promise<void>;
}

interface Listener {
  readonly id: string;
  seen: number;
  readonly changed: (version: number) => void;
}

/** Shortest time between the end of a poll and the next one that a notification begins. */
const CALM_MS = 50;

/**
 * Polls the versions of things every `ms` milliseconds, and at each notification of `topics`, with one `read` for all listeners
 * of the process. `name` names the loop in the log. A thing that `read` doesn't return has not changed.
 */
export function watchVersions(
  ms: number,
  name: string,
  read: (ids: string[]) => Promise<ReadonlyMap<string, number>>,
  topics: readonly Topic[] = [],
): VersionWatch {
  const listeners = new Set<Listener>();
  const sweeper = every(ms, name, poll, { calmMs: CALM_MS });
  // Waits for the topics only while there are listeners.
  let deaf: (() => void)[] = [];
  const hear = (): void => void (deaf = topics.map((topic) => onWake(topic, () => sweeper.wake())));
  const stopHearing = (): void => {
    for (const stop of deaf) stop();
    deaf = [];
  };
  async function poll(): Promise<void> {
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
