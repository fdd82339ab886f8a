import { type ActionFunctionArgs, type LoaderFunctionArgs, data, redirect } from 'react-router';
import { accessToken, storeToken } from '../features/account/access-token.ts';
import { m } from '../features/words.ts';
import { isClosed } from '../routes/closed.ts';
import type { Failure } from '../server/document/failure.ts';
import { aimedPart, isLeaving } from './whole-navigation.ts';

type DataResponse =
  | { readonly redirect: string }
  | { readonly failure: Partial<Failure> & { readonly status: number } }
  | { readonly data: unknown };

/** URL and data of the current page. The page shows the same data again if a reload fails because the server can't be reached. */
let last: { readonly url: string; readonly answer: unknown } | undefined;

/**
 * Loads a page's data from the page's path with `.data` appended. If the server can't answer, returns the data that the page
 * already shows.
 */
export async function loadData({ request }: LoaderFunctionArgs): Promise<unknown> {
  const answer = await ask(request.url, { signal: request.signal });
  if ('redirect' in answer) throw redirect(answer.redirect);
  if (last?.url === request.url && !isClosed(last.answer) && isPassing('failure' in answer ? answer.failure : answer))
    return last.answer;
  if ('failure' in answer) throw data(answer.failure, { status: answer.failure.status });
  last = { url: request.url, answer: answer.data };
  return answer.data;
}

/** Stores the data that came with the document as the current page's data. */
export function rememberData(url: string, answer: unknown): void {
  last = { url, answer };
}

/**
 * Sends a form to the page's action on the web server, because only that server reads the cookie with a calculation's secret. If
 * the server can't answer, the page shows a message and the typed values.
 */
export async function submitForm({ request }: ActionFunctionArgs): Promise<unknown> {
  const body = await request.text();
  const answer = await ask(request.url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
    signal: request.signal,
  });
  if ('redirect' in answer) throw redirect(answer.redirect);
  if ('data' in answer) return answer.status < 400 ? answer.data : data(answer.data, { status: answer.status });
  const { failure } = answer;
  if (!isPassing(failure) && failure.status !== 401) throw data(failure, { status: failure.status });
  const values = Object.fromEntries(new URLSearchParams(body));
  return data({ message: failure.message ?? m.error_browser_lead(), values }, { status: failure.status });
}

/** True if the network or the server failed, so that a repeated request may succeed. */
const isPassing = ({ status }: Pick<Failure, 'status'>): boolean => status >= 500 || status === 429;

async function ask(address: string, init: RequestInit): Promise<DataResponse & { readonly status: number }> {
  const url = new URL(address);
  const token = accessToken();
  if (token !== null) init.headers = { ...init.headers, authorization: `Bearer ${token}` };
  try {
    const response = await fetch(`${url.pathname}.data${url.search}`, init);
    // The session has ended: sign out and load the page's data again as a visitor. A form is never sent again as a visitor.
    if (response.status === 401 && token !== null) {
      storeToken(null);
      if (init.method === undefined) return await ask(address, init.signal ? { signal: init.signal } : {});
    }
    const answer = (await response.json().catch(() => ({ failure: { status: response.status } }))) as DataResponse;
    return { ...answer, status: response.status };
  } catch (error) {
    if (init.signal?.aborted) throw error;
    const failure = { status: 503, title: m.offline_title(), message: m.offline_lead() };
    return { failure, status: failure.status };
  }
}

/** Loads the page as a document instead of routing to it. The returned promise never resolves. */
export function documentNavigation({ request }: LoaderFunctionArgs): Promise<never> {
  const target = request.url + aimedPart();
  if (isLeaving()) return new Promise(() => undefined);
  if (target === location.href) location.reload();
  else location.assign(target);
  return new Promise(() => undefined);
}
