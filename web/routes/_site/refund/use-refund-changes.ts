import { clientOf } from '@kurs/contract/client';
import { refundStatus } from '@kurs/contract/paths';
import { useCallback } from 'react';
import { useRevalidator } from 'react-router';
import { pageTransport } from '../../../features/api/client.ts';
import { useStream } from '../../../features/live/use-stream.ts';
import type { RefundData } from './page.server.ts';
import { refundMark } from './refund-state.ts';

const client = clientOf(pageTransport(), { refundStatus });

/** Loads the page's data again after each change of the refund. Returns false while the connection to the event stream is lost. */
export function useRefundChanges({ refund, token, mark }: RefundData): boolean {
  const { id } = refund;
  const { revalidate } = useRevalidator();
  const onNews = useCallback(() => void revalidate(), [revalidate]);
  const ask = useCallback(
    async (signal: AbortSignal) => refundMark(await client.refundStatus({ id, token }, { signal })),
    [id, token],
  );
  return useStream({ path: `payment/refund/status?${new URLSearchParams({ id, token })}`, ask, mark }, onNews);
}
