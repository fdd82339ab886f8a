import { useEffect, useState } from 'react';
import { browserClient } from '../client.ts';
import { follow } from '../follow.ts';

interface Watched {
  readonly id: string;
  readonly token: string;
  /** The newest event that the page knows. */
  readonly seq: number;
}

/** Watches an order and calls `onNews` when something newer than `seq` happened. Gives whether the page is being kept up to date. */
export function useOrderStream({ id, token, seq }: Watched, onNews: () => void): boolean {
  const [connected, setConnected] = useState(true);
  useEffect(() => {
    const stop = new AbortController();
    const path = `order/status?${new URLSearchParams({ id, token })}`;
    const ask = async (signal: AbortSignal) => String((await browserClient.orderStatus({ id, token }, { signal })).seq);
    void follow({ path, seen: () => String(seq), ask }, stop.signal, onNews, setConnected);
    return () => stop.abort();
  }, [id, token, seq, onNews]);
  return connected;
}
