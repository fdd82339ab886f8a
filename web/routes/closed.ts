/**
 * Data that a guarded page's loader returns to a request without a valid session: the page's title, and nothing of any account.
 */
export interface Closed {
  readonly head: { readonly title: string };
  readonly closed: 'no session' | 'session over';
}

/** True if a loader returned no data because there is no valid session. */
export function isClosed(data: unknown): data is Closed {
  return typeof data === 'object' && data !== null && 'closed' in data;
}
