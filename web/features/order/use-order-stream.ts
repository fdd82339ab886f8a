import { useCallback } from 'react';
import { browserClient } from '../api/client.ts';
import { useStream } from '../live/use-stream.ts';
import { markOf } from './order.ts';

interface Watched {
  readonly id: string;
  readonly token: string;
  /** Change token of the state that the page shows: the versions of the order and its chat. */
  readonly mark: string;
}

/** Follows an order, and calls `onNews` when it has changed since `mark`. Returns false while the connection is lost. */
export function useOrderStream({ id, token, mark }: Watched, onNews: () => void): boolean {
  const ask = useCallback(
    async (signal: AbortSignal) => markOf(await browserClient.orderStatus({ id, token }, { signal })),
    [id, token],
  );
  return useStream({ path: `order/status?${new URLSearchParams({ id, token })}`, ask, mark }, onNews);
}
