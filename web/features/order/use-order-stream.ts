import { useEffect, useState } from 'react';
import { browserClient } from '../client.ts';
import { readEvents } from './event-stream.ts';

interface Watched {
  readonly id: string;
  readonly token: string;
  /** The newest event that the page knows. */
  readonly seq: number;
}

const POLL_MS = 5000;
/** Failures in a row after which the stream is given up and the status is asked for. */
const PATIENCE = 3;

/**
 * Watches an order and calls `onNews` when something newer than `seq` happened. A stream read with fetch, resumed by
 * the id of its last event; where it fails again and again, polling. Gives whether the page is being kept up to date.
 */
export function useOrderStream(order: Watched, onNews: () => void): boolean {
  const [connected, setConnected] = useState(true);
  const { id, token, seq } = order;
  useEffect(() => {
    const stop = new AbortController();
    void watch({ id, token, seq }, stop.signal, onNews, setConnected);
    return () => stop.abort();
  }, [id, token, seq, onNews]);
  return connected;
}

async function watch(
  order: Watched,
  signal: AbortSignal,
  onNews: () => void,
  setConnected: (is: boolean) => void,
): Promise<void> {
  for (let failures = 0; !signal.aborted && failures < PATIENCE; failures += 1) {
    try {
      const answer = await openStream(order, signal);
      setConnected(true);
      failures = 0;
      // When the news could not be loaded, the page still knows the old number, and the stream tells it again.
      for await (const event of readEvents(answer)) {
        if (BigInt(event.id || '0') <= BigInt(order.seq)) continue;
        onNews();
        break;
      }
    } catch {
      setConnected(false);
    }
    await pause(1000 * 2 ** failures, signal);
  }
  await poll(order, signal, onNews, setConnected);
}

async function openStream({ id, token, seq }: Watched, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(`/api/v1/order/status?${new URLSearchParams({ id, token })}`, {
    headers: { accept: 'text/event-stream', 'client-id': 'web', 'last-event-id': String(seq) },
    signal,
  });
  if (!response.ok || !response.body || !response.headers.get('content-type')?.startsWith('text/event-stream'))
    throw new Error('No stream');
  return response.body;
}

async function poll(order: Watched, signal: AbortSignal, onNews: () => void, setConnected: (is: boolean) => void): Promise<void> {
  while (!signal.aborted) {
    await pause(POLL_MS, signal);
    if (document.hidden) continue;
    try {
      const { seq } = await browserClient.orderStatus({ id: order.id, token: order.token }, { signal });
      setConnected(true);
      if (seq > order.seq) onNews();
    } catch {
      setConnected(false);
    }
  }
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
