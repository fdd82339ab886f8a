import { clientOf } from '@kurs/contract/client';
import { userChanges } from '@kurs/contract/paths';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { accessToken } from '../../../../features/account/access-token.ts';
import { pageTransport } from '../../../../features/api/client.ts';
import { follow } from '../../../../features/live/follow.ts';

const client = clientOf(pageTransport(accessToken), { userChanges });

/**
 * Calls `again` whenever the account has changed since the change token `mark`, with which the shown data was loaded. Follows one
 * event stream while the page is visible; without a token it follows no stream. Returns false if the connection is lost.
 */
export function useAccountChanges(mark: string | undefined, again: () => void): boolean {
  const anew = useRef(again);
  useEffect(() => {
    anew.current = again;
  }, [again]);
  const shown = useRef('');
  useEffect(() => {
    shown.current = mark ?? '';
  }, [mark]);
  const visible = useSyncExternalStore(listen, isVisible, () => false);
  const [connected, setConnected] = useState(true);
  const followed = mark !== undefined && visible;
  useEffect(() => {
    if (!followed) return undefined;
    const stop = new AbortController();
    const headers = { authorization: `Bearer ${accessToken()}` };
    void follow(
      { path: 'user/changes', headers, seen: () => shown.current, ask },
      stop.signal,
      () => anew.current(),
      setConnected,
    );
    return () => stop.abort();
  }, [followed]);
  return connected || !followed;
}

/**
 * Returns the account's current change token. If the session has ended, returns a text that equals no token, so that the page
 * loads its data again and notices the end of the session.
 */
async function ask(signal: AbortSignal): Promise<string> {
  try {
    return (await client.userChanges({}, { signal })).mark;
  } catch (error) {
    if ((error as { status?: number }).status === 401) return 'session over';
    throw error;
  }
}

const isVisible = (): boolean => document.visibilityState === 'visible';

function listen(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
}
