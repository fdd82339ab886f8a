import { accessToken, storeToken } from '../account/access-token.ts';
import { m } from '../words.ts';
import type { Failure } from '../../server/document/failure.ts';

type DataResponse =
  | { readonly redirect: string }
  | { readonly failure: Partial<Failure> & { readonly status: number } }
  | { readonly data: unknown };

/** True if the network or the server failed, so that a repeated request may succeed. */
export const isPassing = ({ status }: Pick<Failure, 'status'>): boolean => status >= 500 || status === 429;

/**
 * Requests a page's data, or sends its form, at the page's path with `.data` appended. Sends the session's token. If the session
 * has ended, signs out and requests the data as a visitor; a form is never sent again as a visitor.
 */
export async function askPage(address: string, init: RequestInit): Promise<DataResponse & { readonly status: number }> {
  const url = new URL(address);
  const token = accessToken();
  if (token !== null) init.headers = { ...init.headers, authorization: `Bearer ${token}` };
  try {
    const response = await fetch(`${url.pathname}.data${url.search}`, init);
    if (response.status === 401 && token !== null) {
      storeToken(null);
      if (init.method === undefined) return await askPage(address, init.signal ? { signal: init.signal } : {});
    }
    const answer = (await response.json().catch(() => ({ failure: { status: response.status } }))) as DataResponse;
    return { ...answer, status: response.status };
  } catch (error) {
    if (init.signal?.aborted) throw error;
    const failure = { status: 503, title: m.offline_title(), message: m.offline_lead() };
    return { failure, status: failure.status };
  }
}
