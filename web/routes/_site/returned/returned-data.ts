import { m } from '../../../features/words.ts';
import type { Head } from '../../../server/document.ts';
import type { Visit } from '../../../server/visit.ts';

/** Which of a provider's two ways back a customer took. Neither says anything about money. */
export type Way = 'paid' | 'unpaid';

export interface ReturnedData {
  readonly head: Head;
  readonly way: Way;
  /** The order's number, where the provider brought it back. */
  readonly id?: string;
}

/** The page that a provider sends its customer back to. It reads nothing but the order's number, and credits nothing. */
export function loadReturned(way: Way): (visit: Visit) => Promise<ReturnedData> {
  return async ({ url }) => {
    const id = /^[A-Z]{2}-[0-9A-Z]{4}-[0-9A-Z]{4}$/.exec((url.searchParams.get('id') ?? '').toUpperCase())?.[0];
    return {
      head: { title: way === 'paid' ? m.returned_title() : m.returned_unpaid_title() },
      way,
      ...(id === undefined ? {} : { id }),
    };
  };
}
