import { fetchApi } from '../api/address.ts';
import { readEvents } from './event-stream.ts';

/** Object whose changes a page follows, such as an order or an account. The API gives each state of the object a version. */
export interface Followed {
  /** Path of the object's event stream below `/api/v1/`, with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Returns the object's version that the page shows. */
  readonly seen: () => string;
  /** Requests the object's newest version. */
  readonly ask: (signal: AbortSignal) => Promise<string>;
}

const POLL_MS = 5000;
/** Number of consecutive failures of the stream after which the page polls instead. */
const PATIENCE = 3;
/** Number of polls after which the stream is tried again. */
const POLLS = 12;

/**
 * Calls `onNews` whenever the object has a newer version than the page shows, until `signal` aborts. Reads an event stream,
 * resumed from the version that the page shows. After repeated failures this function polls for a minute, then tries the stream
 * again. `setConnected` is called with false if a request has failed, and with true after the next success.
 */
export async function follow(
  what: Followed,
  signal: AbortSignal,
  onNews: () => void,
  setConnected?: (is: boolean) => void,
): Promise<void> {
  while (!signal.aborted) {
    for (let failures = 0; !signal.aborted && failures < PATIENCE; failures += 1) {
      try {
        const answer = await openStream(what, signal);
        setConnected?.(true);
        failures = 0;
        // If the page fails to load the newer version, it still shows the old version. The next stream then reports the newer
        // version again.
        for await (const { id } of readEvents(answer)) {
          if (id === what.seen()) continue;
          onNews();
          break;
        }
      } catch {
        setConnected?.(false);
      }
      await pause(1000 * 2 ** failures, signal);
    }
    for (let polls = 0; !signal.aborted && polls < POLLS; polls += 1) {
      try {
        if (!document.hidden && (await what.ask(signal)) !== what.seen()) onNews();
        setConnected?.(true);
      } catch {
        setConnected?.(false);
      }
      await pause(POLL_MS, signal);
    }
  }
}

async function openStream({ path, headers, seen }: Followed, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const response = await fetchApi(`/api/v1/${path}`, {
    headers: { accept: 'text/event-stream', 'last-event-id': seen(), ...headers },
    signal,
  });
  if (!response.ok || !response.body || !response.headers.get('content-type')?.startsWith('text/event-stream'))
    throw new Error('No stream');
  return response.body;
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
