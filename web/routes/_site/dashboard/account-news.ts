import { clientOf } from '@kurs/contract/client';
import { userChanges, userNotices, userNoticesSeen, userOrders } from '@kurs/contract/paths';
import type { Output, Routes } from '@kurs/contract';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { accessToken, storeToken } from '../../../features/account/access-token.ts';
import { pageTransport } from '../../../features/api/client.ts';
import { GROUPS } from './orders/filter.ts';

const client = clientOf(pageTransport(accessToken), { userChanges, userNotices, userNoticesSeen, userOrders });

/** Latest events of the account. */
export type AccountNotices = Output<Routes['userNotices']>;

/** Data that the dashboard's frame shows around each page: the number of open orders, and the account's latest events. */
export interface Around {
  /** Account's change token at the time when the frame's data was loaded. */
  readonly mark: string | undefined;
  /** Number of the account's open orders; 0 until it is loaded. */
  readonly open: number;
  /** Account's latest events; undefined until they are loaded. */
  readonly reported: AccountNotices | undefined;
  /** True if the last request for the frame's data failed. */
  readonly hasFailed: boolean;
  /** Loads the frame's data again. */
  readonly load: () => void;
  /** Marks the latest events as seen, so that the bell no longer shows them as new. */
  readonly see: () => void;
}

type Loaded = Pick<Around, 'mark' | 'open' | 'reported' | 'hasFailed'>;
const NOTHING: Loaded = { mark: undefined, open: 0, reported: undefined, hasFailed: false };

/**
 * Loads the frame's data once the user is known, and again when the change token in the page's data changes. After a failed
 * request the frame keeps its old data without a message, since the page shows the failure. If the API refuses the session's
 * token, this browser is signed out.
 */
export function useAround(userId: string | undefined, pageMark: string | undefined): Around {
  const [loaded, setLoaded] = useState(NOTHING);
  const ask = useCallback(
    (signal?: AbortSignal): void => {
      loadAround(pageMark, signal).then(
        (now) => signal?.aborted || setLoaded(now),
        (error: unknown) => {
          if (signal?.aborted) return;
          setLoaded((last) => ({ ...last, hasFailed: true }));
          // The session was ended on another device, so this browser signs out, too.
          if ((error as { status?: number }).status === 401) storeToken(null);
        },
      );
    },
    [pageMark],
  );
  useEffect(() => {
    if (userId === undefined) return undefined;
    const stop = new AbortController();
    ask(stop.signal);
    return () => stop.abort();
  }, [userId, ask]);
  return useMemo(
    () => ({
      ...loaded,
      load: () => ask(),
      see: () => {
        setLoaded((now) => (now.reported ? { ...now, reported: { ...now.reported, new: 0 } } : now));
        client.userNoticesSeen({}).catch(() => undefined);
      },
    }),
    [loaded, ask],
  );
}

/**
 * Loads the frame's data. Reads the change token first, so that a change during the other requests is noticed and leads to
 * another load.
 */
async function loadAround(pageMark: string | undefined, signal: AbortSignal | undefined): Promise<Loaded> {
  const options = signal ? { signal } : {};
  const mark = pageMark ?? (await client.userChanges({}, options)).mark;
  const [{ meta }, reported] = await Promise.all([
    client.userOrders({ status: [...GROUPS.open], per_page: 1 }, options),
    client.userNotices({}, options),
  ]);
  return { mark, open: meta.total, reported, hasFailed: false };
}
