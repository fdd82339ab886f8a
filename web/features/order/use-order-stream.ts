import { useEffect, useState } from 'react';
import { browserClient } from '../api/client.ts';
import { follow } from '../follow.ts';
import { markOf } from './order.ts';

interface Watched {
  readonly id: string;
  readonly token: string;
  /** Change token of the state that the page shows: the versions of the order and its chat. */
  readonly mark: string;
}

/** Follows an order, and calls `onNews` when it has changed since `mark`. Returns false while the connection is lost. */
export function useOrderStream({ id, token, mark }: Watched, onNews: () => void): boolean {
  const [connected, setConnected] = useState(true);
  useEffect(() => {
    const stop = new AbortController();
    const path = `order/status?${new URLSearchParams({ id, token })}`;
    const ask = async (signal: AbortSignal) => markOf(await browserClient.orderStatus({ id, token }, { signal }));
    void follow({ path, seen: () => mark, ask }, stop.signal, onNews, setConnected);
    return () => stop.abort();
  }, [id, token, mark, onNews]);
  return connected;
}
