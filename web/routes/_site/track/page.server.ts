import { data } from 'react-router';
import { m } from '../../../features/words.ts';
import type { Head } from '../../../server/document/document.ts';
import { isCallError } from '../../../server/document/failure.ts';
import type { Visit } from '../../../server/routing/visit.ts';
import type { OrderStatus } from '../../../features/contract-words.ts';

export interface TrackData {
  readonly head: Head;
  /** Order number in the link by which the visitor came. */
  readonly id: string;
}

export interface TrackAnswer {
  readonly head?: Partial<Head>;
  readonly found?: { readonly id: string; readonly status: OrderStatus; readonly updated_at: string };
  readonly email?: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly values?: Readonly<Record<string, string>>;
  readonly message?: string;
}

/** Loads the form, with the order number from the URL filled in. */
export async function load({ url }: Visit): Promise<TrackData> {
  const id = (url.searchParams.get('id') ?? '').slice(0, 20);
  return { head: { title: m.track_head(), description: m.track_description() }, id };
}

/** Finds an order by its number and the e-mail address. Returns the order's status, and has the order's link mailed. */
export async function submit(visit: Visit, form: URLSearchParams): Promise<unknown> {
  const id = (form.get('id') ?? '').trim().toUpperCase();
  const email = (form.get('email') ?? '').trim();
  try {
    const { status, updated_at } = await visit.client.trackOrder({ id, email });
    return { found: { id, status, updated_at }, email } satisfies TrackAnswer;
  } catch (error) {
    if (!isCallError(error) || error.status >= 500) throw error;
    const answer: TrackAnswer = {
      head: { title: m.error_title({ title: m.track_head() }) },
      errors: error.errors,
      values: { id, email },
      message: error.code === 'order_not_found' ? m.track_not_found() : error.message,
    };
    return data(answer, { status: error.status });
  }
}
