import { every } from '../base/sweeper.ts';
import { type Topic, onWake } from './wakes.ts';

/**
 * Notifies listeners of new versions of objects, such as orders. Each object has a version number that rises with every change.
 */
export interface VersionWatch {
  /** Calls `changed` with each new version of the object `id` above `seen`. Returns a function that ends the calls. */
  listen(id: string, seen: number, changed: (version: number) => void): () => void;
  stop(): Promise<void>;
}

interface Listener {
  readonly id: string;
  seen: number;
  readonly changed: (version: number) => void;
}

/** Minimum time in ms between the end of a poll and a poll that a notification begins. */
const CALM_MS = 50;

/**
 * Polls the versions of all objects with listeners, every `ms` milliseconds and at each notification of `topics`. One call of
 * `read` returns the versions; an object missing from its result has not changed. `name`: name of the loop in the log.
 */
export function watchVersions(
  ms: number,
  name: string,
  read: (ids: string[]) => Promise<ReadonlyMap<string, number>>,
  topics: readonly Topic[] = [],
): VersionWatch {
  const listeners = new Set<Listener>();
  const sweeper = every(ms, name, poll, { calmMs: CALM_MS });
  // Functions that end the wait for `topics`. The watch waits for topics only while there are listeners.
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
