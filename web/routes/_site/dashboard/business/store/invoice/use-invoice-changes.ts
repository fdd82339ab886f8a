import { clientOf } from '@kurs/contract/client';
import { paymentInvoiceStatus } from '@kurs/contract/paths';
import { useCallback } from 'react';
import { pageTransport } from '../../../../../../features/api/client.ts';
import { useStream } from '../../../../../../features/live/use-stream.ts';
import { type InvoiceStatus, changeTokenOf } from './change-token.ts';

const client = clientOf(pageTransport(), { paymentInvoiceStatus });

/**
 * Calls `onNews` whenever an invoice has changed since the status that was loaded before the shown data. Returns false while the
 * connection is lost.
 */
export function useInvoiceChanges(id: string, status: InvoiceStatus, onNews: () => void): boolean {
  const ask = useCallback(
    async (signal: AbortSignal) => changeTokenOf(await client.paymentInvoiceStatus({ id }, { signal })),
    [id],
  );
  const path = `payment/invoice/status?${new URLSearchParams({ id })}`;
  return useStream({ path, ask, mark: changeTokenOf(status) }, onNews);
}
