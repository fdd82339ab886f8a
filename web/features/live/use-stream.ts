import { useEffect, useState } from 'react';
import { type Followed, follow } from './follow.ts';

interface Watched extends Pick<Followed, 'path' | 'ask'> {
  /** Change token of the state that the page shows. */
  readonly mark: string;
}

/**
 * Follows an object by its event stream, and calls `onNews` when it has changed since `mark`. `ask` must stay the same function
 * while the object is the same. Returns false while the connection is lost.
 */
export function useStream({ path, ask, mark }: Watched, onNews: () => void): boolean {
  const [connected, setConnected] = useState(true);
  useEffect(() => {
    const stop = new AbortController();
    void follow({ path, seen: () => mark, ask }, stop.signal, onNews, setConnected);
    return () => stop.abort();
  }, [path, ask, mark, onNews]);
  return connected;
}
