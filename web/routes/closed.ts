/** What a guarded page's loader gives to anyone who shows no session: its title, and nothing of anybody. */
export interface Closed {
  readonly head: { readonly title: string };
  readonly closed: 'no session' | 'session over';
}

/** Whether a loader gave no data, for want of a session. */
export function isClosed(data: unknown): data is Closed {
  return typeof data === 'object' && data !== null && 'closed' in data;
}
