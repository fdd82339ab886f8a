import { clientOf } from '@kurs/contract/client';
import { userChanges, userNotices, userNoticesSeen, userOrders } from '@kurs/contract/paths';
import type { Output, Routes } from '@kurs/contract';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { accessToken, keepToken } from '../../../features/account/access-token.ts';
import { pageTransport } from '../../../features/api/client.ts';
import { GROUPS } from './orders/filter.ts';

const client = clientOf(pageTransport(accessToken), { userChanges, userNotices, userNoticesSeen, userOrders });

/** What happened to the account lately. */
export type Told = Output<Routes['userNotices']>;

/** What the frame tells around each page: orders that go on, and what happened. */
export interface Around {
  /** How the account stood when this was loaded. */
  readonly mark: string | undefined;
  /** Orders that go on; 0 until that is known. */
  readonly open: number;
  /** Undefined until it is known. */
  readonly told: Told | undefined;
  /** It could not be asked for the last time. */
  readonly failed: boolean;
  /** Asks again, all of it. */
  readonly load: () => void;
  /** The holder sees what happened: nothing of it is told as new on the bell any more. */
  readonly see: () => void;
}

type Loaded = Pick<Around, 'mark' | 'open' | 'told' | 'failed'>;
const NOTHING: Loaded = { mark: undefined, open: 0, told: undefined, failed: false };

/**
 * Loads it once it is known who is signed in, and anew whenever the page's data tell that the account has changed (`pageMark`).
 * What can't be loaded is left as it was: the page itself says what fails. A token that opens nothing any more is dropped.
 */
export function useAround(userId: string | undefined, pageMark: string | undefined): Around {
  const [loaded, setLoaded] = useState(NOTHING);
  const ask = useCallback(
    (signal?: AbortSignal): void => {
      loadAround(pageMark, signal).then(
        (now) => signal?.aborted || setLoaded(now),
        (error: unknown) => {
          if (signal?.aborted) return;
          setLoaded((last) => ({ ...last, failed: true }));
          // Ended elsewhere: anyone who is here is signed out, and may sign in.
          if ((error as { status?: number }).status === 401) keepToken(null);
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
        setLoaded((now) => (now.told ? { ...now, told: { ...now.told, new: 0 } } : now));
        client.userNoticesSeen({}).catch(() => undefined);
      },
    }),
    [loaded, ask],
  );
}

/** The mark first: what changes meanwhile is told of once more. */
async function loadAround(pageMark: string | undefined, signal: AbortSignal | undefined): Promise<Loaded> {
  const options = signal ? { signal } : {};
  const mark = pageMark ?? (await client.userChanges({}, options)).mark;
  const [{ meta }, told] = await Promise.all([
    client.userOrders({ status: [...GROUPS.open], per_page: 1 }, options),
    client.userNotices({}, options),
  ]);
  return { mark, open: meta.total, told, failed: false };
}
