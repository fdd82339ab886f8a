import { fetchApi } from './api/address.ts';
import { readEvents } from './order/event-stream.ts';

/** Something of ours that changes, as the API numbers how it stands. */
export interface Followed {
  /** Of the API, with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The number of what the page shows by now. */
  readonly seen: () => string;
  /** Asks for the newest number. */
  readonly ask: (signal: AbortSignal) => Promise<string>;
}

const POLL_MS = 5000;
/** Failures in a row after which the stream is given up and the number is asked for; how often, before it is tried again. */
const PATIENCE = 3;
const POLLS = 12;

/**
 * Calls `onNews` when something newer than the page shows has happened, until the signal. A stream read with fetch, resumed
 * by the number that the page shows; where it fails again and again, polling for a minute. `setConnected` hears whether the
 * page is being kept up to date.
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
        // When the news could not be loaded, the page still shows the old number, and the stream tells it again.
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
