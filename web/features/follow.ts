import { fetchApi } from './api/address.ts';
import { readEvents } from './order/event-stream.ts';

/** Resource whose changes a page follows. The API numbers its versions. */
export interface Followed {
  /** Path of the stream below `/api/v1/`, with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Returns the version that the page shows. */
  readonly seen: () => string;
  /** Requests the newest version. */
  readonly ask: (signal: AbortSignal) => Promise<string>;
}

const POLL_MS = 5000;
/** Number of failures in a row after which the page polls instead, and number of polls until it tries the stream again. */
const PATIENCE = 3;
const POLLS = 12;

/**
 * Calls `onNews` when a newer version than the page shows exists, until `signal` aborts. Reads a stream, resumed from the version
 * that the page shows. After repeated failures it polls for a minute.
 * `setConnected` is called with true while the page is up to date.
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
        // If loading the news failed, the page still shows the old version, and the stream reports it again.
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
