import { type ActionFunctionArgs, type LoaderFunctionArgs, data, redirect } from 'react-router';
import { askPage, isPassing } from '../features/api/page-data.ts';
import { m } from '../features/words.ts';
import { isClosed } from '../routes/closed.ts';
import { aimedPart, isLeaving } from './whole-navigation.ts';

/** URL and data of the current page. The page shows the same data again if a reload fails because the server can't be reached. */
let last: { readonly url: string; readonly answer: unknown } | undefined;

/**
 * Loads a page's data from the page's path with `.data` appended. If the server can't answer, returns the data that the page
 * already shows.
 */
export async function loadData({ request }: LoaderFunctionArgs): Promise<unknown> {
  const answer = await askPage(request.url, { signal: request.signal });
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
  const answer = await askPage(request.url, {
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

/** Loads the page as a document instead of routing to it. The returned promise never resolves. */
export function documentNavigation({ request }: LoaderFunctionArgs): Promise<never> {
  const target = request.url + aimedPart();
  if (isLeaving()) return new Promise(() => undefined);
  if (target === location.href) location.reload();
  else location.assign(target);
  return new Promise(() => undefined);
}
