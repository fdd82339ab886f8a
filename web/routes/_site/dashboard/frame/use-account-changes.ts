import { clientOf } from '@kurs/contract/client';
import { userChanges } from '@kurs/contract/paths';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { accessToken } from '../../../../features/account/access-token.ts';
import { pageTransport } from '../../../../features/api/client.ts';
import { follow } from '../../../../features/follow.ts';

const client = clientOf(pageTransport(accessToken), { userChanges });

/**
 * Has what is shown loaded anew (`again`) whenever something of the account has changed since `mark`, how it stood when that
 * was loaded. One stream, while somebody looks at the page; without a mark nothing is followed. Gives whether the page is kept
 * up to date, as far as that is known.
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

/** The mark of how the account stands now; another one than any where the session is over, so that the page finds that out. */
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
