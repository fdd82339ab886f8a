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

/** Data that the frame shows around each page: open orders and latest events. */
export interface Around {
  /** Change token of the account when this was loaded. */
  readonly mark: string | undefined;
  /** Number of open orders; 0 until the number is loaded. */
  readonly open: number;
  /** Undefined until it is loaded. */
  readonly reported: AccountNotices | undefined;
  /** True if the last request failed. */
  readonly hasFailed: boolean;
  /** Loads everything again. */
  readonly load: () => void;
  /** Marks the events as seen, so that the bell no longer counts them as new. */
  readonly see: () => void;
}

type Loaded = Pick<Around, 'mark' | 'open' | 'reported' | 'hasFailed'>;
const NOTHING: Loaded = { mark: undefined, open: 0, reported: undefined, hasFailed: false };

/**
 * Loads the frame's data once the user is known, and again when the change token in the page's data changes. After a
 * failed request the old data stays, since the page itself shows the failure. A token that the API refuses is dropped.
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
          // The session was ended on another device: sign out here, too.
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

/** Reads the change token first, so that a change during the other requests leads to another load. */
async function loadAround(pageMark: string | undefined, signal: AbortSignal | undefined): Promise<Loaded> {
  const options = signal ? { signal } : {};
  const mark = pageMark ?? (await client.userChanges({}, options)).mark;
  const [{ meta }, reported] = await Promise.all([
    client.userOrders({ status: [...GROUPS.open], per_page: 1 }, options),
    client.userNotices({}, options),
  ]);
  return { mark, open: meta.total, reported, hasFailed: false };
}
